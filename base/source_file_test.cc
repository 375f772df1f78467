#include "base/source_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

namespace racer {
namespace {

std::string Write(const std::string& name, const std::string& text) {
  const std::string path = testing::TempDir() + "/" + name;
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

DiagnosticKind KindOf(const std::string& path, size_t max_bytes = 100) {
  const auto result = LoadSourceFile(path, max_bytes);
  return result.ok() ? DiagnosticKind::kNone : result.error().kind;
}

TEST(SourceFileTest, ReadsTextAndItsLines) {
  const auto result = LoadSourceFile(Write("two_lines", "one\ntwo\n"), 8);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ((*result)->text(), "one\ntwo\n");
  EXPECT_EQ((*result)->Line(2), "two");
}

TEST(SourceFileTest, NamesWhatIsWrong) {
  EXPECT_EQ(KindOf(testing::TempDir() + "/no/such"), DiagnosticKind::kFileNotFound);
  EXPECT_EQ(KindOf(testing::TempDir()), DiagnosticKind::kFileNotRegular);
  EXPECT_EQ(KindOf("/dev/zero"), DiagnosticKind::kFileNotRegular);
  EXPECT_EQ(KindOf(Write("nothing", "")), DiagnosticKind::kFileEmpty);
  EXPECT_EQ(KindOf(Write("blank", " \n\t\n")), DiagnosticKind::kFileEmpty);
  EXPECT_EQ(KindOf(Write("nul", std::string("a\0b", 3))), DiagnosticKind::kFileBinary);
  EXPECT_EQ(KindOf(Write("nine", "123456789"), 8), DiagnosticKind::kFileTooLarge);
  EXPECT_EQ(KindOf(Write("eight", "12345678"), 8), DiagnosticKind::kNone);
}

TEST(SourceFileTest, UnreadableIsNotMissing) {
  if (geteuid() == 0) GTEST_SKIP() << "root reads everything";
  const std::string path = Write("locked", "text");
  chmod(path.c_str(), 0);
  EXPECT_EQ(KindOf(path), DiagnosticKind::kFileUnreadable);
}

}  // namespace
}  // namespace racer

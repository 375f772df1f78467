#include "base/source_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "base/diagnostic.h"

namespace racer {
namespace {

std::string Path(const std::string& name) { return ::testing::TempDir() + "/" + name; }

std::string Write(const std::string& name, const std::string& text) {
  std::ofstream(Path(name), std::ios::binary) << text;
  return Path(name);
}

DiagnosticKind KindOf(const std::string& path, size_t max_bytes) {
  const auto file = LoadSourceFile(path, max_bytes);
  return file.ok() ? DiagnosticKind::kNone : file.error().kind;
}

TEST(SourceFileTest, ReadsTextUpToTheLimit) {
  const std::string path = Write("five.ptx", "a\nb\nc");
  const auto file = LoadSourceFile(path, 5);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ((*file)->text(), "a\nb\nc");
  EXPECT_EQ((*file)->name(), path);
  EXPECT_EQ((*file)->Line(3), "c");
}

TEST(SourceFileTest, OneByteMoreIsTooLarge) { EXPECT_EQ(KindOf(Write("five.ptx", "a\nb\nc"), 4), DiagnosticKind::kFileTooLarge); }

TEST(SourceFileTest, Missing) {
  EXPECT_EQ(KindOf(Path("no_such_file.ptx"), 100), DiagnosticKind::kFileNotFound);
  EXPECT_EQ(KindOf(Write("plain", "x") + "/below", 100), DiagnosticKind::kFileNotFound);
}

TEST(SourceFileTest, DirectoryAndPipe) {
  EXPECT_EQ(KindOf(::testing::TempDir(), 100), DiagnosticKind::kFileNotRegular);
  const std::string pipe = Path("pipe");
  unlink(pipe.c_str());
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(KindOf(pipe, 100), DiagnosticKind::kFileNotRegular);  // and does not wait for a writer
}

TEST(SourceFileTest, Unreadable) {
  const std::string path = Write("secret.ptx", "x");
  ASSERT_EQ(chmod(path.c_str(), 0), 0);
  // The superuser reads everything; a symbolic link to itself nobody can open.
  const std::string loop = Path("loop");
  unlink(loop.c_str());
  ASSERT_EQ(symlink(loop.c_str(), loop.c_str()), 0);
  EXPECT_EQ(KindOf(loop, 100), DiagnosticKind::kFileUnreadable);
  if (geteuid() != 0) {
    EXPECT_EQ(KindOf(path, 100), DiagnosticKind::kFileUnreadable);
  }
  chmod(path.c_str(), 0600);
}

TEST(SourceFileTest, EmptyAndBinary) {
  EXPECT_EQ(KindOf(Write("empty.ptx", ""), 100), DiagnosticKind::kFileEmpty);
  EXPECT_EQ(KindOf(Write("blank.ptx", "\n"), 100), DiagnosticKind::kNone);
  EXPECT_EQ(KindOf(Write("binary.ptx", std::string("ab\0c", 4)), 100), DiagnosticKind::kFileBinary);
  EXPECT_EQ(KindOf(Write("high.ptx", "\xff\xfe"), 100), DiagnosticKind::kNone);  // the parser says what is wrong with it
}

TEST(SourceFileTest, ErrorNamesTheFile) {
  const auto file = LoadSourceFile(Path("no_such_file.ptx"), 100);
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(file.error().Render(), Path("no_such_file.ptx") + ": error: no such file\n");
}

}  // namespace
}  // namespace racer

// The binary as a test runs it: arguments as a shell reads them, what it prints where, and its exit status.
#ifndef RACER_TESTS_CLI_H_
#define RACER_TESTS_CLI_H_

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace racer {

inline constexpr char kRacer[] = "checker/racer";
inline const std::string kKernels = "kernels/weighted_rmsnorm/";

struct Outcome {
  int status = -1;
  std::string out, err;
};

inline std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

inline std::string Scratch(const std::string& name) { return std::string(std::getenv("TEST_TMPDIR")) + "/" + name; }

inline std::string WriteScratch(const std::string& name, const std::string& text) {
  std::ofstream(Scratch(name)) << text;
  return Scratch(name);
}

// Arguments as a shell reads them.
inline Outcome Racer(const std::string& arguments) {
  std::string command = std::string(kRacer) + " " + arguments + " >" + Scratch("out") + " 2>" + Scratch("err") + " </dev/null";
  int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, ReadFile(Scratch("out")), ReadFile(Scratch("err"))};
}

inline std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

inline bool Has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline nlohmann::json Json(const Outcome& outcome) {
  nlohmann::json json = nlohmann::json::parse(outcome.out, nullptr, /*allow_exceptions=*/false);
  EXPECT_FALSE(json.is_discarded()) << outcome.out;
  if (json.is_discarded()) return {};
  EXPECT_EQ(json["exit"], outcome.status);
  return json;
}

inline const std::string kPair = kKernels + "vec4h_tail_f16.ptx --ref " + kKernels + "reference_f16.ptx";
inline const std::string kModel = kKernels + "vec4h_tail_f16.ptx --ref model:weighted_rmsnorm";
inline const std::string kTwin = kKernels + "broken/half2_tail_f16__tail_weight_index.ptx --ref " + kKernels +
                                 "reference_f16.ptx --contract " + kKernels +
                                 "broken/half2_tail_f16__tail_weight_index.toml --dims N=3,H=127";

}  // namespace racer

#endif  // RACER_TESTS_CLI_H_

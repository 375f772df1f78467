#include "checker/options.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "checker/report.h"

namespace racer {
namespace {

ParsedCommandLine Parse(std::vector<const char*> args) {
  args.insert(args.begin(), "racer");
  return ParseCommandLine(static_cast<int>(args.size()), args.data());
}

Options Good(const std::vector<const char*>& args) {
  ParsedCommandLine parsed = Parse(args);
  EXPECT_TRUE(parsed.options.has_value()) << parsed.output;
  return parsed.options.value_or(Options{});
}

// The one line of a usage error.
std::string Bad(const std::vector<const char*>& args) {
  ParsedCommandLine parsed = Parse(args);
  EXPECT_FALSE(parsed.options.has_value());
  EXPECT_EQ(parsed.exit_status, 3);
  EXPECT_EQ(parsed.output.substr(0, 7), "racer: ");
  EXPECT_EQ(parsed.output.find('\n'), parsed.output.size() - 1) << parsed.output;
  return parsed.output.size() > 8 ? parsed.output.substr(7, parsed.output.size() - 8) : "";
}

TEST(Options, Defaults) {
  Options options = Good({"check", "a.ptx", "--ref", "r.ptx"});
  EXPECT_EQ(options.command, Command::kCheck);
  EXPECT_EQ(options.candidate, "a.ptx");
  EXPECT_EQ(options.reference, "r.ptx");
  EXPECT_EQ(options.gates, DefaultGates());
  EXPECT_EQ(options.timeout_seconds, 300);
  EXPECT_EQ(options.memory_bytes, uint64_t{4} << 30);
  EXPECT_EQ(options.jobs, 1u);
  EXPECT_EQ(options.seed, 1u);
  EXPECT_FALSE(options.require_proof);
  EXPECT_FALSE(options.exact_constants);
  EXPECT_EQ(options.color, ColorMode::kAuto);
}

TEST(Options, Everything) {
  Options options = Good({"check",
                          "--ref=model:weighted_rmsnorm",
                          "a.ptx",
                          "--contract",
                          "c.toml",
                          "--entry",
                          "k",
                          "--ref-entry",
                          "r",
                          "--dims",
                          "N=2,H=384",
                          "--dims",
                          "H=5",
                          "--gates",
                          "race,bounds,race",
                          "--require=proof",
                          "--constants=exact",
                          "--timeout",
                          "2.5",
                          "--memory",
                          "512M",
                          "--jobs",
                          "4",
                          "--seed",
                          "18446744073709551615",
                          "--json",
                          "-",
                          "--sarif",
                          "s.json",
                          "--verbose",
                          "--color=never"});
  EXPECT_EQ(options.candidate, "a.ptx");
  EXPECT_EQ(options.reference, "model:weighted_rmsnorm");
  EXPECT_EQ(options.contract, "c.toml");
  EXPECT_EQ(options.entry, "k");
  EXPECT_EQ(options.reference_entry, "r");
  EXPECT_EQ(options.dims, (std::vector<DimPins>{{{"N", 2}, {"H", 384}}, {{"H", 5}}}));
  EXPECT_EQ(options.gates, (std::vector<Gate>{Gate::kBounds, Gate::kRace}));
  EXPECT_TRUE(options.require_proof);
  EXPECT_TRUE(options.exact_constants);
  EXPECT_EQ(options.timeout_seconds, 2.5);
  EXPECT_EQ(options.memory_bytes, uint64_t{512} << 20);
  EXPECT_EQ(options.jobs, 4u);
  EXPECT_EQ(options.seed, ~uint64_t{0});
  EXPECT_EQ(options.json, "-");
  EXPECT_EQ(options.sarif, "s.json");
  EXPECT_TRUE(options.verbose);
  EXPECT_EQ(options.color, ColorMode::kNever);
  EXPECT_EQ(Good({"check", "a", "--ref", "r", "--gates", "all"}).gates, AllGates());
  // Was an unknown gate 'all'.
  Options both = Good({"check", "a", "--ref", "r", "--gates", "all,determinism"});
  EXPECT_EQ(both.gates, AllGates());
  EXPECT_TRUE(both.demand_determinism);
}

TEST(Options, Memory) {
  auto bytes = [](const char* text) { return Good({"inspect", "a", "--memory", text}).memory_bytes; };
  EXPECT_EQ(bytes("4096"), 4096u);
  EXPECT_EQ(bytes("64k"), 65536u);
  EXPECT_EQ(bytes("1GiB"), uint64_t{1} << 30);
  EXPECT_EQ(bytes("2TB"), uint64_t{2} << 40);
  for (const char* text : {"", "0", "M", "-1", "1.5G", "1X", "99999999999T", "1 G"}) Bad({"inspect", "a", "--memory", text});
}

TEST(Options, OtherCommands) {
  EXPECT_EQ(Good({"inspect", "a.ptx"}).command, Command::kInspect);
  Options explain = Good({"explain", "a", "--ref", "r", "--cell", "y[1,3]"});
  EXPECT_EQ(explain.cell, "y[1,3]");
  EXPECT_EQ(Bad({"explain", "a", "--ref", "r"}), "explain needs --cell, such as y[1,3] (racer help explain)");
  for (const char* cell : {"y", "y[]", "y[1", "[1]", "y[1,]", "y[-1]", "y[1]x"}) Bad({"explain", "a", "--ref", "r", "--cell", cell});
  Bad({"inspect", "a.ptx", "--ref", "r"});  // inspect has no reference
  Bad({"check", "a", "--ref", "r", "--cell", "y[0]"});
}

TEST(Options, UsageErrors) {
  EXPECT_EQ(Bad({}), "no command; expected check, inspect, explain, help or completion (racer --help)");
  EXPECT_EQ(Bad({"chekc"}), "unknown command 'chekc'; expected check, inspect, explain, help or completion (racer --help)");
  EXPECT_EQ(Bad({"check"}), "check needs a PTX file (racer help check)");
  EXPECT_EQ(Bad({"check", "a.ptx"}), "check needs --ref: a PTX file or model:NAME (racer help check)");
  EXPECT_EQ(Bad({"check", "a", "--ref", "r", "--dims", "N"}), "--dims: malformed 'N'; expected NAME=INTEGER[,NAME=INTEGER...]");
  EXPECT_EQ(Bad({"check", "a", "--ref", "r", "--dims", "N=2,"}), "--dims: malformed ''; expected NAME=INTEGER[,NAME=INTEGER...]");
  EXPECT_EQ(Bad({"check", "a", "--ref", "r", "--dims", "N=2x"}), "--dims: malformed 'N=2x'; expected NAME=INTEGER[,NAME=INTEGER...]");
  EXPECT_EQ(Bad({"check", "a", "--ref", "r", "--dims", "N=0"}), "--dims: 'N=0' is not positive");
  EXPECT_EQ(Bad({"check", "a", "--ref", "r", "--dims", "N=1,N=2"}), "--dims: 'N' twice in 'N=1,N=2'");
  EXPECT_EQ(Bad({"check", "a", "--ref", "r", "--require", "luck"}), "--require: unknown 'luck'; expected proof");
  EXPECT_EQ(Bad({"check", "a", "--ref", "r", "--constants", "x"}), "--constants: unknown 'x'; expected one of: lift, exact");
  EXPECT_EQ(Bad({"check", "a", "--ref", "r", "--color=red"}), "--color: unknown 'red'; expected one of: auto, always, never");
  EXPECT_EQ(Bad({"check", "a", "--ref", "r", "--timeout", "-1"}), "--timeout: malformed '-1'; expected seconds, 0 for no limit");
  EXPECT_EQ(Bad({"check", "a", "--ref", "r", "--jobs", "0"}), "--jobs: malformed '0'; expected 1 to 1024");
  EXPECT_EQ(Bad({"check", "a", "--ref", "r", "--seed", "x"}), "--seed: malformed 'x'; expected an integer from 0");
  EXPECT_EQ(Bad({"check", "a", "--ref", "r", "--seed", "1", "--seed", "2"}), "--seed given 2 times");
  EXPECT_EQ(Bad({"check", "a", "--ref", "r", "--quiet", "--verbose"}), "--quiet and --verbose exclude each other");
  EXPECT_EQ(Bad({"check", "a", "--ref", "r", "--gates", "races"}).substr(0, 30), "--gates: unknown gate 'races';");
  EXPECT_EQ(Bad({"check", "a", "b", "--ref", "r"}), "unexpected 'b': check takes one PTX file (racer help check)");
  EXPECT_EQ(Bad({"check", "a", "--ref", "r", "--frobnicate"}), "unknown option '--frobnicate' (racer help check)");
  // Was "arguments were not expected: N=1 --dimz".
  EXPECT_EQ(Bad({"check", "a", "--ref", "r", "--dimz", "N=1"}), "unknown option '--dimz' (racer help check)");
  EXPECT_EQ(Bad({"check", "a", "b", "--ref", "r", "--dimz=N=1"}), "unknown option '--dimz=N=1' (racer help check)");
  Bad({"check", "a", "--ref"});
  Bad({"\x1b[31m"});
}

TEST(Options, NotInThisVersion) {
  for (const char* command : {"emit", "corpus", "triage", "mutate", "run", "bench", "perturb", "receipt"}) {
    EXPECT_EQ(Bad({command}), "command '" + std::string(command) + "' is not in this version");
    EXPECT_EQ(Parse({"--help"}).output.find(std::string("racer ") + command + " "), std::string::npos);
    // Broken once: exit status 3.
    for (const ParsedCommandLine& help : {Parse({command, "--help"}), Parse({"help", command})}) {
      EXPECT_EQ(help.exit_status, 0);
      EXPECT_EQ(help.output.find("racer " + std::string(command) + " is planned and not in this version"), 0u);
    }
  }
  EXPECT_EQ(Bad({"check", "a", "--ref", "r", "--html", "x.html"}), "--html is not in this version");
}

TEST(Options, Texts) {
  EXPECT_EQ(Parse({"--version"}).output, "racer 0.1.0\n");
  EXPECT_EQ(Parse({"--version"}).exit_status, 0);
  EXPECT_EQ(Parse({"help"}).output, Parse({"--help"}).output);
  EXPECT_EQ(Parse({"help", "--help"}).output, Parse({"--help"}).output);
  ParsedCommandLine help = Parse({"help", "check"});
  EXPECT_EQ(help.exit_status, 0);
  EXPECT_NE(help.output.find("--contract FILE"), std::string::npos);
  EXPECT_EQ(help.output.find("--cell"), std::string::npos);
  EXPECT_EQ(help.output, Parse({"check", "--help"}).output);
  Bad({"help", "chekc"});
  // Was the general help.
  EXPECT_EQ(Parse({"help", "completion"}).output.rfind("usage: racer completion bash|zsh|fish\n", 0), 0u);
  EXPECT_EQ(Parse({"help", "completion"}).output, Parse({"completion", "--help"}).output);
  EXPECT_EQ(Bad({"help", "completion", "bash"}), "help takes one command");
  // Where a contract to start from comes from.
  EXPECT_NE(Parse({"help"}).output.find("infer none, one to edit"), std::string::npos);
  for (const char* shell : {"bash", "zsh", "fish"}) {
    ParsedCommandLine script = Parse({"completion", shell});
    EXPECT_EQ(script.exit_status, 0);
    EXPECT_NE(script.output.find("contract"), std::string::npos);
  }
  Bad({"completion", "tcsh"});
  Bad({"completion"});
}

// Input errors reach the JSON report as well.
TEST(Options, JsonOfABadCommandLine) {
  EXPECT_EQ(Parse({"check", "--json", "out.json"}).json, "out.json");
  EXPECT_EQ(Parse({"check", "--frobnicate", "--json=-"}).json, "-");
  EXPECT_EQ(Parse({"check"}).json, "");
}

}  // namespace
}  // namespace racer

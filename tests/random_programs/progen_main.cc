// progen: prints, exports and runs random programs.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "CLI/CLI.hpp"
#include "tests/random_programs/execute.h"
#include "tests/random_programs/forms.h"
#include "tests/random_programs/generate.h"
#include "tests/random_programs/mutate.h"
#include "tests/random_programs/program.h"

namespace racer::programs {
namespace {

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// Runs every program of a golden file in Bits. How many differ.
int CompareWith(const std::string& golden, const FormTable& forms) {
  int bad = 0, all = 0;
  std::istringstream lines(ReadFile(golden));
  for (std::string line; std::getline(lines, line);) {
    uint64_t seed = 0, text = 0, output = 0;
    if (std::sscanf(line.c_str(), "%" SCNu64 " %" SCNx64 " %" SCNx64, &seed, &text, &output) != 3) continue;
    ++all;
    const Program program = Generate(seed, {}, forms);
    const std::string ptx = Print(program);
    std::string problem;
    const bool same_text = Digest(ptx) == text;
    if (same_text && Digest(RunBits(program, ptx, MakeInputs(seed), &problem)) == output) continue;
    ++bad;
    std::printf("seed %" PRIu64 ": %s\n", seed, !same_text ? "another program" : problem.empty() ? "another output" : problem.c_str());
  }
  std::printf("%d programs, %d differ\n", all, bad);
  return all == 0 ? 1 : bad;
}

int Main(int argc, char** argv) {
  CLI::App app{
      "Random PTX programs. One line a program: seed, grid, block, bytes of output, digests of the text and of the output in Bits."};
  uint64_t first = 0, count = 1;
  Shape shape;
  std::string directory, instead, golden, forms_file = "tests/random_programs/testdata/forms.txt";
  bool print = false, list = false, outputs = false, prefixes = false, mutants = false, run = true;
  app.add_option("--first", first, "first seed");
  app.add_option("--count", count, "how many seeds");
  app.add_option("--statements", shape.statements, "statements of a kernel, about");
  app.add_flag("--one-warp", shape.one_warp, "one CTA of one warp");
  app.add_option("--forms", forms_file, "grammar lines to draw instructions from");
  app.add_option("--export", directory, "folder for SEED.ptx, SEED.in and manifest.txt");
  app.add_option("--text", instead, "run this text in place of the program");
  app.add_flag("--outputs", outputs, "export SEED.out too, what Bits leaves in memory");
  app.add_flag("--prefixes", prefixes, "of each program also what is left without its last statements, as SEED * 1000 + statements");
  app.add_flag("--mutants", mutants, "export programs that break one rule each in place of them, as SEED_NUMBER.ptx");
  app.add_flag("--print", print, "print the programs");
  app.add_flag("!--no-run", run, "do not run them in Bits");
  app.add_option("--golden", golden, "run the programs of this file in Bits and compare");
  app.add_flag("--list-forms", list, "print the grammar lines of today's table");
  CLI11_PARSE(app, argc, argv);
  // Paths are the caller's also under `bazel run`.
  if (const char* caller = std::getenv("BUILD_WORKING_DIRECTORY")) std::filesystem::current_path(caller);
  if (list) {
    std::fputs(EligibleLines().c_str(), stdout);
    return 0;
  }
  const FormTable forms(ReadFile(forms_file));
  if (!golden.empty()) return CompareWith(golden, forms) == 0 ? 0 : 1;
  std::string manifest;
  int bad = 0;
  // One line of the manifest, under `name`.
  const auto add = [&](uint64_t name, const Program& program) {
    const std::string ptx = instead.empty() ? Print(program) : ReadFile(instead);
    if (print) std::fputs(ptx.c_str(), stdout);
    const std::vector<uint8_t> inputs = MakeInputs(program.seed);
    std::string problem;
    std::vector<uint8_t> output;
    if (run) {
      output = RunBits(program, ptx, inputs, &problem);
      if (output.empty()) {
        std::fprintf(stderr, "%" PRIu64 ": %s\n", name, problem.c_str());
        ++bad;
      }
    }
    char line[160];
    std::snprintf(line, sizeof(line), "%" PRIu64 " %u %u,%u,%u %u %016" PRIx64 " %016" PRIx64 "\n", name, program.grid[0], program.block[0],
                  program.block[1], program.block[2], program.threads() * program.row_bytes, Digest(ptx), Digest(output));
    manifest += line;
    if (directory.empty()) return;
    std::filesystem::create_directories(directory);
    const auto write = [&](const char* suffix, const auto& bytes) {
      std::ofstream(directory + "/" + std::to_string(name) + suffix, std::ios::binary)
          .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    };
    write(".ptx", ptx);
    write(".in", inputs);
    if (outputs) write(".out", output);
  };
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const Program program = Generate(seed, shape, forms);
    if (mutants) {
      std::filesystem::create_directories(directory);
      Rng rng(seed);
      int number = 0;
      for (const Broken& broken : BreakRules(program, rng)) {
        std::ofstream(directory + "/" + std::to_string(seed) + "_" + std::to_string(number++) + ".ptx")
            << broken.text << "// " << broken.rule << "\n";
      }
      continue;
    }
    if (!prefixes) {
      add(seed, program);
      continue;
    }
    Program prefix = program;
    std::vector<Node>& body = prefix.functions.back().body;
    for (size_t kept = 0; kept <= program.functions.back().body.size(); ++kept) {
      body.assign(program.functions.back().body.begin(), program.functions.back().body.begin() + static_cast<std::ptrdiff_t>(kept));
      add(seed * 1000 + kept, prefix);
    }
  }
  if (directory.empty()) {
    if (!print) std::fputs(manifest.c_str(), stdout);
  } else {
    std::ofstream(directory + "/manifest.txt") << manifest;
  }
  return bad == 0 ? 0 : 1;
}

}  // namespace
}  // namespace racer::programs

int main(int argc, char** argv) { return racer::programs::Main(argc, argv); }

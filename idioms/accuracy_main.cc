// Prints the worst error of the code of templates over the patterns of their first input: racer's own check of the bounds that it states.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <string>
#include <vector>

#include "idioms/accuracy.h"
#include "idioms/idiom_template.h"
#include "idioms/templates.h"
#include "ptx_frontend/isa/types.h"

int main(int argc, char** argv) {
  using namespace racer;
  CLI::App app("The worst error of every template with one input.");
  uint64_t stride = 4093;
  std::vector<std::string> names;
  app.add_option("--stride", stride, "Every how many patterns of 32 bits (1: all of them; those of 16 bits are always all)");
  app.add_option("names", names, "Templates; default: all");
  CLI11_PARSE(app, argc, argv);
  std::printf("%-24s %-28s %12s %10s %8s  %s\n", "template", "function", "points", "worst ulp", "bound", "at");
  for (const IdiomTemplate* idiom : AllTemplates()) {
    if (!names.empty() && std::find(names.begin(), names.end(), idiom->name()) == names.end()) continue;
    if (idiom->header().inputs.size() != 1) continue;
    const unsigned width = BitWidth(idiom->header().inputs[0]);
    IdiomAccuracy accuracy(*idiom);
    const uint64_t count = width == 16 ? uint64_t{1} << 16 : (uint64_t{1} << 32) / stride;
    uint64_t measured = 0, wrong = 0, at = 0;
    double worst = 0;
    for (uint64_t i = 0; i < count; ++i) {
      // Of 64 bits the upper half runs through its patterns, and the lower half is mixed from it.
      const uint64_t pattern = width == 16 ? i : width == 32 ? i * stride : i * stride << 32 | (i * 0x9e3779b97f4a7c15 >> 32);
      const IdiomAccuracy::Point point = accuracy.At({pattern});
      wrong += point.kind == IdiomAccuracy::Point::Kind::kWrong ? 1 : 0;
      if (point.kind != IdiomAccuracy::Point::Kind::kMeasured) continue;
      ++measured;
      if (point.ulps <= worst) continue;
      worst = point.ulps;
      at = pattern;
    }
    std::printf("%-24s %-28s %12" PRIu64 " %10.4f %8g  0x%0*" PRIx64 "%s\n", idiom->name().c_str(), idiom->header().function.c_str(),
                measured, worst, idiom->header().ulps, static_cast<int>(width / 4), at, wrong != 0 ? " WRONG" : "");
    std::fflush(stdout);
  }
  return 0;
}

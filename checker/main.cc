// The `racer` command: parse the command line, do the work in a supervised child, print its report.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>

#include "base/check.h"
#include "checker/check.h"
#include "checker/findings.h"
#include "checker/options.h"
#include "checker/report.h"
#include "checker/supervise.h"

namespace racer {
namespace {

bool UseColor(const Options& options) {
  switch (options.color) {
    case ColorMode::kAlways: return true;
    case ColorMode::kNever: return false;
    case ColorMode::kAuto: return isatty(STDOUT_FILENO) != 0;
  }
  RACER_UNREACHABLE(options.color);
}

// Writes to a file or, for "-", to standard output.
bool WriteOutput(const std::string& path, const std::string& text) {
  if (path == "-") {
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  }
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.flush();
  return static_cast<bool>(out);
}

std::string Seconds(double seconds) {
  char text[32];
  std::snprintf(text, sizeof(text), "%g", seconds);
  return text;
}

// The report as it leaves the process: text for standard output, JSON and SARIF where asked for.
WorkResult Emit(const Options& options, const Report& report, const std::string& extra_text) {
  WorkResult result;
  result.exit_status = ExitStatus(report.verdict);
  for (const Diagnostic& diagnostic : report.diagnostics) std::fputs(diagnostic.Render().c_str(), stderr);
  if (!options.json.empty()) result.json = ToJson(report);
  if (!options.sarif.empty() && !WriteOutput(options.sarif, ToSarif(report))) {
    std::fprintf(stderr, "racer: cannot write %s\n", EscapeForTerminal(options.sarif).c_str());
    result.exit_status = 3;
  }
  // What is wrong with the input has been said on standard error, and there is no verdict to print.
  if (options.json != "-" && report.verdict != Verdict::kInputError) {
    TextStyle style;
    style.color = UseColor(options);
    style.verbose = options.verbose;
    style.quiet = options.quiet;
    style.program = ShellWord(options.program);
    result.output = extra_text.empty() ? ToText(report, style) : extra_text;
  }
  return result;
}

WorkResult Work(const Options& options, std::chrono::steady_clock::time_point start, const Keep& keep) {
  const Progress progress = [&](const Report& so_far) { keep(ToJson(so_far)); };
  InputsOutcome loaded = LoadInputs(options);
  Report report;
  std::string text;
  if (!loaded.inputs.has_value()) {
    report = NoInputsReport(options, std::move(loaded));
  } else {
    switch (options.command) {
      case Command::kCheck: report = Check(options, *loaded.inputs, progress); break;
      case Command::kInspect: report = Inspect(options, *loaded.inputs, progress); break;
      case Command::kExplain: {
        Explanation explanation = Explain(options, *loaded.inputs);
        report = std::move(explanation.report);
        text = options.quiet && !explanation.text.empty() ? report.summary + "\n" : std::move(explanation.text);
        report.candidate = options.candidate;
        report.reference = options.reference;
        break;
      }
      case Command::kPrint: RACER_UNREACHABLE(options.command);
    }
  }
  report.stats.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  report.stats.peak_bytes = PeakBytes();
  return Emit(options, report, text);
}

int Run(int argc, char** argv) {
  auto start = std::chrono::steady_clock::now();
  ParsedCommandLine command_line = ParseCommandLine(argc, argv);
  if (!command_line.options.has_value()) {
    std::fputs(command_line.output.c_str(), command_line.exit_status == 0 ? stdout : stderr);
    if (command_line.exit_status == 3 && !command_line.json.empty()) {
      std::string message = command_line.output.substr(0, command_line.output.find_last_not_of('\n') + 1);
      Report report = InputErrorReport({MakeError(DiagnosticKind::kCommandLine, {}, message)});
      if (!WriteOutput(command_line.json, ToJson(report))) {
        std::fprintf(stderr, "racer: cannot write %s\n", EscapeForTerminal(command_line.json).c_str());
      }
    }
    return command_line.exit_status;
  }
  const Options& options = *command_line.options;
  SupervisionLimits limits{options.timeout_seconds, options.memory_bytes};
  SupervisedResult result = RunSupervised([&](const Keep& keep) { return Work(options, start, keep); }, limits);
  if (result.end != SupervisedResult::End::kFinished) {
    Report report;
    switch (result.end) {
      case SupervisedResult::End::kFinished: break;
      case SupervisedResult::End::kTimeout:
        report =
            StoppedReport("time limit of " + Seconds(options.timeout_seconds) + " s reached (--timeout)", options, FromJson(result.kept));
        report.hint = "pin smaller dims with --dims, or raise --timeout";
        break;
      case SupervisedResult::End::kMemory:
        report = StoppedReport("memory limit of " + std::to_string(options.memory_bytes >> 20) + " MiB reached (--memory)", options,
                               FromJson(result.kept));
        report.hint = "pin smaller dims with --dims, or raise --memory";
        break;
      case SupervisedResult::End::kCrash:
        report.verdict = Verdict::kInternalError;
        report.reason = "racer ended with " + result.detail;
        report.summary = "internal error: " + report.reason + "; this is a bug in racer and says nothing about the kernels";
        std::fprintf(stderr, "racer: internal error: %s\n", result.detail.c_str());
        break;
    }
    report.stats.peak_bytes = result.peak_bytes;
    report.stats.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    result.work = Emit(options, report, "");
  }
  // The file first: a verdict on standard output says that everything asked for was written.
  if (!result.work.json.empty() && !WriteOutput(options.json, result.work.json)) {
    std::fprintf(stderr, "racer: cannot write %s\n", EscapeForTerminal(options.json).c_str());
    return 3;
  }
  if (!result.work.output.empty() && !WriteOutput("-", result.work.output)) return 3;
  return result.work.exit_status;
}

}  // namespace
}  // namespace racer

int main(int argc, char** argv) { return racer::Run(argc, argv); }

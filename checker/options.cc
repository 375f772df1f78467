#include "checker/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <exception>
#include <initializer_list>
#include <string_view>

#include "base/check.h"
#include "base/diagnostic.h"
#include "checker/report.h"

namespace racer {
namespace {

struct CommandEntry {
  const char* name;
  Command command;
  const char* usage;
  const char* summary;
};
constexpr std::array<CommandEntry, 3> kCommands = {{
    {"check", Command::kCheck, "CANDIDATE.ptx --ref REF.ptx|model:NAME [options]", "decide whether two kernels compute the same function"},
    {"inspect", Command::kInspect, "FILE.ptx [options]", "one kernel alone: every gate but equivalence, and what it uses"},
    {"explain", Command::kExplain, "CANDIDATE.ptx --ref REF.ptx|model:NAME --cell 'y[1,3]' [options]",
     "the term of one output cell on both sides, and where they part"},
}};
constexpr std::array<const char*, 8> kLater = {"emit", "corpus", "triage", "mutate", "run", "bench", "perturb", "receipt"};

// A usage mistake, thrown and caught in this file only.
struct UsageError {
  std::string message;
};
[[noreturn]] void Usage(std::string message) { throw UsageError{std::move(message)}; }

std::string Quote(std::string_view text) { return "'" + std::string(text.substr(0, 200)) + "'"; }

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  size_t begin = 0;
  for (;;) {
    size_t end = text.find(separator, begin);
    parts.emplace_back(text.substr(begin, end == std::string_view::npos ? end : end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

template <class T>
std::optional<T> ParseWhole(std::string_view text) {
  T value{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

bool IsName(std::string_view text) {
  auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !text.empty() && letter(text[0]) &&
         std::all_of(text.begin(), text.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

DimPins ParseDims(const std::string& text, const std::string& option = "--dims") {
  DimPins pins;
  for (const std::string& part : Split(text, ',')) {
    size_t equals = part.find('=');
    std::string name = part.substr(0, equals);
    std::optional<int64_t> value =
        equals == std::string::npos ? std::nullopt : ParseWhole<int64_t>(std::string_view(part).substr(equals + 1));
    if (!IsName(name) || !value) Usage(option + ": malformed " + Quote(part) + "; expected NAME=INTEGER[,NAME=INTEGER...]");
    if (*value < 1) Usage(option + ": " + Quote(part) + " is not positive");
    for (const auto& [known, unused] : pins) {
      if (known == name) Usage(option + ": " + Quote(name) + " twice in " + Quote(text));
    }
    pins.emplace_back(name, *value);
  }
  return pins;
}

std::vector<Gate> ParseGates(const std::string& text) {
  std::vector<Gate> asked;
  for (const std::string& name : Split(text, ',')) {
    if (name == "all") return AllGates();
    std::optional<Gate> gate = GateFromName(name);
    if (!gate) {
      std::string known;
      for (Gate one : AllGates()) known += ", " + std::string(GateName(one));
      Usage("--gates: unknown gate " + Quote(name) + "; expected all or a list of: " + known.substr(2));
    }
    asked.push_back(*gate);
  }
  // In the order of the report, each once.
  std::vector<Gate> gates;
  for (Gate gate : AllGates()) {
    if (std::find(asked.begin(), asked.end(), gate) != asked.end()) gates.push_back(gate);
  }
  return gates;
}

uint64_t ParseBytes(const std::string& text) {
  size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  std::optional<uint64_t> value = ParseWhole<uint64_t>(std::string_view(text).substr(0, digits));
  std::string suffix = text.substr(digits);
  if (suffix.size() > 1 && suffix.back() == 'B') suffix.pop_back();
  if (suffix.size() > 1 && suffix.back() == 'i') suffix.pop_back();
  static constexpr std::string_view kSuffixes = "BKMGT";
  if (suffix.empty()) suffix = "B";
  size_t power =
      suffix.size() == 1 ? kSuffixes.find(static_cast<char>(std::toupper(static_cast<unsigned char>(suffix[0])))) : std::string::npos;
  if (!value || power == std::string::npos || *value == 0 || *value > (~uint64_t{0} >> (10 * power))) {
    Usage("--memory: malformed " + Quote(text) + "; expected bytes, or a number with K, M, G or T (powers of 1024)");
  }
  return *value << (10 * power);
}

double ParseSeconds(const std::string& text) {
  std::optional<double> value = ParseWhole<double>(text);
  if (!value || !std::isfinite(*value) || *value < 0) Usage("--timeout: malformed " + Quote(text) + "; expected seconds, 0 for no limit");
  return *value;
}

template <class T>
T Choice(const char* option, const std::string& text, std::initializer_list<std::pair<const char*, T>> choices) {
  std::string known;
  for (const auto& [name, value] : choices) {
    if (text == name) return value;
    known += known.empty() ? name : std::string(", ") + name;
  }
  Usage(std::string(option) + ": unknown " + Quote(text) + "; expected " + (choices.size() > 1 ? "one of: " : "") + known);
}

// What CLI11 fills in; everything stays text until CLI11 is done.
struct RawOptions {
  std::string candidate;
  std::array<std::vector<std::string>, 21> values;  // by row of kOptions
  std::array<bool, 21> flags{};
};

constexpr unsigned kCheckBit = 1, kInspectBit = 2, kExplainBit = 4, kAllBits = 7;

struct OptionEntry {
  const char* name;
  const char* value;  // placeholder in the help; nullptr: a flag
  unsigned commands;  // bits
  bool repeatable;
  const char* choices;  // for completion, separated by spaces; "FILE": a path; may be empty
  const char* help;
};
constexpr std::array<OptionEntry, 21> kOptions = {{
    {"--ref", "REF", kCheckBit | kExplainBit, false, "FILE", "the reference: a PTX file or model:NAME"},
    {"--contract", "FILE", kAllBits, false, "FILE", "the contract; else a //! block, STEM.toml, contract.toml, inference"},
    {"--entry", "NAME", kAllBits, false, "", "entry of the candidate; default: the only one"},
    {"--ref-entry", "NAME", kCheckBit | kExplainBit, false, "", "entry of the reference; default: the only one"},
    {"--dims", "N=2,H=384", kAllBits, true, "", "pin a shape; repeatable"},
    {"--field", "N=64,H=8192", kCheckBit, true, "none", "test this shape in prime fields, too (no proof); none: test none; repeatable"},
    {"--cell", "CELL", kExplainBit, false, "", "the output cell, such as y[1,3]"},
    {"--gates", "LIST|all", kAllBits, false, "all", "gates asked for, separated by commas"},
    {"--require", "proof", kCheckBit | kExplainBit, false, "proof", "cells without an exact proof make the verdict UNDECIDED"},
    {"--constants", "lift|exact", kCheckBit | kExplainBit, false, "lift exact",
     "whether literals stand for the reals that they round; default lift"},
    {"--timeout", "SECONDS", kAllBits, false, "", "of the whole command, 0: none; default 300"},
    {"--memory", "BYTES", kAllBits, false, "", "with K, M, G or T; default 4G"},
    {"--jobs", "N", kAllBits, false, "", "processes at a time; default 1"},
    {"--seed", "N", kAllBits, false, "", "of every random choice; default 1"},
    {"--json", "FILE|-", kAllBits, false, "FILE", "the report as JSON; - puts it on standard output, alone"},
    {"--sarif", "FILE", kAllBits, false, "FILE", "failed and undecided gates as SARIF 2.1.0"},
    {"--html", "FILE", 0, false, "FILE", "not in this version"},
    {"--color", "WHEN", kAllBits, false, "auto always never", "auto, always or never; default auto"},
    {"--quiet", nullptr, kAllBits, false, "", "the verdict line only"},
    {"--verbose", nullptr, kAllBits, false, "", "cut nothing"},
    {"--help", nullptr, kAllBits, false, "", "this text"},
}};

unsigned BitOf(Command command) {
  switch (command) {
    case Command::kCheck: return kCheckBit;
    case Command::kInspect: return kInspectBit;
    case Command::kExplain: return kExplainBit;
    case Command::kPrint: break;
  }
  RACER_UNREACHABLE(command);
}

const CommandEntry* FindCommand(std::string_view name) {
  for (const CommandEntry& entry : kCommands) {
    if (name == entry.name) return &entry;
  }
  return nullptr;
}

// ---- texts

std::string GeneralHelp() {
  std::string out = "racer decides whether two NVIDIA PTX kernels compute the same function, for all inputs, and says why.\n\nusage:\n";
  for (const CommandEntry& entry : kCommands)
    out += "  racer " + std::string(entry.name) + " " + entry.usage + "\n      " + entry.summary + "\n";
  out += "  racer help COMMAND\n      the options of a command\n";
  out += "  racer completion bash|zsh|fish\n      a completion script for the shell\n";
  out += "  racer --version | --help\n\n";
  out +=
      "contract: --contract FILE.toml, `//! ` lines in the candidate, STEM.toml or contract.toml beside it; without any, check and "
      "inspect\n"
      "  print the one that they infer, or, where they infer none, one to edit (docs/interface.md has the format)\n";
  out += "exit status: 0 equivalent, 1 different or violation, 2 undecided, 3 input error, 4 internal error\n";
  return out;
}

std::string CommandHelp(const CommandEntry& entry) {
  std::string out = "usage: racer " + std::string(entry.name) + " " + entry.usage + "\n" + entry.summary + "\n\noptions:\n";
  for (const OptionEntry& option : kOptions) {
    if ((option.commands & BitOf(entry.command)) == 0) continue;
    std::string left = "  " + std::string(option.name) + (option.value == nullptr ? "" : std::string(" ") + option.value);
    left.resize(std::max<size_t>(left.size() + 2, 26), ' ');
    out += left + option.help + "\n";
  }
  out += "\ngates:";
  // One kernel alone has nothing that it could be equivalent to.
  auto names = [&](const std::vector<Gate>& gates) {
    for (Gate gate : gates) {
      if (gate != Gate::kEquivalence || entry.command != Command::kInspect) out += " " + std::string(GateName(gate));
    }
  };
  names(AllGates());
  out += "\ndefault:";
  names(DefaultGates());
  return out + " (determinism: reported; demanded only by --gates)\n";
}

std::string CompletionHelp() {
  return "usage: racer completion bash|zsh|fish\n"
         "a completion script for the shell, on standard output:\n\n"
         "  bash   eval \"$(racer completion bash)\"   in ~/.bashrc\n"
         "  zsh    eval \"$(racer completion zsh)\"    in ~/.zshrc, after compinit\n"
         "  fish   racer completion fish >~/.config/fish/completions/racer.fish\n";
}

std::string Join(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

std::vector<std::string> OptionNames(Command command) {
  std::vector<std::string> names;
  for (const OptionEntry& option : kOptions) {
    if ((option.commands & BitOf(command)) != 0) names.emplace_back(option.name);
  }
  return names;
}

std::string BashCompletion() {
  std::string out =
      "_racer() {\n"
      "  local word=\"${COMP_WORDS[COMP_CWORD]}\" before=\"${COMP_WORDS[COMP_CWORD-1]}\"\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W \"check inspect explain help completion --help --version\" -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case \"$before\" in\n"
      "    help) COMPREPLY=($(compgen -W \"check inspect explain completion\" -- \"$word\")); return;;\n"
      "    completion) COMPREPLY=($(compgen -W \"bash zsh fish\" -- \"$word\")); return;;\n";
  for (const OptionEntry& option : kOptions) {
    std::string_view choices = option.choices;
    if (option.commands == 0 || option.value == nullptr) continue;
    std::string generator = choices == "FILE" ? "-f" : "-W \"" + std::string(choices) + "\"";
    out += "    " + std::string(option.name) + ") COMPREPLY=($(compgen " + generator + " -- \"$word\")); return;;\n";
  }
  out += "  esac\n  case \"$word\" in\n    -*) case \"${COMP_WORDS[1]}\" in\n";
  for (const CommandEntry& entry : kCommands) {
    out += "      " + std::string(entry.name) + ") COMPREPLY=($(compgen -W \"" + Join(OptionNames(entry.command)) + "\" -- \"$word\"));;\n";
  }
  out += "    esac;;\n    *) COMPREPLY=($(compgen -f -- \"$word\"));;\n  esac\n}\ncomplete -o filenames -F _racer racer\n";
  return out;
}

std::string FishCompletion() {
  std::string out = "complete -c racer -n __fish_use_subcommand -f -a 'help completion'\n";
  for (const CommandEntry& entry : kCommands) {
    out += "complete -c racer -n __fish_use_subcommand -f -a " + std::string(entry.name) + " -d '" + entry.summary + "'\n";
  }
  out += "complete -c racer -n '__fish_seen_subcommand_from help' -f -a 'check inspect explain completion'\n";
  out += "complete -c racer -n '__fish_seen_subcommand_from completion' -f -a 'bash zsh fish'\n";
  for (const OptionEntry& option : kOptions) {
    if (option.commands == 0) continue;
    std::string seen;
    for (const CommandEntry& entry : kCommands) {
      if ((option.commands & BitOf(entry.command)) != 0) seen += std::string(" ") + entry.name;
    }
    out += "complete -c racer -n '__fish_seen_subcommand_from" + seen + "' -l " + std::string(option.name).substr(2);
    std::string_view choices = option.choices;
    if (option.value != nullptr) out += choices == "FILE" ? " -r -F" : " -x -a '" + std::string(choices) + "'";
    out += " -d '" + std::string(option.help) + "'\n";
  }
  return out;
}

std::string Completion(const std::vector<std::string>& args) {
  if (args.size() != 2) Usage("completion takes one shell: bash, zsh or fish");
  if (args[1] == "bash") return BashCompletion();
  // zsh runs bash's script through its own emulation.
  if (args[1] == "zsh") return "autoload -U +X bashcompinit && bashcompinit\n" + BashCompletion();
  if (args[1] == "fish") return FishCompletion();
  Usage("completion: unknown shell " + Quote(args[1]) + "; expected bash, zsh or fish");
}

// ---- parsing

std::string SeeHelp(const CommandEntry& entry) { return std::string(" (racer help ") + entry.name + ")"; }

// Throws CLI::Error.
void RunCli11(const CommandEntry& entry, const std::vector<std::string>& args, RawOptions& raw) {
  CLI::App app;
  app.set_help_flag();
  app.add_option("FILE", raw.candidate, "")->required();
  for (size_t i = 0; i < kOptions.size(); ++i) {
    const OptionEntry& option = kOptions[i];
    bool known = (option.commands & BitOf(entry.command)) != 0 || option.commands == 0;
    if (!known) continue;
    if (option.value == nullptr) {
      app.add_flag(option.name, raw.flags[i], "");
    } else {
      app.add_option(option.name, raw.values[i], "")
          ->expected(1)
          ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
          ->allow_extra_args(false);
    }
  }
  try {
    // CLI11 takes its arguments last one first.
    app.parse(std::vector<std::string>(args.rbegin(), args.rend() - 1));
  } catch (const CLI::ExtrasError&) {
    // An option that nobody knows makes an extra of its value, too.
    const std::vector<std::string> extras = app.remaining();
    const auto option = std::find_if(extras.begin(), extras.end(), [](const std::string& extra) { return extra.starts_with("-"); });
    if (option != extras.end()) Usage("unknown option " + Quote(*option) + SeeHelp(entry));
    Usage("unexpected " + Quote(extras.empty() ? "" : extras.front()) + ": " + entry.name + " takes one PTX file" + SeeHelp(entry));
  }
}

// The value of an option, or `otherwise`.
std::string Value(const RawOptions& raw, std::string_view name, std::string otherwise = "") {
  for (size_t i = 0; i < kOptions.size(); ++i) {
    if (name != kOptions[i].name) continue;
    if (raw.values[i].size() > 1) Usage(std::string(name) + " given " + std::to_string(raw.values[i].size()) + " times");
    if (raw.values[i].empty()) return otherwise;
    if (raw.values[i][0].empty()) Usage(std::string(name) + " with an empty value");
    return raw.values[i][0];
  }
  InternalError(__FILE__, __LINE__, "no such option");
}

size_t RowOf(std::string_view name) {
  for (size_t i = 0; i < kOptions.size(); ++i) {
    if (name == kOptions[i].name) return i;
  }
  InternalError(__FILE__, __LINE__, "no such option");
}

std::string CheckCell(std::string cell) {
  size_t bracket = cell.find('[');
  bool good = bracket != std::string::npos && cell.back() == ']' && IsName(std::string_view(cell).substr(0, bracket));
  if (good) {
    for (const std::string& index : Split(std::string_view(cell).substr(bracket + 1, cell.size() - bracket - 2), ',')) {
      good = good && ParseWhole<uint64_t>(index).has_value();
    }
  }
  if (!good) Usage("--cell: malformed " + Quote(cell) + "; expected such as y[1,3]");
  return cell;
}

Options Interpret(const CommandEntry& entry, const RawOptions& raw) {
  Options options;
  options.command = entry.command;
  options.candidate = raw.candidate;
  if (options.candidate.empty()) Usage("empty path of the candidate");
  if (!Value(raw, "--html").empty()) Usage("--html is not in this version");
  options.reference = Value(raw, "--ref");
  if (options.command != Command::kInspect && options.reference.empty()) {
    Usage(std::string(entry.name) + " needs --ref: a PTX file or model:NAME" + SeeHelp(entry));
  }
  options.contract = Value(raw, "--contract");
  options.entry = Value(raw, "--entry");
  options.reference_entry = Value(raw, "--ref-entry");
  for (const std::string& text : raw.values[RowOf("--dims")]) options.dims.push_back(ParseDims(text));
  for (const std::string& text : raw.values[RowOf("--field")]) {
    if (text == "none") {
      options.no_field = true;
    } else {
      options.field.push_back(ParseDims(text, "--field"));
    }
  }
  std::string gates = Value(raw, "--gates");
  options.gates = gates.empty() ? DefaultGates() : ParseGates(gates);
  options.demand_determinism =
      !gates.empty() && std::find(options.gates.begin(), options.gates.end(), Gate::kDeterminism) != options.gates.end();
  std::string require = Value(raw, "--require");
  if (!require.empty()) options.require_proof = Choice<bool>("--require", require, {{"proof", true}});
  options.exact_constants = Choice<bool>("--constants", Value(raw, "--constants", "lift"), {{"lift", false}, {"exact", true}});
  std::string timeout = Value(raw, "--timeout");
  if (!timeout.empty()) options.timeout_seconds = ParseSeconds(timeout);
  std::string memory = Value(raw, "--memory");
  if (!memory.empty()) options.memory_bytes = ParseBytes(memory);
  std::string jobs = Value(raw, "--jobs", "1");
  std::optional<unsigned> job_count = ParseWhole<unsigned>(jobs);
  if (!job_count || *job_count < 1 || *job_count > 1024) Usage("--jobs: malformed " + Quote(jobs) + "; expected 1 to 1024");
  options.jobs = *job_count;
  std::string seed = Value(raw, "--seed", "1");
  std::optional<uint64_t> seed_value = ParseWhole<uint64_t>(seed);
  if (!seed_value) Usage("--seed: malformed " + Quote(seed) + "; expected an integer from 0");
  options.seed = *seed_value;
  options.json = Value(raw, "--json");
  options.sarif = Value(raw, "--sarif");
  options.quiet = raw.flags[RowOf("--quiet")];
  options.verbose = raw.flags[RowOf("--verbose")];
  if (options.quiet && options.verbose) Usage("--quiet and --verbose exclude each other");
  options.color = Choice<ColorMode>("--color", Value(raw, "--color", "auto"),
                                    {{"auto", ColorMode::kAuto}, {"always", ColorMode::kAlways}, {"never", ColorMode::kNever}});
  if (options.command == Command::kExplain) {
    options.cell = Value(raw, "--cell");
    if (options.cell.empty()) Usage("explain needs --cell, such as y[1,3]" + SeeHelp(entry));
    CheckCell(options.cell);
  }
  return options;
}

ParsedCommandLine Parse(const std::vector<std::string>& args) {
  ParsedCommandLine parsed;
  if (args.empty()) Usage("no command; expected check, inspect, explain, help or completion (racer --help)");
  const std::string& first = args[0];
  if (first == "--version") {
    if (args.size() > 1) Usage("--version takes no arguments");
    parsed.output = std::string("racer ") + kRacerVersion + "\n";
    return parsed;
  }
  if (first == "--help" || first == "-h" || (first == "help" && args.size() == 1)) {
    parsed.output = GeneralHelp();
    return parsed;
  }
  if (first == "completion") {
    parsed.output = args.size() == 2 && (args[1] == "--help" || args[1] == "-h") ? CompletionHelp() : Completion(args);
    return parsed;
  }
  const std::string& name = first == "help" ? args[1] : first;
  if (first == "help" && args.size() == 2 && (name == "help" || name == "--help" || name == "-h" || name == "completion")) {
    parsed.output = name == "completion" ? CompletionHelp() : GeneralHelp();
    return parsed;
  }
  bool help =
      first == "help" || std::any_of(args.begin() + 1, args.end(), [](const std::string& arg) { return arg == "--help" || arg == "-h"; });
  if (first == "help" && args.size() > 2) Usage("help takes one command");
  if (std::find(kLater.begin(), kLater.end(), name) != kLater.end()) {
    if (!help) Usage("command " + Quote(name) + " is not in this version");
    parsed.output = "racer " + name + " is planned and not in this version (docs/interface.md)\n\n" + GeneralHelp();
    return parsed;
  }
  const CommandEntry* entry = FindCommand(name);
  if (entry == nullptr) Usage("unknown command " + Quote(name) + "; expected check, inspect, explain, help or completion (racer --help)");
  if (help) {
    parsed.output = CommandHelp(*entry);
    return parsed;
  }
  RawOptions raw;
  try {
    RunCli11(*entry, args, raw);
  } catch (const CLI::RequiredError&) {
    Usage(std::string(entry->name) + " needs a PTX file" + SeeHelp(*entry));
  } catch (const CLI::Error& error) {
    std::string message = error.what();
    Usage(message.substr(0, message.find('\n')) + SeeHelp(*entry));
  }
  parsed.options = Interpret(*entry, raw);
  return parsed;
}

// The value of --json, whatever else is wrong.
std::string FindJson(const std::vector<std::string>& args) {
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i] == "--json" && i + 1 < args.size()) return args[i + 1];
    if (args[i].rfind("--json=", 0) == 0) return args[i].substr(7);
  }
  return "";
}

}  // namespace

const std::vector<Gate>& DefaultGates() {
  static const auto* gates = new std::vector<Gate>{Gate::kParse, Gate::kLaunch,   Gate::kBounds,      Gate::kInit,       Gate::kRace,
                                                   Gate::kSync,  Gate::kPreserve, Gate::kEquivalence, Gate::kDeterminism};
  return *gates;
}

ParsedCommandLine ParseCommandLine(int argc, const char* const* argv) {
  std::vector<std::string> args;
  for (int i = 1; i < argc; ++i) args.emplace_back(argv[i]);
  ParsedCommandLine parsed;
  try {
    parsed = Parse(args);
  } catch (const UsageError& error) {
    parsed.output = error.message;
  } catch (const std::exception& error) {
    parsed.output = error.what();
  }
  if (!parsed.output.empty() && parsed.output.back() != '\n') {
    parsed.output = "racer: " + EscapeForTerminal(parsed.output) + "\n";
    parsed.exit_status = 3;
  }
  if (parsed.options.has_value() && argc > 0 && argv[0][0] != '\0') parsed.options->program = argv[0];
  parsed.json = FindJson(args);
  return parsed;
}

}  // namespace racer

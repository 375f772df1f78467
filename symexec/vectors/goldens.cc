#include "symexec/vectors/goldens.h"

#include <charconv>
#include <fstream>
#include <map>
#include <string_view>

#include "base/check.h"

namespace racer {
namespace {

[[noreturn]] void Bad(const std::string& path, int line, std::string_view why) {
  InternalError(__FILE__, __LINE__, path + ":" + std::to_string(line) + ": " + std::string(why));
}

// The next word of `rest`, which is shortened; empty at the end.
std::string_view TakeWord(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  const std::string_view word = rest.substr(0, rest.find(' '));
  rest.remove_prefix(word.size());
  return word;
}

}  // namespace

VectorFile ReadVectors(const std::string& path) {
  VectorFile file;
  std::map<std::string, size_t, std::less<>> sets;
  std::ifstream stream(path);
  if (!stream) Bad(path, 0, "cannot be read");
  int line_number = 0;
  const auto pattern = [&](std::string_view text) {
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (error != std::errc() || end != text.data() + text.size()) Bad(path, line_number, "a hexadecimal pattern is expected");
    return value;
  };
  for (std::string line; std::getline(stream, line);) {
    ++line_number;
    std::string_view rest = line;
    if (rest.empty() || rest[0] == '#') continue;
    if (rest[0] == ' ') {
      if (file.operands.empty()) Bad(path, line_number, "operands without a set");
      TakeWord(rest);  // the type
      std::vector<uint64_t>& column = file.operands.back().emplace_back();
      for (std::string_view word; !(word = TakeWord(rest)).empty();) column.push_back(pattern(word));
      if (column.size() != file.operands.back()[0].size()) Bad(path, line_number, "as many values as in the first line are expected");
      continue;
    }
    const std::string_view name = TakeWord(rest);
    const std::string_view set = TakeWord(rest);
    if (name == "operands") {
      if (!sets.emplace(set, file.operands.size()).second) Bad(path, line_number, "a second set of this name");
      file.operands.emplace_back();
      continue;
    }
    const auto found = sets.find(set);
    if (found == sets.end()) Bad(path, line_number, "an unknown set of operands");
    FormVectors form{.name = std::string(name), .operands = found->second, .results = {}};
    for (std::string_view word; !(word = TakeWord(rest)).empty();) {
      std::vector<uint64_t>& results = form.results.emplace_back();
      while (true) {
        const size_t slash = word.find('/');
        results.push_back(pattern(word.substr(0, slash)));
        if (slash == word.npos) break;
        word.remove_prefix(slash + 1);
      }
    }
    if (form.results.size() != file.operands[form.operands][0].size()) Bad(path, line_number, "one result for each vector is expected");
    file.forms.push_back(std::move(form));
  }
  return file;
}

}  // namespace racer

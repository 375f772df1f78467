// What is wrong with the launches that come close.
#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include "checker/infer_trial.h"
#include "checker/report.h"

namespace racer {
namespace {

constexpr int64_t kMostMissed = 8;  // cells too many or too few that still look like a slip

}  // namespace

std::string PlacesOf(const Finding& finding) {
  std::string text;
  for (const Where& where : finding.where) {
    text += (text.empty() ? " at " : " against ") + where.file + ":" + std::to_string(where.line) + " `" + where.text + "`";
  }
  return text;
}

void LaunchSearch::NoteFault(const TrialOutcome& outcome) {
  if (fault_ || outcome.run.findings.empty()) return;
  const Finding& finding = outcome.run.findings.front();
  std::string message = finding.message;
  for (size_t at = 0; (at = message.find(kBufferMark, at)) != std::string::npos;) message.erase(at, kBufferMark.size());
  fault_ = Fault{finding.gate,
                 finding.where.empty() ? 0 : finding.where.front().line,
                 {std::string(GateName(finding.gate)) + PlacesOf(finding) + ": " + message, 0}};
}

void LaunchSearch::NoteMiss(const LaunchForm& launch, size_t steps) {
  // A single CTA writes what it can of a kernel for many.
  if (miss_.what.empty() || (launch.grid.over == 0 && launch.grid_y.over == 0 && subject_.facts->grid_index)) return;
  miss_.steps += steps;
  if (miss_.steps == 0 || (furthest_ && std::pair(miss_.steps, -miss_.off) <= std::pair(furthest_->first.steps, -furthest_->first.off)))
    return;
  furthest_.emplace(miss_, launch);
}

std::optional<NearMiss> LaunchSearch::Furthest() const {
  if (!furthest_) return std::nullopt;
  return NearMiss{furthest_->second, furthest_->first.what};
}

std::string LaunchSearch::FaultText(const TrialOutcome& outcome, const Sizes& sizes) const {
  if (outcome.run.findings.empty()) return "does not end at " + SizesText(sizes) + " (" + outcome.run.reason + ")";
  const Finding& finding = outcome.run.findings.front();
  return "breaks the rule " + std::string(GateName(finding.gate)) + PlacesOf(finding) + " at " + SizesText(sizes);
}

void LaunchSearch::CountFault() {
  if (!fault_) return;
  auto known = std::find_if(faults_.begin(), faults_.end(),
                            [&](const Fault& fault) { return fault.gate == fault_->gate && fault.line == fault_->line; });
  if (known == faults_.end()) known = faults_.insert(faults_.end(), *fault_);
  ++known->common.launches;
}

std::vector<CommonFault> LaunchSearch::Common() const {
  constexpr size_t kShown = 2;
  uint64_t all = 0;
  std::vector<CommonFault> common;
  for (const Fault& fault : faults_) {
    all += fault.common.launches;
    common.push_back(fault.common);
  }
  if (2 * all < tried_) return {};
  std::stable_sort(common.begin(), common.end(), [](const CommonFault& a, const CommonFault& b) { return a.launches > b.launches; });
  if (common.size() > kShown) common.resize(kShown);
  return common;
}

bool LaunchSearch::OnlyRaces(const LaunchForm& launch, Reading* known) {
  Reading& reading = *known;
  std::vector<Sizes> shapes = ShapesFor(launch);
  for (size_t i = 0; i < shapes.size(); ++i) {
    Reading here;
    if (Cover(launch, shapes[i], /*check_races=*/false, &here) != Coverage::kYes || (i > 0 && here != reading)) return false;
    reading = std::move(here);
  }
  // A launch that leaves a size out (a single CTA for a kernel of a row a CTA) is not meant.
  if (!ShrinkInputs(launch, shapes.front(), /*check_races=*/false, &reading)) return false;
  SizeMask used = 0;
  for (SizeMask extent : reading.extents) used |= extent;
  return used == (1u << size_count()) - 1;
}

std::optional<Survivor> LaunchSearch::RacesAlways() {
  // All of them at one line: else other launches may have other faults, or none.
  std::set<int> shared;
  for (const DoubtfulLaunch& launch : doubtful_) {
    if (!launch.race) return std::nullopt;
    std::set<int> lines;
    for (const Where& where : launch.places) {
      if (&launch == &doubtful_.front() || shared.contains(where.line)) lines.insert(where.line);
    }
    shared = std::move(lines);
  }
  if (shared.empty()) return std::nullopt;
  // A kernel for multiples of a CTA's size may race at all others.
  const bool two = size_count() == 2;
  for (const Sizes& sizes : two ? std::vector<Sizes>{{64, 1024}, {1024, 64}} : std::vector<Sizes>{{1024, 1}, {4096, 1}}) {
    race_.reset();
    Run(doubtful_.front().launch, sizes, Roomy(sizes));
    if (!stopped_.empty() || !race_ ||
        std::none_of(race_->where.begin(), race_->where.end(), [&](const Where& where) { return shared.contains(where.line); })) {
      return std::nullopt;
    }
  }
  Survivor survivor;
  survivor.launch = doubtful_.front().launch;
  if (!OnlyRaces(survivor.launch, &survivor.reading)) return std::nullopt;
  // What is undefined because of the race does not tell which outputs are read.
  size_t next = 0;
  for (const ParameterFacts& parameter : subject_.facts->parameters) {
    if (parameter.kind != ParameterFacts::Kind::kPointer) continue;
    Role& role = survivor.reading.roles[next++];
    if (role == Role::kOut && parameter.loaded) role = Role::kInout;
  }
  survivor.slow.assign(survivor.reading.extents.size(), -1);
  return survivor;
}

// The sizes whose product is what a buffer has, but for a few cells; 0 for no such sizes.
std::vector<SizeMask> LaunchSearch::NearlyWritten(const LaunchForm& launch, const Sizes& sizes, int64_t* off) {
  RunOptions options = Roomy(sizes);
  options.check_races = false;
  TrialOutcome outcome = Run(launch, sizes, options);
  std::vector<SizeMask> masks;
  if (!outcome.Clean()) return masks;
  for (const std::vector<CellValue>& cells : outcome.cells) {
    auto written = [](const CellValue& cell) { return cell.state != CellValue::State::kUnwritten; };
    const int64_t count = std::count_if(cells.begin(), cells.end(), written);
    masks.push_back(0);
    if (count == 0) continue;
    // The largest product: with few rows a row and a bit is also near a row.
    for (unsigned bits = 1; bits < (1u << size_count()); ++bits) {
      const auto mask = static_cast<SizeMask>(bits);
      const int64_t difference = count - ProductOf(mask, sizes);
      const int64_t distance = std::abs(difference);
      // Of a matrix a row or a column more or less is as likely a slip.
      const bool row = mask == 3 && (distance == sizes[0] || distance == sizes[1]);
      if (distance > kMostMissed && !row) continue;
      masks.back() = mask;
      if (difference != 0) *off = difference;
    }
    if (masks.back() == 0 || !std::all_of(cells.begin(), cells.begin() + count, written)) return {};
  }
  return masks;
}

std::optional<NearMiss> LaunchSearch::Nearest() {
  for (const LaunchForm& launch : Launches()) {
    if (!stopped_.empty()) return std::nullopt;
    if (launch.grid.most != 0 || launch.grid.over == 0) continue;
    std::vector<Sizes> shapes = ShapesFor(launch);
    // The first shape is too small to tell a size from a product; small ones first, which most launches do not pass.
    std::vector<SizeMask> masks;
    Sizes shown{};
    int64_t off = 0;
    for (size_t i = 1; i < shapes.size(); ++i) {
      int64_t here = 0;
      std::vector<SizeMask> written = NearlyWritten(launch, shapes[i], &here);
      if (written.empty() || (!masks.empty() && written != masks)) {
        masks.clear();
        break;
      }
      masks = std::move(written);
      if (here == 0 || off != 0) continue;
      off = here;
      shown = shapes[i];
    }
    if (off == 0 || std::all_of(masks.begin(), masks.end(), [](SizeMask mask) { return mask == 0; })) continue;
    if (off < 0) return NearMiss{launch, "leaves " + std::to_string(-off) + " cell" + (off == -1 ? "" : "s") + " of an output unwritten"};
    RunOptions options = Roomy(shown);
    options.check_races = false;
    for (size_t i = 0; i < masks.size(); ++i) {
      if (masks[i] != 0) options.elements[i] = ProductOf(masks[i], shown);
    }
    TrialOutcome outcome = Run(launch, shown, options);
    if (outcome.run.findings.empty() || outcome.run.findings.front().gate != Gate::kBounds) continue;
    return NearMiss{launch, "leaves a tensor" + PlacesOf(outcome.run.findings.front())};
  }
  return std::nullopt;
}

}  // namespace racer

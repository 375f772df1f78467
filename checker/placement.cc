#include "checker/placement.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace racer {
namespace {

constexpr uint64_t kAligned = 256;  // what cudaMalloc promises
constexpr uint64_t kPage = uint64_t{2} << 20;
constexpr uint64_t kWidest = 16;  // bytes of the widest access: residues below it matter to peeled loops

class Lister {
 public:
  explicit Lister(const Contract& contract) {
    for (const TensorSpec& tensor : contract.tensors) usual_.push_back(tensor.align);
    seen_.emplace(usual_, false, false);
    least_ = usual_.empty() ? 1 : *std::min_element(usual_.begin(), usual_.end());
  }

  Placements Run() {
    Placements result;
    const std::string aligned = "aligned to " + std::to_string(kAligned) + " bytes";
    const std::string last_first = ", the last tensor first";
    Add(result.always, Alternating(kAligned, kAligned), true, true, "every tensor " + aligned + last_first);
    Add(result.always, Alternating(kAligned, 0), false, false, "every other tensor " + aligned);
    Add(result.always, Alternating(0, kAligned), true, false, "every other tensor " + aligned + ", not the first" + last_first);
    Add(result.further, Alternating(0, 0), true, false, "every tensor aligned as granted" + last_first);
    for (uint64_t phase = least_; phase < kWidest; phase += least_) {
      Add(result.further, Alternating(phase, phase), false, false,
          "every tensor at " + std::to_string(phase) + " bytes past a multiple of " + std::to_string(kAligned));
    }
    for (uint64_t align = kWidest; align <= kAligned; align *= 2) {
      Add(result.further, Alternating(align, align), false, false, "every tensor aligned to " + std::to_string(align) + " bytes");
    }
    Add(result.further, Alternating(kPage, kPage), false, false, "every tensor aligned to 2 MiB");
    return result;
  }

 private:
  std::vector<uint64_t> Alternating(uint64_t even, uint64_t odd) const {
    std::vector<uint64_t> phases;
    for (size_t i = 0; i < usual_.size(); ++i) {
      const uint64_t align = usual_[i], wanted = std::max<uint64_t>(i % 2 == 0 ? even : odd, 1);
      phases.push_back((wanted + align - 1) / align * align);
    }
    return phases;
  }
  void Add(std::vector<Placement>& list, std::vector<uint64_t> phases, bool descending, bool across, std::string text) {
    if (!seen_.emplace(phases, descending && usual_.size() > 1, across).second) return;
    list.push_back({std::move(phases), descending, across, std::move(text)});
  }

  std::vector<uint64_t> usual_;
  uint64_t least_ = 1;
  std::set<std::tuple<std::vector<uint64_t>, bool, bool>> seen_;
};

}  // namespace

Placements OtherPlacements(const Contract& contract) { return Lister(contract).Run(); }

}  // namespace racer

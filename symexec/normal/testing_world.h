// A store, an algebra and canonicalizers of every sort over it, for tests.
#ifndef RACER_SYMEXEC_NORMAL_TESTING_WORLD_H_
#define RACER_SYMEXEC_NORMAL_TESTING_WORLD_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "symexec/normal/algebra.h"
#include "symexec/normal/canonical.h"
#include "symexec/normal/testing.h"

namespace racer::normal {

enum class How : uint8_t { kStrict, kLifted, kSums };

struct World : Terms {
  PolyId Form(TermId t, How how = How::kStrict) {
    std::string why;
    PolyId form = (how == How::kLifted ? lifted : how == How::kSums ? sums : strict).Normalize(t, &why).poly;
    EXPECT_NE(form, kNoPoly) << store.ToString(t) << ": " << why;
    return form;
  }
  Algebra algebra{Limits{}};
  Shared shared{store, ranges, algebra};
  FewConstants table;
  Canonicalizer strict{shared, nullptr, false}, lifted{shared, &table, false}, sums{shared, nullptr, true};
};

}  // namespace racer::normal

#endif  // RACER_SYMEXEC_NORMAL_TESTING_WORLD_H_

// Canonical forms as readable mathematics.
#ifndef RACER_SYMEXEC_NORMAL_DESCRIBE_H_
#define RACER_SYMEXEC_NORMAL_DESCRIBE_H_

#include <string>

#include "symexec/normal/algebra.h"
#include "symexec/normal/canonical.h"

namespace racer::normal {

// "x[0]*w[0]*sqrt(...)/(...)", cut to about max_terms terms at every level and to four levels.
std::string DescribeForm(const Shared& shared, PolyId form, size_t max_terms);

// Whether a denominator in the form holds a root, a magnitude or a power of 2, so that free values for them prove no difference.
bool HasRelatedInInverse(const Algebra& algebra, PolyId form);

}  // namespace racer::normal

#endif  // RACER_SYMEXEC_NORMAL_DESCRIBE_H_

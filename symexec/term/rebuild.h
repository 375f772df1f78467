// The same operation on other operands.
#ifndef RACER_SYMEXEC_TERM_REBUILD_H_
#define RACER_SYMEXEC_TERM_REBUILD_H_

#include "symexec/term/term.h"

namespace racer {

// The term `id` with operands a, b, c (as many as it has), made by the constructor of its kind and simplified like any other.
// Operands have the sorts, widths and formats of the ones that they replace. A leaf is itself.
TermId Rebuild(TermStore& store, TermId id, TermId a, TermId b = kNoTerm, TermId c = kNoTerm);

// The same of a term of another store, whose operands were made anew in `store`; of its leaves, constants alone can be.
TermId RebuildIn(TermStore& store, const TermStore& from, TermId id, TermId a, TermId b = kNoTerm, TermId c = kNoTerm);

}  // namespace racer

#endif  // RACER_SYMEXEC_TERM_REBUILD_H_

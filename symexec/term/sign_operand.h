// Operations whose value jumps, or ends, where an operand changes its sign.
#ifndef RACER_SYMEXEC_TERM_SIGN_OPERAND_H_
#define RACER_SYMEXEC_TERM_SIGN_OPERAND_H_

#include <optional>

#include "symexec/term/term.h"

namespace racer {

// The operand whose sign, or being zero, decides over a quotient, a root, a logarithm or copysign; nullopt for other terms.
std::optional<unsigned> SignOperand(const TermStore& store, TermId id);

}  // namespace racer

#endif  // RACER_SYMEXEC_TERM_SIGN_OPERAND_H_

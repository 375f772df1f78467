#include "symexec/normal/describe.h"

#include <cstdlib>

#include "base/check.h"

namespace racer::normal {
namespace {

constexpr int kLevels = 4;

std::string Print(const Shared& shared, PolyId form, size_t max_terms, int level);

std::string PrintAtom(const Shared& shared, const Atom& atom, size_t max_terms, int level) {
  auto arguments = [&] {
    std::string text;
    for (size_t i = 0; i < atom.args.size(); ++i) {
      if (i > 0) text += ", ";
      if (i >= max_terms) return text + "...";
      text += Print(shared, PolyId{atom.args[i]}, max_terms, level + 1);
    }
    return text;
  };
  switch (atom.kind) {
    case AtomKind::kInput: return shared.store.InputName(shared.store.input_symbol(atom.term), shared.store.input_index(atom.term));
    case AtomKind::kSqrt: return "sqrt(" + Print(shared, atom.poly, max_terms, level + 1) + ")";
    case AtomKind::kAbs: return "abs(" + Print(shared, atom.poly, max_terms, level + 1) + ")";
    case AtomKind::kSum:
    case AtomKind::kInverse: return "(" + Print(shared, atom.poly, max_terms, level + 1) + ")";
    case AtomKind::kPower: return "2^(" + Print(shared, atom.poly, max_terms, level + 1) + ")";
    case AtomKind::kLog: return "log2(" + Print(shared, atom.poly, max_terms, level + 1) + ")";
    case AtomKind::kConstant: return atom.function == static_cast<uint32_t>(NamedConstant::kPi) ? "pi" : "log2(e)";
    case AtomKind::kMax: return "max(" + arguments() + ")";
    case AtomKind::kFunction: return shared.function_names[atom.function] + "(" + arguments() + ")";
    case AtomKind::kIte: return "select(..., " + arguments() + ")";
    case AtomKind::kOpaque: return "value(" + shared.store.ToString(atom.term, 6) + ")";
  }
  RACER_UNREACHABLE(atom.kind);
}

std::string Print(const Shared& shared, PolyId form, size_t max_terms, int level) {
  const Algebra& algebra = shared.algebra;
  if (form == kZero) return "0";
  if (level >= kLevels) return "...";
  std::string text;
  size_t shown = 0;
  for (size_t i = 0; i < algebra.size(form); ++i) {
    if (shown++ == max_terms) return text + " + ... (" + std::to_string(algebra.size(form)) + " terms)";
    Rational c = algebra.coefficients(form)[i];
    text += i == 0 ? (c.Sign() < 0 ? "-" : "") : (c.Sign() < 0 ? " - " : " + ");
    if (c.Sign() < 0) c = -c;
    std::string top, bottom;
    for (const AtomPower& p : algebra.mono(algebra.monos(form)[i])) {
      std::string factor = PrintAtom(shared, algebra.atom(p.atom), max_terms, level);
      int32_t e = std::abs(p.exponent);
      if (e != 1) factor += "^" + std::to_string(e);
      if (p.exponent < 0)
        bottom += "/" + factor;
      else
        top += (top.empty() ? "" : "*") + factor;
    }
    if (top.empty())
      text += c.ToString();
    else
      text += c.IsOne() ? top : c.ToString() + "*" + top;
    text += bottom;
  }
  return text;
}

}  // namespace

std::string DescribeForm(const Shared& shared, PolyId form, size_t max_terms) { return Print(shared, form, max_terms, 0); }

bool HasRelatedInInverse(const Algebra& algebra, PolyId form) {
  for (MonoId m : algebra.monos(form)) {
    for (const AtomPower& p : algebra.mono(m)) {
      if (algebra.atom(p.atom).deep_related) return true;
    }
  }
  return false;
}

}  // namespace racer::normal

// Readable one-line forms of terms.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "base/check.h"
#include "symexec/term/term.h"
#include "symexec/term/widen.h"

namespace racer {
namespace {

std::string_view RoundingName(Rounding rounding) {
  switch (rounding) {
    case Rounding::kNone:
    case Rounding::kRn: return "";
    case Rounding::kRz: return ".rz";
    case Rounding::kRm: return ".rm";
    case Rounding::kRp: return ".rp";
    case Rounding::kRna: return ".rna";
    case Rounding::kRs: return ".rs";
    case Rounding::kRni: return ".rni";
    case Rounding::kRzi: return ".rzi";
    case Rounding::kRmi: return ".rmi";
    case Rounding::kRpi: return ".rpi";
  }
  RACER_UNREACHABLE(rounding);
}

// Empty for a kind that is printed infix.
std::string_view FunctionName(FpKind kind) {
  switch (kind) {
    case FpKind::kAdd:
    case FpKind::kSub:
    case FpKind::kMul:
    case FpKind::kFma:
    case FpKind::kDiv:
    case FpKind::kNeg: return "";
    case FpKind::kAbs: return "abs";
    case FpKind::kMin: return "min";
    case FpKind::kMax: return "max";
    case FpKind::kCopySign: return "copysign";
    case FpKind::kRcp: return "rcp";
    case FpKind::kSqrt: return "sqrt";
    case FpKind::kRsqrt: return "rsqrt";
    case FpKind::kEx2: return "ex2";
    case FpKind::kLg2: return "lg2";
    case FpKind::kSin: return "sin";
    case FpKind::kCos: return "cos";
    case FpKind::kTanh: return "tanh";
    case FpKind::kExp: return "exp";
    case FpKind::kLog: return "log";
    case FpKind::kErf: return "erf";
    case FpKind::kPow: return "pow";
    case FpKind::kRoundInt: return "round";
  }
  RACER_UNREACHABLE(kind);
}

std::string_view CompareSign(CompareOp op) {
  switch (op) {
    case CompareOp::kEq: return " == ";
    case CompareOp::kNe: return " <> ";
    case CompareOp::kLt: return " < ";
    case CompareOp::kLe: return " <= ";
    case CompareOp::kEqu: return " ==u ";
    case CompareOp::kNeu: return " != ";
    case CompareOp::kLtu: return " <u ";
    case CompareOp::kLeu: return " <=u ";
    case CompareOp::kNum: return " num ";
    case CompareOp::kNan: return " nan ";
    case CompareOp::kNone:
    case CompareOp::kGt:
    case CompareOp::kGe:
    case CompareOp::kGtu:
    case CompareOp::kGeu:
    case CompareOp::kLo:
    case CompareOp::kLs:
    case CompareOp::kHi:
    case CompareOp::kHs: break;
  }
  RACER_UNREACHABLE(op);
}

std::string Hex(uint64_t bits) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(bits));
  return text;
}

std::string FloatConstant(FpFormat format, uint64_t bits) {
  std::optional<Dyadic> d = Decode(format, bits);
  if (!d) return std::string(Spelling(format)) + ":" + Hex(bits);
  // Few enough digits to read; small integers and halves print exactly.
  double value = Rational::Dyadic(static_cast<int64_t>(d->mantissa), d->exponent).ToDouble();
  char text[40];
  for (int digits = 6; digits <= 17; ++digits) {
    std::snprintf(text, sizeof text, "%s%.*g", d->negative ? "-" : "", digits, value);
    const bool same = format == FpFormat::kF64 ? std::abs(std::strtod(text, nullptr)) == value
                                               : std::abs(std::strtof(text, nullptr)) == static_cast<float>(value);
    if (same) break;
  }
  return text;
}

}  // namespace

std::string TermStore::InputName(SymbolId symbol, uint32_t index) const {
  const Symbol& s = this->symbol(symbol);
  if (s.shape.empty() && index == 0) return s.name;
  std::vector<uint64_t> at;
  uint64_t rest = index;
  for (size_t i = s.shape.size(); i-- > 0;) {
    uint64_t size = s.shape[i] == 0 ? 1 : s.shape[i];
    at.insert(at.begin(), i == 0 ? rest : rest % size);
    rest /= size;
  }
  if (at.empty()) at.push_back(index);
  std::string text = s.name + "[";
  for (size_t i = 0; i < at.size(); ++i) text += (i == 0 ? "" : ",") + std::to_string(at[i]);
  return text + "]";
}

std::string TermStore::ToString(TermId id, size_t max_nodes) const {
  // A stack of things still to print: text, or a term.
  struct Item {
    std::string text;
    TermId term = kNoTerm;
  };
  std::vector<Item> stack;
  std::string out;
  size_t operators = 0;
  auto push = [&stack](std::initializer_list<Item> items) {
    for (const Item* i = items.end(); i != items.begin();) stack.push_back(*--i);
  };
  push({{"", id}});
  while (!stack.empty()) {
    Item item = std::move(stack.back());
    stack.pop_back();
    if (item.term == kNoTerm) {
      out += item.text;
      continue;
    }
    const TermId t = item.term;
    const TermNode& n = node(t);
    if (arity(t) > 0 && ++operators > max_nodes) {
      out += "...";
      continue;
    }
    const TermId a{n.a}, b{n.b}, c{n.c};
    auto call = [&](std::string name) {
      unsigned count = arity(t);
      push({{std::move(name) + "("},
            {"", a},
            {count > 1 ? ", " : ""},
            {"", count > 1 ? b : kNoTerm},
            {count > 2 ? ", " : ""},
            {"", count > 2 ? c : kNoTerm},
            {")"}});
    };
    auto infix = [&](std::string sign) { push({{"("}, {"", a}, {std::move(sign)}, {"", b}, {")"}}); };
    switch (n.kind) {
      case TermKind::kBvConst: out += const_bits(t) < 10000 ? std::to_string(const_bits(t)) : Hex(const_bits(t)); break;
      case TermKind::kBvInput:
      case TermKind::kFpInput: out += InputName(input_symbol(t), input_index(t)); break;
      case TermKind::kUndef: out += "undef#" + std::to_string(undef_cause(t)); break;
      case TermKind::kFpConst: out += FloatConstant(format(t), const_bits(t)); break;
      case TermKind::kFpReal: out += real_value(t).ToString(); break;
      case TermKind::kBvAdd: infix(" + "); break;
      case TermKind::kBvSub: infix(" - "); break;
      case TermKind::kBvMul: infix(" * "); break;
      case TermKind::kBvUDiv: infix(" /u "); break;
      case TermKind::kBvURem: infix(" %u "); break;
      case TermKind::kBvSDiv: infix(" /s "); break;
      case TermKind::kBvSRem: infix(" %s "); break;
      case TermKind::kBvAnd: infix(" & "); break;
      case TermKind::kBvOr: infix(" | "); break;
      case TermKind::kBvXor: infix(" ^ "); break;
      case TermKind::kBvShl: infix(" << "); break;
      case TermKind::kBvLShr: infix(" >>u "); break;
      case TermKind::kBvAShr: infix(" >>s "); break;
      case TermKind::kBvEq: infix(" = "); break;
      case TermKind::kBvUlt: infix(" <u "); break;
      case TermKind::kBvSlt: infix(" <s "); break;
      case TermKind::kBvNot: push({{"~"}, {"", a}}); break;
      case TermKind::kBvIte:
      case TermKind::kFpIte: push({{"("}, {"", a}, {" ? "}, {"", b}, {" : "}, {"", c}, {")"}}); break;
      case TermKind::kBvExtract: push({{"", a}, {"{" + std::to_string(n.attr + n.width - 1) + ":" + std::to_string(n.attr) + "}"}}); break;
      case TermKind::kBvConcat: infix(" . "); break;
      case TermKind::kBvZExt: call("zext" + std::to_string(n.width)); break;
      case TermKind::kBvSExt: call("sext" + std::to_string(n.width)); break;
      case TermKind::kFpToBits: call("bits"); break;
      case TermKind::kBitsToFp: call(std::string(Spelling(format(t))) + ".of_bits"); break;
      case TermKind::kFpCompare: infix(std::string(CompareSign(compare_op(t)))); break;
      case TermKind::kFpToInt: call("to_" + std::string(Spelling(int_type(t))) + std::string(RoundingName(int_rounding(t)))); break;
      case TermKind::kIntToFp: call(std::string(Spelling(format(t))) + ".from_" + std::string(Spelling(int_type(t)))); break;
      case TermKind::kFpConvert: {
        FpAttr attr = fp_attr(t);
        call(std::string(Spelling(attr.format)) + std::string(RoundingName(attr.rounding)) + (attr.sat ? ".sat" : "") +
             (attr.satfinite ? ".satfinite" : "") + (attr.relu ? ".relu" : ""));
        break;
      }
      case TermKind::kFpUnary:
      case TermKind::kFpBinary:
      case TermKind::kFpTernary: {
        FpAttr attr = fp_attr(t);
        std::string suffix = std::string(RoundingName(attr.rounding)) + (attr.sat ? ".sat" : "") + (attr.relu ? ".relu" : "") +
                             (attr.xorsign ? ".xorsign" : "");
        FpKind kind = fp_kind(t);
        std::string_view name = FunctionName(kind);
        std::string sign = suffix.empty() ? " " : suffix + " ";
        if (!name.empty())
          call(std::string(name) + suffix);
        else if (kind == FpKind::kNeg)
          push({{"-" + suffix}, {"", a}});
        else if (kind == FpKind::kAdd)
          infix(" +" + sign);
        else if (kind == FpKind::kSub)
          infix(" -" + sign);
        else if (kind == FpKind::kMul)
          infix(" *" + sign);
        else if (kind == FpKind::kDiv)
          infix(" /" + sign);
        else
          push({{"("}, {"", a}, {" * "}, {"", b}, {" +" + sign}, {"", c}, {")"}});
        break;
      }
    }
  }
  return out;
}

}  // namespace racer

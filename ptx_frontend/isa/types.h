// Types, state spaces and modifiers, named as in the PTX ISA manual.
#ifndef RACER_PTX_FRONTEND_ISA_TYPES_H_
#define RACER_PTX_FRONTEND_ISA_TYPES_H_

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

namespace racer {

enum class ScalarType : uint8_t {
  kNone,
#define RACER_SCALAR_TYPE(name, spelling, bits, cls) k##name,
#include "ptx_frontend/isa/scalar_types.def"
};

enum class TypeClass : uint8_t { kUnsigned, kSigned, kBits, kFloat, kPredicate, kOpaque };

namespace type_internal {
struct Info {
  std::string_view spelling;
  unsigned bits;
  TypeClass cls;
};
constexpr TypeClass kClassU = TypeClass::kUnsigned, kClassS = TypeClass::kSigned, kClassB = TypeClass::kBits;
constexpr TypeClass kClassF = TypeClass::kFloat, kClassP = TypeClass::kPredicate, kClassO = TypeClass::kOpaque;
inline constexpr Info kInfo[] = {
    {"", 0, kClassO},  // kNone
#define RACER_SCALAR_TYPE(name, spelling, bits, cls) {spelling, bits, kClass##cls},
#include "ptx_frontend/isa/scalar_types.def"
};
}  // namespace type_internal

// "f32", without the dot.
constexpr std::string_view Spelling(ScalarType type) { return type_internal::kInfo[static_cast<size_t>(type)].spelling; }
constexpr std::optional<ScalarType> ScalarTypeFromSpelling(std::string_view spelling) {
  for (size_t i = 1; i < std::size(type_internal::kInfo); ++i) {
    if (type_internal::kInfo[i].spelling == spelling) return static_cast<ScalarType>(i);
  }
  return std::nullopt;
}
// 1 for .pred, 0 for kNone.
constexpr unsigned BitWidth(ScalarType type) { return type_internal::kInfo[static_cast<size_t>(type)].bits; }
constexpr TypeClass ClassOf(ScalarType type) { return type_internal::kInfo[static_cast<size_t>(type)].cls; }
constexpr bool IsFloat(ScalarType type) { return ClassOf(type) == TypeClass::kFloat; }
constexpr bool IsSigned(ScalarType type) { return ClassOf(type) == TypeClass::kSigned; }

namespace type_internal {
// A packed type is spelled as its element and "x2" or "x4".
struct PackedTable {
  ScalarType element[std::size(kInfo)] = {};
  constexpr PackedTable() {
    for (size_t i = 1; i < std::size(kInfo); ++i) {
      const std::string_view name = kInfo[i].spelling;
      if (name.ends_with("x2") || name.ends_with("x4")) element[i] = *ScalarTypeFromSpelling(name.substr(0, name.size() - 2));
    }
  }
};
inline constexpr PackedTable kPacked;
}  // namespace type_internal
// The element type of a packed type (.f16x2 -> .f16); kNone for a type that is not packed.
constexpr ScalarType PackedElement(ScalarType type) { return type_internal::kPacked.element[static_cast<size_t>(type)]; }
// A floating-point type of one value.
constexpr bool IsFloatScalar(ScalarType type) { return IsFloat(type) && PackedElement(type) == ScalarType::kNone; }

enum class StateSpace : uint8_t {
  kGeneric,  // no space written
  kReg,
  kSreg,
  kConst,
  kGlobal,
  kLocal,
  kParam,          // as written; also .param::entry
  kParamFunc,      // .param::func
  kShared,         // .shared and .shared::cta
  kSharedCluster,  // .shared::cluster
  kTex,
};
std::string_view Spelling(StateSpace space);

// IEEE roundings, and the integer roundings of cvt (manual: "Rounding Modifiers").
enum class Rounding : uint8_t { kNone, kRn, kRz, kRm, kRp, kRna, kRs, kRni, kRzi, kRmi, kRpi };

// Comparison operators of setp/set/slct; the second half compares unordered.
enum class CompareOp : uint8_t {
  kNone,
  kEq,
  kNe,
  kLt,
  kLe,
  kGt,
  kGe,
  kLo,
  kLs,
  kHi,
  kHs,
  kEqu,
  kNeu,
  kLtu,
  kLeu,
  kGtu,
  kGeu,
  kNum,
  kNan,
};
enum class BoolOp : uint8_t { kNone, kAnd, kOr, kXor };
enum class MulPart : uint8_t { kNone, kLo, kHi, kWide };
enum class ShuffleMode : uint8_t { kNone, kUp, kDown, kBfly, kIdx };
enum class VoteMode : uint8_t { kNone, kAll, kAny, kUni, kBallot };
enum class MatchMode : uint8_t { kNone, kAny, kAll };
enum class MemoryOrder : uint8_t { kWeak, kVolatile, kRelaxed, kAcquire, kRelease, kAcqRel, kSc, kMmio };
enum class Scope : uint8_t { kNone, kCta, kCluster, kGpu, kSys };
// testp: the class of values asked for.
enum class TestOp : uint8_t { kNone, kFinite, kInfinite, kNumber, kNotANumber, kNormal, kSubnormal };
// prmt modes.
enum class PermuteMode : uint8_t { kNone, kF4e, kB4e, kRc8, kEcl, kEcr, kRc16 };
// shf modes.
enum class FunnelMode : uint8_t { kNone, kClamp, kWrap };
// Operation of atom/red/redux/bar.red.
enum class ReduceOp : uint8_t { kNone, kAnd, kOr, kXor, kAdd, kInc, kDec, kMin, kMax, kExch, kCas, kPopc };

// The meaning of an instruction's modifiers. A modifier without a field here is in `other`
// of the instruction (cache hints, .sync, .aligned, .uni): it has no effect on values, or its
// record looks it up by name.
struct Mods {
  ScalarType type = ScalarType::kNone;   // .type; .dtype of cvt, set, mma
  ScalarType type2 = ScalarType::kNone;  // .stype/.atype: the source type where it differs
  Rounding rounding = Rounding::kNone;
  CompareOp compare = CompareOp::kNone;
  BoolOp combine = BoolOp::kNone;
  MulPart part = MulPart::kNone;
  ShuffleMode shuffle = ShuffleMode::kNone;
  VoteMode vote = VoteMode::kNone;
  MatchMode match = MatchMode::kNone;
  ReduceOp reduce = ReduceOp::kNone;
  PermuteMode permute = PermuteMode::kNone;
  FunnelMode funnel = FunnelMode::kNone;  // shf, szext, bmsk
  TestOp test = TestOp::kNone;
  StateSpace space = StateSpace::kGeneric;
  MemoryOrder order = MemoryOrder::kWeak;
  Scope scope = Scope::kNone;
  uint8_t vector = 1;  // .v2 .v4 .v8
  bool ftz = false;
  bool sat = false;
  bool approx = false;
  bool full = false;     // div.full
  bool nan = false;      // .NaN
  bool xorsign = false;  // .xorsign.abs
  bool abs = false;      // .abs of a min or max of three
  bool relu = false;
  bool satfinite = false;
  bool cc = false;          // sets the carry flag
  bool to = false;          // cvta.to
  bool shift_left = false;  // shf.l
  bool shiftamt = false;    // bfind.shiftamt
  bool nc = false;          // ld.global.nc

  friend bool operator==(const Mods&, const Mods&) = default;
};

}  // namespace racer

#endif  // RACER_PTX_FRONTEND_ISA_TYPES_H_

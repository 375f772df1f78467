// mma and wmma.mma of Core: D = A * B + C over the fragments of a warp.
#ifndef RACER_SYMEXEC_MACHINE_EXEC_MMA_H_
#define RACER_SYMEXEC_MACHINE_EXEC_MMA_H_

#include <algorithm>
#include <bit>
#include <cmath>

#include "ptx_frontend/isa/all.h"
#include "symexec/bits/matrix_sum.h"
#include "symexec/machine/core.h"
#include "symexec/term/term_domain.h"

namespace racer {

// The operands of one instruction, gathered from the lanes. Elements of .b1 count in words of 32.
struct MatrixTile {
  unsigned rows = 0, columns = 0;
  std::vector<Value> cells;

  size_t Index(unsigned block, unsigned row, unsigned column) const { return (size_t{block} * rows + row) * columns + column; }
  Value& At(unsigned block, unsigned row, unsigned column) { return cells[Index(block, row, column)]; }
};

// A row of A, a column of B and an element of C.
struct MatrixCell {
  std::vector<Value> a, b;
  std::vector<bits::MatrixNumber> products, scales;  // of a and b where they are bits; block scales
  Value c;
};

// Elements of a word of 32 bits count as one.
inline unsigned WordLength(const MatrixForm& form) { return form.a == MatrixElement::kB1 ? 32 : 1; }

template <class Traits>
MatrixTile Core<Traits>::GatherMatrix(const Decoded& in, const MatrixForm& form, MatrixForm::Operand which, const OperandRange& range) {
  using Operand = MatrixForm::Operand;
  const MatrixElement element = which == Operand::kA ? form.a : which == Operand::kB ? form.b : form.c;
  const unsigned word = which == Operand::kC ? 1 : WordLength(form);
  MatrixTile tile;
  tile.rows = which == Operand::kB ? form.k / word : form.m;
  tile.columns = which == Operand::kA ? form.stored_k() / word : form.n;
  tile.cells.resize(size_t{BlocksOf(form)} * tile.rows * tile.columns);
  const unsigned bits = word > 1 ? 32 : which == Operand::kC ? BitWidth(element) : form.bits_in_register(element);
  const unsigned width = std::max(bits, 32u), per = width / bits;
  const Source* sources = program_.sources.data() + range.first;
  std::vector<bool> seen(tile.cells.size());
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    for (unsigned reg = 0; reg < range.count; ++reg) {
      const Value value = Read(sources[reg], lane);
      for (unsigned j = 0; j < per; ++j) {
        const unsigned i = (reg * per + j) * word;
        MatrixPlace place = which == Operand::kA   ? PlaceInA(form, lane, i)
                            : which == Operand::kB ? PlaceInB(form, lane, i)
                                                   : PlaceInC(form, element, lane, i);
        if (word > 1) (which == Operand::kA ? place.column : place.row) /= static_cast<uint16_t>(word);
        const size_t index = tile.Index(place.block, place.row, place.column);
        const Value part = Slice(value, width, j * bits, bits);
        // The fragments of wmma hold some elements several times. An H200 computes with one copy; the manual does not say with which.
        if (seen[index] && !IsSameValue(part, tile.cells[index])) {
          Unsupported("a fragment that holds an element twice, with unlike values,", &in);
          return tile;
        }
        seen[index] = true;
        tile.cells[index] = part;
      }
    }
  }
  return tile;
}

template <class Traits>
bool Core<Traits>::IsSameValue(const Value& a, const Value& b) const {
  if constexpr (kField) {
    if (a.symbolic() && b.symbolic()) return a.term == b.term || store_->ValueHash(a.term) == store_->ValueHash(b.term);
  }
  return a.bits == b.bits && a.term == b.term;
}

// The logical column of every stored element of a sparse A, by row: two of every four (of a unit of two elements for 4 bits), or
// one of every two of .tf32. Lanes and bits as in the manual's figures of the metadata.
template <class Traits>
bool Core<Traits>::ReadMetadata(const Decoded& in, const MatrixInstruction& matrix, std::vector<uint16_t>* columns) {
  const MatrixForm& form = matrix.form;
  std::array<uint64_t, kWarpSize> words{};
  const auto gives = [&](unsigned lane) {
    std::array<uint64_t, kWarpSize> probe{};
    probe[lane] = LowMask(32);
    for (unsigned row = 0; row < form.m; ++row) {
      if (MetadataOfRow(form, probe, matrix.selector, row) != 0) return true;
    }
    return false;
  };
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    if (gives(lane) && !Control(program_.sources[matrix.metadata.first], lane, "sparsity metadata", &words[lane])) return false;
  }
  for (unsigned row = 0; row < form.m; ++row) {
    const uint64_t codes = MetadataOfRow(form, words, matrix.selector, row);
    for (unsigned s = 0; s < form.stored_k(); ++s) {
      const std::optional<unsigned> column = StoredColumn(form, codes, s);
      if (!column) {
        Unsupported("`" + in.instruction->FullName() + "` with metadata that the manual calls invalid", &in);
        return false;
      }
      columns->push_back(static_cast<uint16_t>(*column));
    }
  }
  return true;
}

// {byte-id, thread-id} of a scale: the same in all lanes.
template <class Traits>
bool Core<Traits>::ReadScaleIds(const Decoded& in, const OperandRange& ids, unsigned threads, unsigned bytes, unsigned* byte,
                                unsigned* thread) {
  uint64_t values[2] = {};
  for (unsigned i = 0; i < 2; ++i) {
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      uint64_t value = 0;
      if (!Control(program_.sources[ids.first + i], lane, "a scale's selector", &value)) return false;
      if (lane == 0) values[i] = value;
      if (value != values[i]) {
        Unsupported("`" + in.instruction->FullName() + "` with selectors of scales that differ between lanes", &in);
        return false;
      }
    }
  }
  if (values[0] % bytes != 0 || values[0] > 3 || values[1] >= threads) {
    Unsupported("`" + in.instruction->FullName() + "` with selectors of scales that the manual does not list", &in);
    return false;
  }
  *byte = static_cast<unsigned>(values[0]);
  *thread = static_cast<unsigned>(values[1]);
  return true;
}

// Scales by row of A (lane 4 (r mod 8) + r / 8 of the pair) or column of B (one lane of its four), chunk by chunk of k.
template <class Traits>
bool Core<Traits>::ReadScales(const Decoded& in, const MatrixInstruction& matrix, bool of_a, std::vector<bits::MatrixNumber>* scales) {
  const MatrixForm& form = matrix.form;
  const unsigned vectors = form.scale_vectors;
  unsigned byte = 0, thread = 0;
  if (!ReadScaleIds(in, of_a ? matrix.ids_a : matrix.ids_b, of_a ? 2 : 4, vectors, &byte, &thread)) return false;
  const Source& source = program_.sources[(of_a ? matrix.scale_a : matrix.scale_b).first];
  for (unsigned i = 0; i < (of_a ? form.m : form.n); ++i) {
    const unsigned lane = of_a ? 4 * (i % 8) + 2 * thread + i / 8 : 4 * i + thread;
    uint64_t word = 0;
    if (!Control(source, lane, "a block scale", &word)) return false;
    for (unsigned v = 0; v < vectors; ++v) scales->push_back(bits::DecodeElement(form, form.scale, word >> (8 * (byte + v)) & 0xff));
  }
  return true;
}

template <class Traits>
void Core<Traits>::MultiplyMatrices(const Decoded& in, const MatrixInstruction& matrix) {
  using Operand = MatrixForm::Operand;
  const MatrixForm& form = matrix.form;
  MatrixTile a = GatherMatrix(in, form, Operand::kA, matrix.a), b = GatherMatrix(in, form, Operand::kB, matrix.b);
  MatrixTile c = GatherMatrix(in, form, Operand::kC, matrix.c);
  if (stopped_) return;
  std::vector<uint16_t> columns;
  std::vector<bits::MatrixNumber> scales_a, scales_b;
  if (form.sparse && !ReadMetadata(in, matrix, &columns)) return;
  if (form.scale_vectors != 0 && (!ReadScales(in, matrix, true, &scales_a) || !ReadScales(in, matrix, false, &scales_b))) return;
  MatrixTile d{c.rows, c.columns, std::vector<Value>(c.cells.size())};
  const bool reals = !IsInteger(form.d) && form.d != MatrixElement::kF64;
  const auto decoded = [&](const MatrixTile& tile, MatrixElement element) {
    std::vector<bits::MatrixNumber> numbers;
    if (reals) {
      for (const Value& value : tile.cells) numbers.push_back(bits::DecodeElement(form, element, value.bits));
    }
    return numbers;
  };
  const std::vector<bits::MatrixNumber> numbers_a = decoded(a, form.a), numbers_b = decoded(b, form.b);
  MatrixCell cell;
  for (unsigned block = 0; block < BlocksOf(form); ++block) {
    for (unsigned row = 0; row < d.rows; ++row) {
      for (unsigned column = 0; column < d.columns; ++column) {
        cell.a.clear();
        cell.b.clear();
        cell.scales.clear();
        cell.products.clear();
        for (unsigned s = 0; s < a.columns; ++s) {
          const unsigned k = form.sparse ? columns[row * form.stored_k() + s] : s;
          cell.a.push_back(a.At(block, row, s));
          cell.b.push_back(b.At(block, k, column));
          if (reals) cell.products.push_back(bits::Product(numbers_a[a.Index(block, row, s)], numbers_b[b.Index(block, k, column)]));
          if (form.scale_vectors != 0) {
            const unsigned v = k * form.scale_vectors / form.k;
            cell.scales.push_back(bits::Product(scales_a[row * form.scale_vectors + v], scales_b[column * form.scale_vectors + v]));
            cell.products.back() = bits::Product(cell.products.back(), cell.scales.back());
          }
        }
        cell.c = c.At(block, row, column);
        d.At(block, row, column) = IsInteger(form.d) ? IntegerCell(form, cell) : RealCell(in, form, cell);
        if (stopped_) return;
      }
    }
  }
  const Dest* dests = program_.dests.data() + matrix.d.first;
  const unsigned bits = BitWidth(form.d), per = bits < 32 ? 32 / bits : 1;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    for (unsigned reg = 0; reg < matrix.d.count; ++reg) {
      std::array<Value, 2> parts;
      for (unsigned j = 0; j < per; ++j) {
        const MatrixPlace place = PlaceInC(form, form.d, lane, reg * per + j);
        parts[j] = d.At(place.block, place.row, place.column);
      }
      Write(dests[reg], lane, Join(parts.data(), per, bits));
    }
  }
}

template <class Traits>
bool Core<Traits>::IsConcrete(const MatrixCell& cell) const {
  if (!kSymbolic) return true;
  const auto concrete = [](const Value& value) { return !value.symbolic(); };
  return concrete(cell.c) && std::all_of(cell.a.begin(), cell.a.end(), concrete) && std::all_of(cell.b.begin(), cell.b.end(), concrete);
}

// Sums of products fit 32 bits, so only the addition of c wraps or saturates.
template <class Traits>
Value Core<Traits>::IntegerCell(const MatrixForm& form, const MatrixCell& cell) {
  const bool is_bits = form.a == MatrixElement::kB1;
  if (IsConcrete(cell)) {
    const auto extended = [](const Value& value, MatrixElement element) {
      const unsigned w = BitWidth(element);
      const uint64_t bits = value.bits & LowMask(w);
      return static_cast<int64_t>(IsSigned(element) ? SignExtend(bits, w, 64) : bits);
    };
    int64_t sum = 0;
    for (size_t i = 0; i < cell.a.size(); ++i) {
      if (is_bits) {
        const uint64_t x = form.bit_op == MatrixForm::BitOp::kXor ? cell.a[i].bits ^ cell.b[i].bits : cell.a[i].bits & cell.b[i].bits;
        sum += std::popcount(x & LowMask(32));
      } else {
        sum += extended(cell.a[i], form.a) * extended(cell.b[i], form.b);
      }
    }
    sum += extended(cell.c, MatrixElement::kS32);
    if (form.satfinite) sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
    return {.bits = static_cast<uint32_t>(sum)};
  }
  if constexpr (kSymbolic) {
    auto d = [this] {
      if constexpr (kField) {
        return Domain();
      } else {
        return TermDomain{*store_};
      }
    }();
    const auto extended = [&](const Value& value, MatrixElement element) {
      const unsigned w = BitWidth(element);
      const TermId term = ToTerm(value, w);
      return IsSigned(element) ? store_->SExt(32, term) : store_->ZExt(32, term);
    };
    Mods popc;
    popc.type = ScalarType::kB32;
    TermId sum = form.satfinite ? store_->BvConst(32, 0) : ToTerm(cell.c, 32);
    for (size_t i = 0; i < cell.a.size(); ++i) {
      TermId product;
      if (is_bits) {
        const TermKind op = form.bit_op == MatrixForm::BitOp::kXor ? TermKind::kBvXor : TermKind::kBvAnd;
        product = isa::Popc::Eval(d, popc, store_->Bv(op, 32, ToTerm(cell.a[i], 32), ToTerm(cell.b[i], 32)));
      } else {
        product = d.Mul(32, extended(cell.a[i], form.a), extended(cell.b[i], form.b));
      }
      sum = d.Add(32, sum, product);
    }
    if (!form.satfinite) return FromTerm(sum);
    return FromTerm(isa::ClampSigned(d, 64, 32, d.Add(64, d.SExt(32, 64, sum), d.SExt(32, 64, ToTerm(cell.c, 32)))));
  }
  RACER_UNREACHABLE(0);
}

inline FpFormat FormatOfElement(MatrixElement element) {
  switch (element) {
    case MatrixElement::kF16: return FpFormat::kF16;
    case MatrixElement::kBF16: return FpFormat::kBF16;
    case MatrixElement::kE4M3: return FpFormat::kE4M3;
    case MatrixElement::kE5M2: return FpFormat::kE5M2;
    case MatrixElement::kF32: return FpFormat::kF32;
    case MatrixElement::kF64: return FpFormat::kF64;
    case MatrixElement::kTF32: return FpFormat::kTF32;
    case MatrixElement::kE3M2: return FpFormat::kE3M2;
    case MatrixElement::kE2M3: return FpFormat::kE2M3;
    case MatrixElement::kE2M1: return FpFormat::kE2M1;
    case MatrixElement::kNone:
    case MatrixElement::kUE8M0:
    case MatrixElement::kUE4M3:
    case MatrixElement::kS32:
    case MatrixElement::kS8:
    case MatrixElement::kU8:
    case MatrixElement::kS4:
    case MatrixElement::kU4:
    case MatrixElement::kB1: break;
  }
  RACER_UNREACHABLE(static_cast<int>(element));
}

// The rounding of a sum's last step names the kind of instruction that made it: unlike instructions round unlike sums.
inline Rounding SumMark(const MatrixForm& form) {
  if (form.d == MatrixElement::kF64) return form.rounding;
  if (form.kind == MatrixForm::Kind::kFragmentMultiply) return Rounding::kRna;
  if (form.scale_vectors != 0) return form.sparse ? Rounding::kRpi : Rounding::kRmi;
  if (form.in_bytes) return form.sparse ? Rounding::kRzi : Rounding::kRni;
  return form.sparse ? Rounding::kRs : Rounding::kRn;
}

// A factor as a term of the accumulator's format.
template <class Traits>
TermId Core<Traits>::FactorTerm(const MatrixForm& form, MatrixElement element, const Value& value, FpFormat format) {
  if constexpr (kSymbolic && !kField) {
    FpAttr to;
    to.format = format;
    const auto widened = [&](FpFormat from) {
      const TermId term = store_->BitsToFp(from, ToTerm(value, FormatWidth(from)));
      return from == format ? term : store_->FpConvert(to, term);
    };
    // Below 8 bits: what pads a byte does not count.
    const auto small = [&](FpFormat from, unsigned lo, unsigned bits) {
      const TermId pattern = store_->Extract(bits, ToTerm(value, form.bits_in_register(element)), lo);
      return store_->FpConvert(to, store_->BitsToFp(from, store_->ZExt(FormatWidth(from), pattern)));
    };
    switch (element) {
      case MatrixElement::kF16: return widened(FpFormat::kF16);
      case MatrixElement::kBF16: return widened(FpFormat::kBF16);
      case MatrixElement::kE4M3: return widened(FpFormat::kE4M3);
      case MatrixElement::kE5M2: return widened(FpFormat::kE5M2);
      case MatrixElement::kF32: return widened(FpFormat::kF32);
      case MatrixElement::kF64: return widened(FpFormat::kF64);
      case MatrixElement::kTF32: {
        // What is no .tf32 yet is cut to one.
        const TermId bits = ToTerm(value, 32);
        const bool ready = store_->kind(bits) == TermKind::kFpToBits && store_->format(store_->operand(bits, 0)) == FpFormat::kTF32;
        if (ready) return store_->FpConvert(to, store_->operand(bits, 0));
        if (store_->IsConst(bits)) return store_->FpConst(format, store_->const_bits(bits) & ~uint64_t{0x1fff});
        FpAttr cut;
        cut.format = FpFormat::kTF32;
        cut.rounding = Rounding::kRz;
        return store_->FpConvert(to, store_->FpConvert(cut, store_->BitsToFp(FpFormat::kF32, bits)));
      }
      case MatrixElement::kE3M2: return small(FpFormat::kE3M2, 0, 6);
      case MatrixElement::kE2M3: return small(FpFormat::kE2M3, 0, 6);
      case MatrixElement::kE2M1: return small(FpFormat::kE2M1, form.in_bytes ? 2 : 0, 4);
      case MatrixElement::kNone:
      case MatrixElement::kUE8M0:
      case MatrixElement::kUE4M3:
      case MatrixElement::kS32:
      case MatrixElement::kS8:
      case MatrixElement::kU8:
      case MatrixElement::kS4:
      case MatrixElement::kU4:
      case MatrixElement::kB1: break;
    }
  }
  RACER_UNREACHABLE(static_cast<int>(element));
}

template <class Traits>
Value Core<Traits>::RealCell(const Decoded& in, const MatrixForm& form, const MatrixCell& cell) {
  const bool wide = form.d == MatrixElement::kF64;
  if (IsConcrete(cell)) {
    // In Term, bits stand for the reals: only where no order, width or rounding changes the sum.
    if (wide) {
      std::array<uint64_t, 16> a{}, b{};
      bool plain = bits::IsSmallInteger64(cell.c.bits);
      for (size_t i = 0; i < cell.a.size(); ++i) {
        a[i] = cell.a[i].bits;
        b[i] = cell.b[i].bits;
        plain = plain && bits::IsSmallInteger64(a[i]) && bits::IsSmallInteger64(b[i]);
      }
      if (!kSymbolic || plain)
        return {.bits = bits::SumProducts64(form, {a.data(), cell.a.size()}, {b.data(), cell.a.size()}, cell.c.bits)};
    } else {
      if (!kSymbolic || bits::IsPlainSum(form, cell.products, cell.c.bits))
        return {.bits = bits::SumProducts(form, cell.products, cell.c.bits)};
    }
  }
  if constexpr (kField) {
    // Elements below 8 bits are cut to what counts of them.
    const auto pattern = [&](const Value& value, MatrixElement element) {
      const unsigned lo = element == MatrixElement::kE2M1 && form.in_bytes ? 2 : 0;
      const unsigned bits = FormatWidth(FormatOfElement(element)) == 8 ? BitWidth(element) : FormatWidth(FormatOfElement(element));
      const TermId term = ToTerm(value, element == form.c ? bits : form.bits_in_register(element));
      return store_->Extract(bits, term, lo);
    };
    const FpFormat format = FormatOfElement(form.d);
    TermId sum = pattern(cell.c, form.c);
    FpFormat sum_format = FormatOfElement(form.c);
    for (size_t i = 0; i < cell.a.size(); ++i) {
      TermId a = pattern(cell.a[i], form.a);
      FpFormat a_format = FormatOfElement(form.a);
      if (!cell.scales.empty()) {
        if (cell.scales[i].kind != bits::MatrixNumber::Kind::kFinite) {
          Unsupported("`" + in.instruction->FullName() + "` with a block scale that is no number", &in);
          return {};
        }
        a = store_->Scaled(format, a_format, a, bits::ValueOf(cell.scales[i]));
        a_format = format;
      }
      sum = store_->MultiplyAdd(format, a_format, a, FormatOfElement(form.b), pattern(cell.b[i], form.b), sum_format, sum);
      sum_format = format;
    }
    return FromTerm(sum);
  } else if constexpr (kSymbolic) {
    // c + a0 * b0 + a1 * b1 + ... in the accumulator's format. The steps are `approx`: nothing knows how the sum is rounded.
    const bool half = form.c == MatrixElement::kF16 && form.d == MatrixElement::kF16;
    const FpFormat format = wide ? FpFormat::kF64 : half ? FpFormat::kF16 : FpFormat::kF32;
    FpAttr step;
    step.format = format;
    step.approx = true;
    TermId sum = FactorTerm(form, form.c, cell.c, format);
    for (size_t i = 0; i < cell.a.size(); ++i) {
      TermId a = FactorTerm(form, form.a, cell.a[i], format);
      const TermId b = FactorTerm(form, form.b, cell.b[i], format);
      step.rounding = i + 1 == cell.a.size() ? SumMark(form) : Rounding::kNone;
      if (!cell.scales.empty()) {
        FpAttr scaling = step;
        scaling.rounding = Rounding::kNone;
        if (cell.scales[i].kind != bits::MatrixNumber::Kind::kFinite) {
          Unsupported("`" + in.instruction->FullName() + "` with a block scale that is no number", &in);
          return {};
        }
        a = store_->Fp(FpKind::kMul, scaling, a, store_->FpReal(format, bits::ValueOf(cell.scales[i])));
      }
      sum = store_->Fp(FpKind::kFma, step, a, b, sum);
    }
    if (form.d == MatrixElement::kF16 && format != FpFormat::kF16) {
      FpAttr narrow;
      narrow.format = FpFormat::kF16;
      sum = store_->FpConvert(narrow, sum);
    }
    return FromTerm(store_->FpToBits(sum));
  }
  RACER_UNREACHABLE(0);
}

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_EXEC_MMA_H_

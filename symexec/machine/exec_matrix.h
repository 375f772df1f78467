// Warp-level matrix instructions of Core.
#ifndef RACER_SYMEXEC_MACHINE_EXEC_MATRIX_H_
#define RACER_SYMEXEC_MACHINE_EXEC_MATRIX_H_

#include "symexec/machine/core.h"

namespace racer {

// Bits lo..lo+bits-1 of a value of `width` bits.
template <class Traits>
Value Core<Traits>::Slice(const Value& value, unsigned width, unsigned lo, unsigned bits) {
  if constexpr (kSymbolic) {
    if (value.symbolic()) return bits == width ? value : FromTerm(store_->Extract(bits, value.term, lo));
  }
  return {.bits = value.bits >> lo & LowMask(bits)};
}

// Parts of `bits` bits, lowest first.
template <class Traits>
Value Core<Traits>::Join(const Value* parts, unsigned count, unsigned bits) {
  bool symbolic = false;
  for (unsigned i = 0; i < count; ++i) symbolic |= parts[i].symbolic();
  if (kSymbolic && symbolic) {
    TermId whole = ToTerm(parts[0], bits);
    for (unsigned i = 1; i < count; ++i) whole = store_->Concat(ToTerm(parts[i], bits), whole);
    return FromTerm(whole);
  }
  Value whole;
  for (unsigned i = 0; i < count; ++i) whole.bits |= (parts[i].bits & LowMask(bits)) << (i * bits);
  return whole;
}

// All others are checked (decode_fragments.h).
inline const char* const kStoredFragmentAssumption =
    "wmma fragments that are stored element by element and loaded again are used with the shape, layout and type that they were made with";

template <class Traits>
void Core<Traits>::Matrix(const Decoded& in, LaneMask lanes) {
  if (lanes != kAllLanes) {
    return Unsupported("`" + in.instruction->FullName() + "` in a warp some of whose lanes do not exist or have exited: undefined", &in);
  }
  if (!AtOneDepth(lanes)) {
    return Unsupported("lanes at different depths of a recursion meet at `" + in.instruction->FullName() + "`: undefined", &in);
  }
  const MatrixInstruction& matrix = program_.matrices[in.element_first];
  if (matrix.through_memory) AssumeOnce(kStoredFragmentAssumption);
  switch (matrix.form.kind) {
    case MatrixForm::Kind::kLoad: return LoadMatrices(in, matrix);
    case MatrixForm::Kind::kStore: return StoreMatrices(in, matrix);
    case MatrixForm::Kind::kMove: return MoveMatrix(matrix);
    case MatrixForm::Kind::kMultiply:
    case MatrixForm::Kind::kFragmentMultiply: return MultiplyMatrices(in, matrix);
    case MatrixForm::Kind::kFragmentLoad: return LoadFragment(in, matrix);
    case MatrixForm::Kind::kFragmentStore: return StoreFragment(in, matrix);
  }
  RACER_UNREACHABLE(static_cast<int>(matrix.form.kind));
}

constexpr unsigned kMatrixRowBytes = 16;

// Bytes of a row that move together: those that stay side by side in a register.
inline unsigned RowUnit(const MatrixForm& form) {
  if (form.packing != MatrixForm::Packing::kB16) return 1;
  return form.transposed ? 2 : 4;
}

// The row whose address the lane gives. The lane counts as its reader or writer.
template <class Traits>
bool Core<Traits>::LocateRow(const Decoded& in, unsigned lane, bool write, Target* target) {
  uint64_t address = 0;
  if (!LaneAddress(in, lane, &address)) return false;
  uint64_t local = address;
  if (in.address.generic && layout_.Resolve(address, &local) != Space::kShared) {
    Unsupported("`" + in.instruction->FullName() + "` at an address outside shared memory: undefined", &in);
    return false;
  }
  return Locate(in, lane, address, kMatrixRowBytes, write, target);
}

template <class Traits>
void Core<Traits>::LoadMatrices(const Decoded& in, const MatrixInstruction& matrix) {
  const MatrixForm& form = matrix.form;
  const unsigned unit = RowUnit(form), rows = RowsPerMatrix(form) * form.count;
  const bool spread = form.packing == MatrixForm::Packing::kB6 || form.packing == MatrixForm::Packing::kB4;
  const unsigned size = spread ? 4 : unit;  // of one read
  const unsigned bytes = form.packing == MatrixForm::Packing::kB6 ? 12 : form.packing == MatrixForm::Packing::kB4 ? 8 : kMatrixRowBytes;
  RowUnits units;
  for (unsigned lane = 0; lane < rows; ++lane) {
    Target target;
    if (!LocateRow(in, lane, false, &target)) return;
    // What pads packed rows is not read.
    for (unsigned at = 0; at < bytes; at += size) {
      Target part = target;
      part.race_offset += at;
      if (part.race != nullptr && !race_finding_ && !CheckRace(in, lane, part, size, false, 0)) return;
      units[lane][at / size] = target.bytes->Load(store_, target.offset + at, size, [&](unsigned width) {
        return Undefined(width,
                         "uninitialised shared memory in a row of `" + in.instruction->FullName() + "`, read by " + ThreadName(lane));
      });
    }
    if (spread) SpreadRow(form, &units[lane]);
  }
  const Dest* dests = program_.dests.data() + matrix.d.first;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    for (unsigned reg = 0; reg < matrix.d.count; ++reg) {
      std::array<Value, 4> parts;
      for (unsigned byte = 0; byte < 4; byte += unit) {
        const MatrixPlace place = RowByteOf(form, lane, reg, byte);
        parts[byte / unit] = units[place.row][place.column / unit];
      }
      Write(dests[reg], lane, Join(parts.data(), 4 / unit, 8 * unit));
    }
  }
}

// Words of packed elements of 6 or 4 bits to one element a byte, in its low bits.
template <class Traits>
void Core<Traits>::SpreadRow(const MatrixForm& form, std::array<Value, 16>* units) {
  const unsigned bits = form.packing == MatrixForm::Packing::kB6 ? 6 : 4;
  const std::array<Value, 16> words = *units;
  for (unsigned e = 0; e < 16; ++e) {
    // In pieces of two bits, since an element may cross the end of a word.
    std::array<Value, 4> pieces;
    for (unsigned i = 0; i < bits / 2; ++i) {
      const unsigned lo = e * bits + 2 * i;
      pieces[i] = Slice(words[lo / 32], 32, lo % 32, 2);
    }
    (*units)[e] = Join(pieces.data(), 4, 2);
  }
}

template <class Traits>
void Core<Traits>::StoreMatrices(const Decoded& in, const MatrixInstruction& matrix) {
  const MatrixForm& form = matrix.form;
  const unsigned unit = RowUnit(form), rows = RowsPerMatrix(form) * form.count;
  const Source* sources = program_.sources.data() + matrix.a.first;
  RowUnits units;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    for (unsigned reg = 0; reg < matrix.a.count; ++reg) {
      const Value value = Read(sources[reg], lane);
      for (unsigned byte = 0; byte < 4; byte += unit) {
        const MatrixPlace place = RowByteOf(form, lane, reg, byte);
        units[place.row][place.column / unit] = Slice(value, 32, 8 * byte, 8 * unit);
      }
    }
  }
  for (unsigned lane = 0; lane < rows; ++lane) {
    Target target;
    if (!LocateRow(in, lane, true, &target)) return;
    const unsigned count = kMatrixRowBytes / unit;
    if (target.race != nullptr && !race_finding_ && !CheckStoreRace(in, lane, target, units[lane].data(), count, unit)) return;
    for (unsigned i = 0; i < count; ++i) target.bytes->Store(target.offset + i * unit, unit, units[lane][i]);
  }
}

template <class Traits>
void Core<Traits>::MoveMatrix(const MatrixInstruction& matrix) {
  const Source& source = program_.sources[matrix.a.first];
  const Dest& dest = program_.dests[matrix.d.first];
  std::array<Value, kWarpSize> values;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) values[lane] = Read(source, lane);
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    std::array<Value, 2> parts;
    for (unsigned half = 0; half < 2; ++half) {
      // Row r of the source lies in lanes 4r to 4r+3, two elements each.
      const MatrixPlace place = RowByteOf(matrix.form, lane, 0, 2 * half);
      const unsigned column = place.column / 2u;
      parts[half] = Slice(values[4u * place.row + column / 2], 32, 16 * (column % 2), 16);
    }
    Write(dest, lane, Join(parts.data(), 2, 16));
  }
}

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_EXEC_MATRIX_H_

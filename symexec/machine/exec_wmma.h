// wmma.load and wmma.store of Core.
#ifndef RACER_SYMEXEC_MACHINE_EXEC_WMMA_H_
#define RACER_SYMEXEC_MACHINE_EXEC_WMMA_H_

#include <algorithm>

#include "symexec/machine/core.h"

namespace racer {

inline const char* const kFragmentAssumption =
    "wmma fragments lie in registers as on sm_80 and later, which the manual leaves open; fragments that only wmma reads, whole and in "
    "order, do not depend on it";

// What lanes hold of a matrix in memory: `bits` of consecutive elements move together.
struct FragmentAccess {
  unsigned rows = 0, columns = 0;
  unsigned bits = 0;         // of an element
  unsigned unit_bits = 0;    // of one access
  uint64_t stride_bits = 0;  // between rows (.row) or columns (.col)
};

// Base address and stride: the same in all lanes.
template <class Traits>
bool Core<Traits>::FragmentAddress(const Decoded& in, const MatrixInstruction& matrix, uint64_t* base, FragmentAccess* access) {
  using Operand = MatrixForm::Operand;
  const MatrixForm& form = matrix.form;
  access->rows = form.operand == Operand::kB ? form.k : form.m;
  access->columns = form.operand == Operand::kA ? form.k : form.n;
  access->bits = BitWidth(form.a);
  access->unit_bits = access->bits < 8 ? 32 : access->bits;
  uint64_t stride = form.is_col ? access->rows : access->columns;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    uint64_t address = 0, given = stride;
    if (!LaneAddress(in, lane, &address)) return false;
    if (matrix.stride.count != 0 && !Control(program_.sources[matrix.stride.first], lane, "a matrix's stride", &given)) return false;
    if (lane == 0) {
      *base = address;
      stride = given;
    }
    if (address != *base || given != stride) {
      Unsupported("`" + in.instruction->FullName() + "` with addresses or strides that differ between lanes: undefined", &in);
      return false;
    }
  }
  access->stride_bits = stride * access->bits;
  // The natural alignment of what lies together: 16 bytes, or less where a row or column is shorter.
  const uint64_t together = std::min(128u, (form.is_col ? access->rows : access->columns) * access->bits);
  if (*base * 8 % together != 0 || access->stride_bits % together != 0) {
    Unsupported("`" + in.instruction->FullName() + "` of a matrix whose address or stride is no multiple of " +
                    std::to_string(together / 8) + " bytes",
                &in);
    return false;
  }
  return true;
}

template <class Traits>
bool Core<Traits>::LocateElement(const Decoded& in, unsigned lane, uint64_t base, const FragmentAccess& access, const MatrixPlace& place,
                                 bool write, Target* target) {
  const bool col = program_.matrices[in.element_first].form.is_col;
  const uint64_t bit = (col ? place.column : place.row) * access.stride_bits + uint64_t{col ? place.row : place.column} * access.bits;
  const uint64_t address = base + bit / 8;
  uint64_t local = address;
  const Space space = in.address.generic ? layout_.Resolve(address, &local) : in.address.space;
  if (space != Space::kShared && space != Space::kGlobal) {
    Unsupported("`" + in.instruction->FullName() + "` outside global and shared memory: undefined", &in);
    return false;
  }
  return Locate(in, lane, address, access.unit_bits / 8, write, target);
}

template <class Traits>
MatrixPlace Core<Traits>::PlaceInFragment(const MatrixForm& form, unsigned lane, unsigned i) const {
  switch (form.operand) {
    case MatrixForm::Operand::kA: return PlaceInA(form, lane, i);
    case MatrixForm::Operand::kB: return PlaceInB(form, lane, i);
    case MatrixForm::Operand::kC:
    case MatrixForm::Operand::kD: return PlaceInC(form, form.c, lane, i);
  }
  RACER_UNREACHABLE(static_cast<int>(form.operand));
}

template <class Traits>
void Core<Traits>::LoadFragment(const Decoded& in, const MatrixInstruction& matrix) {
  const MatrixForm& form = matrix.form;
  uint64_t base = 0;
  FragmentAccess access;
  if (!FragmentAddress(in, matrix, &base, &access)) return;
  AssumeOnce(kFragmentAssumption);
  const Dest* dests = program_.dests.data() + matrix.d.first;
  const unsigned width = std::max(32u, access.bits), parts = width / access.unit_bits, step = access.unit_bits / access.bits;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    for (unsigned reg = 0; reg < matrix.d.count; ++reg) {
      std::array<Value, 4> values;
      for (unsigned j = 0; j < parts; ++j) {
        const MatrixPlace place = PlaceInFragment(form, lane, (reg * parts + j) * step);
        const unsigned size = access.unit_bits / 8;
        Target target;
        if (!LocateElement(in, lane, base, access, place, false, &target)) return;
        if (target.race != nullptr && !race_finding_ && !CheckRace(in, lane, target, size, false, 0)) return;
        values[j] = target.bytes->Load(store_, target.offset, size,
                                       [&](unsigned bits) { return UndefinedBytes(in, lane, target.address, target.space, bits); });
      }
      Write(dests[reg], lane, Join(values.data(), parts, access.unit_bits));
    }
  }
}

template <class Traits>
void Core<Traits>::StoreFragment(const Decoded& in, const MatrixInstruction& matrix) {
  const MatrixForm& form = matrix.form;
  uint64_t base = 0;
  FragmentAccess access;
  if (!FragmentAddress(in, matrix, &base, &access)) return;
  AssumeOnce(kFragmentAssumption);
  const Source* sources = program_.sources.data() + matrix.a.first;
  const unsigned width = std::max(32u, access.bits), parts = width / access.bits, size = access.bits / 8;
  for (unsigned lane = 0; lane < kWarpSize; ++lane) {
    for (unsigned reg = 0; reg < matrix.a.count; ++reg) {
      const Value whole = Read(sources[reg], lane);
      for (unsigned j = 0; j < parts; ++j) {
        const Value value = Slice(whole, width, j * access.bits, access.bits);
        Target target;
        if (!LocateElement(in, lane, base, access, PlaceInFragment(form, lane, reg * parts + j), true, &target)) return;
        if (target.race != nullptr && !race_finding_ && !CheckStoreRace(in, lane, target, &value, 1, size)) return;
        if (!MarkWritten(in, target, size)) return;
        target.bytes->Store(target.offset, size, value);
      }
    }
  }
}

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_EXEC_WMMA_H_

#include "ptx_frontend/isa/matrix_form.h"

#include <array>
#include <vector>

#include "base/check.h"

namespace racer {
namespace {

struct ElementRow {
  std::string_view spelling;
  MatrixElement element;
  unsigned bits;
};
constexpr ElementRow kElements[] = {
    {"f16", MatrixElement::kF16, 16},  {"bf16", MatrixElement::kBF16, 16},  {"tf32", MatrixElement::kTF32, 32},
    {"f32", MatrixElement::kF32, 32},  {"f64", MatrixElement::kF64, 64},    {"e4m3", MatrixElement::kE4M3, 8},
    {"e5m2", MatrixElement::kE5M2, 8}, {"e3m2", MatrixElement::kE3M2, 6},   {"e2m3", MatrixElement::kE2M3, 6},
    {"e2m1", MatrixElement::kE2M1, 4}, {"ue8m0", MatrixElement::kUE8M0, 8}, {"ue4m3", MatrixElement::kUE4M3, 8},
    {"s32", MatrixElement::kS32, 32},  {"s8", MatrixElement::kS8, 8},       {"u8", MatrixElement::kU8, 8},
    {"s4", MatrixElement::kS4, 4},     {"u4", MatrixElement::kU4, 4},       {"b1", MatrixElement::kB1, 1},
};

const ElementRow* FindElement(std::string_view spelling) {
  for (const ElementRow& row : kElements) {
    if (row.spelling == spelling) return &row;
  }
  return nullptr;
}

// "m16n8k32", "m8n8": the numbers, or false.
bool ReadShape(std::string_view text, MatrixForm* form) {
  if (text.size() < 2 || text[0] != 'm' || text[1] < '0' || text[1] > '9') return false;
  uint16_t* into = nullptr;
  for (const char c : text) {
    if (c >= '0' && c <= '9') {
      *into = static_cast<uint16_t>(*into * 10 + (c - '0'));
    } else {
      into = c == 'm' ? &form->m : c == 'n' ? &form->n : c == 'k' ? &form->k : nullptr;
      if (into == nullptr) return false;
      *into = 0;
    }
  }
  return true;
}

constexpr unsigned Group(unsigned lane) { return lane >> 2; }
constexpr unsigned InGroup(unsigned lane) { return lane & 3; }

bool IsQuadPair(const MatrixForm& form) { return form.m == 8 && form.n == 8 && form.k == 4 && form.a == MatrixElement::kF16; }

// m8n8k4 in .f16: lanes 0-3 with 16-19, 4-7 with 20-23, ... make a product each.
constexpr uint8_t QuadPair(unsigned lane) { return static_cast<uint8_t>(lane >> 2 & 3); }
constexpr unsigned LaneInPair(unsigned lane) { return (lane & 3) + (lane < 16 ? 0 : 4); }
constexpr unsigned HighHalf(unsigned lane) { return lane < 16 ? 0 : 4; }

MatrixPlace At(unsigned row, unsigned column, unsigned block = 0) {
  return {.row = static_cast<uint16_t>(row), .column = static_cast<uint16_t>(column), .block = static_cast<uint8_t>(block)};
}

unsigned PerRegister(const MatrixForm& form, MatrixElement element) {
  const unsigned bits = form.bits_in_register(element);
  return bits >= 32 ? 1 : 32 / bits;
}

// wmma of 8 by 32: the transposed product of 32 by 8.
bool IsSwapped(const MatrixForm& form) { return form.m == 8 && form.n == 32; }
unsigned LeftRows(const MatrixForm& form) { return IsSwapped(form) ? form.n : form.m; }
unsigned RightColumns(const MatrixForm& form) { return IsSwapped(form) ? form.m : form.n; }
unsigned RowsOfTile(const MatrixForm& form) { return LeftRows(form) < 16 ? 8 : 16; }

// The left operand, in tiles of 16 rows (of 8 where it has no more): a register holds a piece of a row in four lanes; the
// lower eight rows come first, then the next columns, then the next tile. Registers beyond the last repeat.
MatrixPlace PlaceInLeft(const MatrixForm& form, MatrixElement element, unsigned columns, unsigned lane, unsigned i) {
  const unsigned per = PerRegister(form, element), halves = RowsOfTile(form) / 8, registers = halves * columns / (4 * per);
  const unsigned reg = i / per % (registers * LeftRows(form) / RowsOfTile(form)), tile = reg / registers, r = reg % registers;
  return At(RowsOfTile(form) * tile + Group(lane) + 8 * (r % halves), (r / halves) * 4 * per + InGroup(lane) * per + i % per);
}
// The right operand, in tiles of 8 columns: a register holds a piece of a column in four lanes.
MatrixPlace PlaceInRight(const MatrixForm& form, MatrixElement element, unsigned lane, unsigned i) {
  const unsigned per = PerRegister(form, element), registers = form.k / (4 * per);
  const unsigned reg = i / per % (registers * RightColumns(form) / 8), tile = reg / registers, r = reg % registers;
  return At(r * 4 * per + InGroup(lane) * per + i % per, 8 * tile + Group(lane));
}

MatrixPlace Transposed(const MatrixPlace& place) { return {.row = place.column, .column = place.row, .block = place.block}; }

}  // namespace

std::string_view Spelling(MatrixElement element) {
  for (const ElementRow& row : kElements) {
    if (row.element == element) return row.spelling;
  }
  return "";
}

unsigned BitWidth(MatrixElement element) {
  for (const ElementRow& row : kElements) {
    if (row.element == element) return row.bits;
  }
  return 0;
}

std::optional<MatrixForm> MatrixFormOf(std::string_view mnemonic, std::span<const std::string> modifiers) {
  using Kind = MatrixForm::Kind;
  MatrixForm form;
  std::vector<MatrixElement> types;
  std::vector<bool> cols;
  bool popc = false, mx = false;
  form.kind = mnemonic == "ldmatrix"    ? Kind::kLoad
              : mnemonic == "stmatrix"  ? Kind::kStore
              : mnemonic == "movmatrix" ? Kind::kMove
              : mnemonic == "wmma"      ? Kind::kFragmentMultiply
                                        : Kind::kMultiply;
  const bool moves = form.kind == Kind::kLoad || form.kind == Kind::kStore || form.kind == Kind::kMove;
  for (const std::string& m : modifiers) {
    if (const ElementRow* row = FindElement(m)) types.push_back(row->element);
    if (ReadShape(m, &form)) continue;
    if (m == "row" || m == "col") cols.push_back(m == "col");
    if (m == "satfinite") form.satfinite = true;
    if (m == "sp" || m == "sp::ordered_metadata") form.sparse = true;
    if (m == "sp::ordered_metadata") form.ordered = true;
    if (m == "kind::f8f6f4" || m == "kind::mxf8f6f4") form.in_bytes = true;
    if (m == "block_scale") mx = true;
    if (m.starts_with("scale_vec::")) form.scale_vectors = static_cast<uint8_t>(m[11] - '0');
    if (m == "xor") form.bit_op = MatrixForm::BitOp::kXor;
    if (m == "and") form.bit_op = MatrixForm::BitOp::kAnd;
    if (m == "popc") popc = true;
    if (m == "rz") form.rounding = Rounding::kRz;
    if (m == "rm") form.rounding = Rounding::kRm;
    if (m == "rp") form.rounding = Rounding::kRp;
    if (m == "x1" || m == "x2" || m == "x4") form.count = static_cast<uint8_t>(m[1] - '0');
    if (m == "trans") form.transposed = true;
    if (m == "b8") form.packing = MatrixForm::Packing::kB8;
    if (m == "b6x16_p32") form.packing = MatrixForm::Packing::kB6;
    if (m == "b4x16_p64") form.packing = MatrixForm::Packing::kB4;
    if (m == "load") form.kind = Kind::kFragmentLoad;
    if (m == "store") form.kind = Kind::kFragmentStore;
    if (m == "a" || m == "b" || m == "c" || m == "d") form.operand = static_cast<MatrixForm::Operand>(m[0] - 'a');
  }
  if (form.m == 0) return std::nullopt;
  if (moves) return form;
  if (form.kind == Kind::kFragmentLoad || form.kind == Kind::kFragmentStore) {
    if (types.size() != 1 || cols.size() != 1) return std::nullopt;
    form.a = form.b = form.c = form.d = types[0];
    form.is_col = cols[0];
    return form;
  }
  if (cols.size() != 2 || popc != (form.bit_op != MatrixForm::BitOp::kNone)) return std::nullopt;
  form.a_is_col = cols[0];
  form.b_is_col = cols[1];
  if (types.size() == 2) {  // wmma.mma of halves names D and C
    form.d = types[0];
    form.c = types[1];
    form.a = form.b = MatrixElement::kF16;
  } else if (types.size() == (mx ? 5u : 4u)) {
    form.d = types[0];
    form.a = types[1];
    form.b = types[2];
    form.c = types[3];
    if (mx) form.scale = types[4];
  } else {
    return std::nullopt;
  }
  if (mx && form.scale_vectors == 0) form.scale_vectors = form.in_bytes ? 1 : 2;
  return form;
}

unsigned BlocksOf(const MatrixForm& form) { return IsQuadPair(form) ? 4 : 1; }

MatrixPlace PlaceInA(const MatrixForm& form, unsigned lane, unsigned i) {
  if (IsQuadPair(form)) {
    if (!form.a_is_col) return At(LaneInPair(lane), i, QuadPair(lane));
    return At(i + HighHalf(lane), lane & 3, QuadPair(lane));
  }
  if (IsSwapped(form)) return Transposed(PlaceInRight(form, form.a, lane, i));
  return PlaceInLeft(form, form.a, form.stored_k(), lane, i);
}

MatrixPlace PlaceInB(const MatrixForm& form, unsigned lane, unsigned i) {
  if (IsQuadPair(form)) {
    if (!form.b_is_col) return At(lane & 3, i + HighHalf(lane), QuadPair(lane));
    return At(i, LaneInPair(lane), QuadPair(lane));
  }
  if (IsSwapped(form)) return Transposed(PlaceInLeft(form, form.b, form.k, lane, i));
  return PlaceInRight(form, form.b, lane, i);
}

MatrixPlace PlaceInC(const MatrixForm& form, MatrixElement element, unsigned lane, unsigned i) {
  if (IsQuadPair(form)) {
    if (element == MatrixElement::kF16) return At(LaneInPair(lane), i, QuadPair(lane));
    return At((lane & 1) + (i & 2) + HighHalf(lane), (i & 4) + (lane & 2) + (i & 1), QuadPair(lane));
  }
  // Pairs of columns, of the lower eight rows first; tiles below each other first.
  const unsigned halves = RowsOfTile(form) / 8, tile = i / (2 * halves), j = i % (2 * halves), tiles = LeftRows(form) / RowsOfTile(form);
  const MatrixPlace place =
      At(RowsOfTile(form) * (tile % tiles) + Group(lane) + 8 * (j / 2), 8 * (tile / tiles) + 2 * InGroup(lane) + j % 2);
  return IsSwapped(form) ? Transposed(place) : place;
}

namespace {

// Bits of codes that a row has: two for every stored element, one unit of storage being at least 8 bits.
unsigned MetadataBits(const MatrixForm& form) {
  switch (form.bits_in_register(form.a)) {
    case 32: return 2u * form.k;
    case 16:
    case 8: return form.k;
    default: return form.k / 2u;
  }
}

}  // namespace

unsigned SelectorCount(const MatrixForm& form) { return 64 / MetadataBits(form); }

uint64_t MetadataOfRow(const MatrixForm& form, std::span<const uint64_t> words, unsigned selector, unsigned row) {
  const unsigned first = 4 * (row % 8), upper = row / 8, bits = MetadataBits(form);
  const auto half = [&](unsigned lane) { return words[lane] >> (16 * upper) & 0xffff; };
  if (bits == 16) return half(first + selector);
  if (bits == 32 && form.bits_in_register(form.a) >= 16) return half(first + 2 * selector) | half(first + 2 * selector + 1) << 16;
  if (bits == 32) return words[first + 2 * selector + upper] & 0xffffffff;
  return (words[first + upper] & 0xffffffff) | words[first + 2 + upper] << 32;
}

std::optional<unsigned> StoredColumn(const MatrixForm& form, uint64_t codes, unsigned s) {
  const unsigned bits = form.bits_in_register(form.a);
  if (bits == 32) {  // one of two: the codes of its halves
    const uint64_t code = codes >> (4 * s) & 15;
    if (code != 0b0100 && code != 0b1110) return std::nullopt;
    return 2 * s + (code == 0b1110 ? 1 : 0);
  }
  const unsigned unit = bits < 8 ? 2 : 1;  // elements that stay together
  const unsigned chunk = s / unit / 2;
  const unsigned first = codes >> (4 * chunk) & 3, second = codes >> (4 * chunk + 2) & 3;
  if (first == second || (form.ordered && first > second)) return std::nullopt;
  return (4 * chunk + (s / unit % 2 == 0 ? first : second)) * unit + s % unit;
}

MatrixPlace RowByteOf(const MatrixForm& form, unsigned lane, unsigned reg, unsigned byte) {
  const unsigned group = Group(lane), in_group = InGroup(lane);
  if (form.m == 16 && form.n == 16) {
    // Two registers a matrix: columns `group` and `group + 8`, four rows each. Always transposed.
    return At(16 * (reg / 2) + 4 * in_group + byte, group + 8 * (reg % 2));
  }
  if (form.m == 16 && form.n == 8) {
    // The accumulators' layout, stored by columns: two columns of eight rows and of the eight below.
    return At(8 * reg + 2 * in_group + byte % 2, group + 8 * (byte / 2));
  }
  if (form.transposed) return At(8 * reg + 2 * in_group + byte / 2, 2 * group + byte % 2);
  return At(8 * reg + group, 4 * in_group + byte);
}

}  // namespace racer

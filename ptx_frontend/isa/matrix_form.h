// What a warp-level matrix instruction multiplies or moves, and where each lane keeps which element (manual: "Matrix Fragments
// for mma", "ldmatrix", "stmatrix", "movmatrix").
#ifndef RACER_PTX_FRONTEND_ISA_MATRIX_FORM_H_
#define RACER_PTX_FRONTEND_ISA_MATRIX_FORM_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ptx_frontend/isa/types.h"

namespace racer {

// Element types of matrices and scales. Those below 8 bits are no types of registers.
enum class MatrixElement : uint8_t {
  kNone,
  kF16,
  kBF16,
  kTF32,
  kF32,
  kF64,
  kE4M3,
  kE5M2,
  kE3M2,
  kE2M3,
  kE2M1,
  kUE8M0,
  kUE4M3,
  kS32,
  kS8,
  kU8,
  kS4,
  kU4,
  kB1,
};
std::string_view Spelling(MatrixElement element);
unsigned BitWidth(MatrixElement element);
constexpr bool IsInteger(MatrixElement e) { return e >= MatrixElement::kS32; }
constexpr bool IsSigned(MatrixElement e) { return e == MatrixElement::kS32 || e == MatrixElement::kS8 || e == MatrixElement::kS4; }

struct MatrixForm {
  enum class Kind : uint8_t {
    kLoad,              // ldmatrix
    kStore,             // stmatrix
    kMove,              // movmatrix
    kMultiply,          // mma
    kFragmentLoad,      // wmma.load
    kFragmentStore,     // wmma.store
    kFragmentMultiply,  // wmma.mma
  };
  enum class Packing : uint8_t { kB16, kB8, kB6, kB4 };  // of what ldmatrix reads; the last two spread over bytes
  enum class Operand : uint8_t { kA, kB, kC, kD };
  enum class BitOp : uint8_t { kNone, kXor, kAnd };

  Kind kind = Kind::kMultiply;
  // mma, wmma
  uint16_t m = 0, n = 0, k = 0;
  MatrixElement a = MatrixElement::kNone, b = MatrixElement::kNone, c = MatrixElement::kNone, d = MatrixElement::kNone;
  bool a_is_col = false, b_is_col = true;
  bool satfinite = false;
  bool sparse = false, ordered = false;  // .sp, .sp::ordered_metadata
  bool in_bytes = false;                 // .kind::f8f6f4, .kind::mxf8f6f4: elements of 4 and 6 bits lie in bytes of their own
  uint8_t scale_vectors = 0;             // .scale_vec::nX; 0: no block scaling
  MatrixElement scale = MatrixElement::kNone;
  BitOp bit_op = BitOp::kNone;
  Rounding rounding = Rounding::kRn;
  // ldmatrix, stmatrix, movmatrix
  uint8_t count = 1;  // matrices
  bool transposed = false;
  Packing packing = Packing::kB16;
  // wmma.load, wmma.store
  Operand operand = Operand::kA;
  bool is_col = false;

  // K as stored in a fragment of A: half of k where A is sparse.
  unsigned stored_k() const { return sparse ? k / 2u : k; }
  // Bits that an element of A or B takes in a register.
  unsigned bits_in_register(MatrixElement element) const { return in_bytes ? 8 : BitWidth(element); }
};

// The form of an instruction of warp_matrix.h from its modifiers as written (in the order of the grammar or another). nullopt
// if they spell none.
std::optional<MatrixForm> MatrixFormOf(std::string_view mnemonic, std::span<const std::string> modifiers);

// Row and column of an element in its matrix. `block` counts the four products of m8n8k4 in .f16.
struct MatrixPlace {
  uint16_t row = 0, column = 0;
  uint8_t block = 0;
  friend bool operator==(const MatrixPlace&, const MatrixPlace&) = default;
};

// --- mma and wmma: element i of a lane's fragment, counted over its registers from the low bits up. For a sparse A the column is that
// of the stored matrix of k / 2 columns. The manual leaves the fragments of wmma open; these are those of sm_80 and later.
MatrixPlace PlaceInA(const MatrixForm& form, unsigned lane, unsigned i);
MatrixPlace PlaceInB(const MatrixForm& form, unsigned lane, unsigned i);
MatrixPlace PlaceInC(const MatrixForm& form, MatrixElement element, unsigned lane, unsigned i);
unsigned BlocksOf(const MatrixForm& form);

// --- mma.sp: where a stored element of A belongs (manual: "Sparse matrix storage").
// How many values the selector operand may have.
unsigned SelectorCount(const MatrixForm& form);
// The codes of a row, lowest columns in the low bits, from the lanes' metadata words.
uint64_t MetadataOfRow(const MatrixForm& form, std::span<const uint64_t> words, unsigned selector, unsigned row);
// The column of stored element s; nullopt for codes that the manual calls invalid.
std::optional<unsigned> StoredColumn(const MatrixForm& form, uint64_t codes, unsigned s);

// --- ldmatrix, stmatrix, movmatrix: byte `byte` of register `reg` of a lane is byte `column` of the row whose address lane `row`
// gives (movmatrix: of row `row`).
MatrixPlace RowByteOf(const MatrixForm& form, unsigned lane, unsigned reg, unsigned byte);
// Lanes that give an address.
constexpr unsigned RowsPerMatrix(const MatrixForm& form) { return form.m == 16 && form.n == 16 ? 16 : 8; }

}  // namespace racer

#endif  // RACER_PTX_FRONTEND_ISA_MATRIX_FORM_H_

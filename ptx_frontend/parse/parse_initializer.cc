// Initial values of variables, laid out in bytes.
#include <bit>
#include <utility>

#include "base/check.h"
#include "ptx_frontend/parse/parser.h"

namespace racer::parse_internal {
namespace {

// Elements that one step of dimension `level` spans.
uint64_t Stride(const std::vector<uint64_t>& dims, size_t level) {
  uint64_t stride = 1;
  for (size_t i = level + 1; i < dims.size(); ++i) stride *= dims[i];
  return stride;
}

void PutBytes(std::vector<uint8_t>* bytes, uint64_t offset, uint64_t value, unsigned width) {
  if (bytes->size() < offset + width) bytes->resize(offset + width);
  for (unsigned i = 0; i < width && i < 8; ++i) (*bytes)[offset + i] = static_cast<uint8_t>(value >> (8 * i));
}

}  // namespace

// After `=`.
bool Parser::ParseInitializer(ir::Variable* variable) {
  const size_t first = at_;
  // The elements of a vector are one more dimension.
  std::vector<uint64_t> dims = variable->dims;
  if (variable->vector > 1) dims.push_back(variable->vector);
  bool ok = true;
  if (ClassOf(variable->type) == TypeClass::kOpaque) {
    // Sampler settings by name: kept as text.
    int depth = 0;
    do {
      if (Peek().kind == TokenKind::kEnd || At(";")) return Fail("`}`");
      const Token& token = Take();
      depth += token.Is("{") ? 1 : token.Is("}") ? -1 : 0;
    } while (depth > 0);
  } else if (dims.empty()) {
    variable->initializer.emplace();
    const bool braces = Accept("{");
    ok = ParseInitializerScalar(variable, 0) && (!braces || Expect("}", "after the value"));
  } else {
    variable->initializer.emplace();
    ok = ParseInitializerList(variable, dims);
  }
  if (!ok) return false;
  for (size_t i = first; i < at_; ++i) variable->initializer_text.emplace_back(tokens_[i].text);
  return true;
}

bool Parser::ParseInitializerList(ir::Variable* variable, const std::vector<uint64_t>& dims) {
  if (!At("{")) return Fail("`{` before the elements");
  struct Level {
    uint64_t begin, end, next;  // element numbers; end 0: open
  };
  const unsigned width = BitWidth(variable->type) / 8;
  const uint64_t limit = limits_.max_bytes / width;
  std::vector<Level> open;
  uint64_t count = 0;  // of an open first dimension
  bool after_element = false;
  do {
    const Token& token = Peek();
    if (At("{") && !after_element) {
      Take();
      const size_t level = open.size();
      if (level >= dims.size()) {
        return FailAt(token, DiagnosticKind::kPtxType, "more braces than `" + variable->name + "` has dimensions", "a value");
      }
      if (open.empty()) {
        open.push_back({0, dims[0] == 0 ? limit : Stride(dims, 0) * dims[0], 0});
        continue;
      }
      const uint64_t stride = Stride(dims, level - 1);
      const uint64_t begin = open.back().next;
      if ((begin - open.back().begin) % stride != 0 || begin >= open.back().end) {
        return FailAt(token, DiagnosticKind::kPtxType, "this group does not fit `" + variable->name + "`");
      }
      open.push_back({begin, begin + stride, begin});
    } else if (At("}")) {
      Take();
      const Level closed = open.back();
      open.pop_back();
      if (open.empty()) {
        const uint64_t row = Stride(dims, 0);
        count = (closed.next + row - 1) / row;
      } else {
        open.back().next = closed.end;
      }
      after_element = true;
    } else if (after_element) {
      if (!Accept(",")) return Fail("`,` or `}`");
      after_element = false;
    } else {
      if (open.back().next >= open.back().end || open.back().next >= limit) {
        return FailAt(token, DiagnosticKind::kPtxType, "more values than `" + variable->name + "` has room for");
      }
      if (!ParseInitializerScalar(variable, open.back().next)) return false;
      ++open.back().next;
      after_element = true;
    }
  } while (!open.empty());
  if (!variable->dims.empty() && variable->dims[0] == 0) variable->dims[0] = count;
  return true;
}

bool Parser::ParseInitializerScalar(ir::Variable* variable, uint64_t element) {
  const Token& token = Peek();
  if (token.kind == TokenKind::kIdentifier && !AtConstant()) return ParseSymbolInitializer(variable, element, std::nullopt);
  // 0xFF00(symbol): one byte of an address.
  if (token.kind == TokenKind::kInteger && Peek(1).Is("(")) {
    const std::optional<uint64_t> mask = TakeInteger("a mask");
    if (!mask || !Expect("(", "after the mask")) return false;
    return ParseSymbolInitializer(variable, element, *mask) && Expect(")", "after the symbol");
  }
  if (!AtConstant()) return Fail("a value");
  const std::optional<ConstantValue> value = ParseConstant();
  return value && StoreInitializer(variable, element, *value, token);
}

bool Parser::ParseSymbolInitializer(ir::Variable* variable, uint64_t element, std::optional<uint64_t> mask) {
  const unsigned width = BitWidth(variable->type) / 8;
  ir::Initializer::Relocation relocation;
  relocation.offset = element * width;
  relocation.width = static_cast<uint8_t>(width);
  const Token* token = &Peek();
  if (token->Is("generic") && Peek(1).Is("(")) {
    relocation.generic = true;
    Take();
    Take();
    token = &Peek();
  }
  const std::optional<std::string_view> symbol = TakeIdentifier("the name of a variable or function");
  if (!symbol) return false;
  if (relocation.generic && !Expect(")", "after the symbol")) return false;
  relocation.symbol = *symbol;
  if (At("+") || At("-")) {
    const bool minus = Take().Is("-");
    const std::optional<int64_t> addend = ParseConstantInteger("an offset in bytes");
    if (!addend) return false;
    relocation.addend = minus ? static_cast<int64_t>(uint64_t{0} - static_cast<uint64_t>(*addend)) : *addend;
  }
  if (mask) {
    relocation.mask = *mask;
    if (*mask == 0 || std::popcount(*mask) != 8 || std::countr_zero(*mask) % 8 != 0 || (*mask >> std::countr_zero(*mask)) != 0xff) {
      return FailAt(*token, DiagnosticKind::kPtxType, "the mask before `" + relocation.symbol + "` does not pick one byte", "0xFF, 0xFF00, ...");
    }
  } else if (static_cast<int>(width) * 8 < std::min(module_->address_size, 32) || IsFloat(variable->type)) {
    return FailAt(*token, DiagnosticKind::kPtxType, "an address does not fit ." + std::string(Spelling(variable->type)));
  }
  const Symbol* found = Find(relocation.symbol);
  if (found == nullptr || found->kind == Symbol::Kind::kRegister) {
    return FailAt(*token, DiagnosticKind::kPtxUndeclared, "`" + relocation.symbol + "` is not declared here", "a variable or function");
  }
  PutBytes(&variable->initializer->bytes, relocation.offset, 0, width);
  variable->initializer->relocations.push_back(std::move(relocation));
  return true;
}

bool Parser::StoreInitializer(ir::Variable* variable, uint64_t element, const ConstantValue& value, const Token& at) {
  const unsigned bits = BitWidth(variable->type);
  const unsigned width = bits / 8;
  uint64_t stored = value.bits;
  const auto mismatch = [&] {
    return FailAt(at, DiagnosticKind::kPtxType,
                  std::string(value.is_float ? "a floating-point" : "an integer") + " value for `" + variable->name + "` of type ." +
                      std::string(Spelling(variable->type)));
  };
  if (value.is_float) {
    const bool is_double = variable->type == ScalarType::kF64;
    const bool is_single = variable->type == ScalarType::kF32;
    // Untyped bits take a hexadecimal literal of their width.
    const bool raw = ClassOf(variable->type) == TypeClass::kBits && bits == value.float_width;
    if (!is_double && !is_single && !raw) return mismatch();
    if (is_single && value.float_width == 64) {
      stored = std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(value.bits)));
    } else if (is_double && value.float_width == 32) {
      stored = std::bit_cast<uint64_t>(static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(value.bits))));
    }
  } else if (IsFloat(variable->type)) {
    // Half and 8-bit formats are written as their bits; for .f32 and .f64 an integer could mean either, except zero.
    if (bits >= 32 && PackedElement(variable->type) == ScalarType::kNone && value.bits != 0) return mismatch();
  } else if (bits > 64) {
    // .b128: no literal has more than 64 bits, and a negative one could be extended or not.
    if (!value.is_unsigned && static_cast<int64_t>(value.bits) < 0) return mismatch();
  } else if (bits < 64) {
    const auto signed_value = static_cast<int64_t>(value.bits);
    const int64_t low = -(int64_t{1} << (bits - 1));
    const bool fits = value.is_unsigned ? (value.bits >> bits) == 0 : signed_value >= low && signed_value < (int64_t{1} << bits);
    if (!fits) {
      return FailAt(at, DiagnosticKind::kPtxType,
                    "the value does not fit ." + std::string(Spelling(variable->type)) + " of `" + variable->name + "`");
    }
  }
  PutBytes(&variable->initializer->bytes, element * width, stored, width);
  return true;
}

}  // namespace racer::parse_internal

// Memory contents, byte by byte, for each domain.
#ifndef RACER_SYMEXEC_MACHINE_BYTES_H_
#define RACER_SYMEXEC_MACHINE_BYTES_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "base/check.h"
#include "symexec/term/term.h"

namespace racer {

// What a register or some bytes hold: a pattern, or a B term of the width in question.
struct Value {
  uint64_t bits = 0;
  TermId term = kNoTerm;
  bool symbolic() const { return term != kNoTerm; }
};

// A zeroed array whose untouched pages cost nothing.
template <class T>
class ZeroedArray {
 public:
  void Reset(size_t count) {
    data_.reset(count == 0 ? nullptr : static_cast<T*>(std::calloc(count, sizeof(T))));
    RACER_CHECK(count == 0 || data_ != nullptr);
    count_ = count;
  }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  T& operator[](size_t i) { return data_.get()[i]; }
  const T& operator[](size_t i) const { return data_.get()[i]; }
  size_t size() const { return count_; }

 private:
  struct Free {
    void operator()(T* pointer) const { std::free(pointer); }
  };
  std::unique_ptr<T[], Free> data_;
  size_t count_ = 0;
};

// 1 to 8 little-endian bytes; the common sizes without a call.
inline uint64_t LoadLittle(const uint8_t* from, unsigned size) {
  if (size == 4) {
    uint32_t value;
    std::memcpy(&value, from, 4);
    return value;
  }
  if (size == 2) {
    uint16_t value;
    std::memcpy(&value, from, 2);
    return value;
  }
  if (size == 1) return *from;
  uint64_t value = 0;
  std::memcpy(&value, from, size);
  return value;
}
inline void StoreLittle(uint8_t* to, uint64_t value, unsigned size) {
  if (size == 4) {
    std::memcpy(to, &value, 4);
  } else if (size == 2) {
    std::memcpy(to, &value, 2);
  } else {
    std::memcpy(to, &value, size);
  }
}

// Bits: undefined bytes read as zero.
class BitsBytes {
 public:
  static constexpr uint64_t kBytesPerByte = 1;
  // Some bytes as they are, to be put back.
  struct Saved {
    std::array<uint8_t, 8> bytes;
  };
  void Save(uint64_t offset, unsigned size, Saved* to) const { std::copy_n(bytes_.data() + offset, size, to->bytes.begin()); }
  void Restore(uint64_t offset, unsigned size, const Saved& from) { std::copy_n(from.bytes.begin(), size, bytes_.data() + offset); }

  void Reset(uint64_t size) { bytes_.Reset(size); }
  uint64_t size() const { return bytes_.size(); }

  template <class MakeUndef>
  Value Load(TermStore*, uint64_t offset, unsigned size, MakeUndef&&) {
    return {.bits = LoadLittle(bytes_.data() + offset, size)};
  }
  Value Peek(TermStore*, uint64_t offset, unsigned size, bool* undefined) const {
    *undefined = false;
    return {.bits = LoadLittle(bytes_.data() + offset, size)};
  }
  void Store(uint64_t offset, unsigned size, const Value& value) { StoreBits(offset, size, value.bits); }
  // Of concrete bytes alone; data() holds their values.
  bool IsConcrete(uint64_t, unsigned) const { return true; }
  const uint8_t* data() const { return bytes_.data(); }
  void StoreBits(uint64_t offset, unsigned size, uint64_t bits) { StoreLittle(bytes_.data() + offset, bits, size); }
  void SetBytes(uint64_t offset, const uint8_t* data, uint64_t size) {
    if (size != 0) std::memcpy(bytes_.data() + offset, data, size);
  }
  void Undefine(uint64_t offset, uint64_t size) {
    if (size != 0) std::memset(bytes_.data() + offset, 0, size);
  }
  void Copy(uint64_t from, uint64_t to, uint64_t size) {
    if (size != 0) std::memmove(bytes_.data() + to, bytes_.data() + from, size);
  }
  void CopyFrom(const BitsBytes& other, uint64_t from, uint64_t to, uint64_t size) {
    if (size != 0) std::memcpy(bytes_.data() + to, other.bytes_.data() + from, size);
  }

 private:
  ZeroedArray<uint8_t> bytes_;
};

// Term and Field: a byte is undefined, concrete, or byte `i` of a term. New memory is undefined.
template <class TermSource>
class SymbolicBytes {
 public:
  static constexpr uint64_t kBytesPerByte = 6;
  struct Saved {
    std::array<uint8_t, 8> bytes, info;
    std::array<uint32_t, 8> terms;
  };
  void Save(uint64_t offset, unsigned size, Saved* to) const {
    std::copy_n(bytes_.data() + offset, size, to->bytes.begin());
    std::copy_n(info_.data() + offset, size, to->info.begin());
    std::copy_n(terms_.data() + offset, size, to->terms.begin());
  }
  void Restore(uint64_t offset, unsigned size, const Saved& from) {
    std::copy_n(from.bytes.begin(), size, bytes_.data() + offset);
    std::copy_n(from.info.begin(), size, info_.data() + offset);
    std::copy_n(from.terms.begin(), size, terms_.data() + offset);
  }

  void Reset(uint64_t size) {
    bytes_.Reset(size);
    info_.Reset(size);
    terms_.Reset(size);
  }
  uint64_t size() const { return bytes_.size(); }

  // make_undef(width) gives a fresh undefined term; it is kept, so that the same bytes read again are the same.
  template <class MakeUndef>
  Value Load(TermSource* store, uint64_t offset, unsigned size, MakeUndef&& make_undef) {
    const uint64_t info = LoadLittle(info_.data() + offset, size);
    const uint64_t mask = size == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * size) - 1;
    if (info == (kAllConcrete & mask)) return {.bits = LoadLittle(bytes_.data() + offset, size)};
    if (info == (kWholeTerm & mask)) {
      const TermId term{terms_[offset]};
      bool same = store->width(term) == 8 * size;
      for (unsigned i = 1; i < size; ++i) same &= terms_[offset + i] == terms_[offset];
      if (same) return {.term = term};
    }
    for (unsigned i = 0; i < size;) {
      if (info_[offset + i] != kUndefined) {
        ++i;
        continue;
      }
      unsigned end = i + 1;
      while (end < size && info_[offset + end] == kUndefined) ++end;
      Store(offset + i, end - i, {.term = make_undef(8 * (end - i))});
      i = end;
    }
    return Assemble(store, offset, size);
  }
  // A value that is bits or one whole term; false: it is something else.
  bool Quick(TermSource* store, uint64_t offset, unsigned size, Value* value) const {
    const uint64_t info = LoadLittle(info_.data() + offset, size);
    const uint64_t mask = size == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * size) - 1;
    if (info == (kAllConcrete & mask)) {
      *value = {.bits = LoadLittle(bytes_.data() + offset, size)};
      return true;
    }
    if (info != (kWholeTerm & mask)) return false;
    const uint32_t* terms = terms_.data() + offset;
    uint32_t unlike = 0;
    if (size == 4) {
      unlike = (terms[1] ^ terms[0]) | (terms[2] ^ terms[0]) | (terms[3] ^ terms[0]);
    } else if (size == 2) {
      unlike = terms[1] ^ terms[0];
    } else {
      for (unsigned i = 1; i < size; ++i) unlike |= terms[i] ^ terms[0];
    }
    *value = {.term = TermId{terms[0]}};
    return unlike == 0 && store->width(value->term) == 8 * size;
  }
  // The value without defining anything; *undefined if some byte is, and then the value is none.
  Value Peek(TermSource* store, uint64_t offset, unsigned size, bool* undefined) const {
    *undefined = false;
    for (unsigned i = 0; i < size; ++i) *undefined |= info_[offset + i] == kUndefined;
    return *undefined ? Value{} : Assemble(store, offset, size);
  }
  void Store(uint64_t offset, unsigned size, const Value& value) {
    if (!value.symbolic()) return StoreBits(offset, size, value.bits);
    StoreLittle(info_.data() + offset, kWholeTerm, size);
    for (unsigned i = 0; i < size; ++i) terms_[offset + i] = static_cast<uint32_t>(value.term);
  }
  bool IsConcrete(uint64_t offset, unsigned size) const {
    uint64_t differs = 0;
    for (unsigned done = 0; done < size; done += 8) {
      const unsigned step = std::min(size - done, 8u);
      const uint64_t mask = step == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * step) - 1;
      differs |= LoadLittle(info_.data() + offset + done, step) ^ (kAllConcrete & mask);
    }
    return differs == 0;
  }
  const uint8_t* data() const { return bytes_.data(); }
  void StoreBits(uint64_t offset, unsigned size, uint64_t bits) {
    StoreLittle(bytes_.data() + offset, bits, size);
    StoreLittle(info_.data() + offset, kAllConcrete, size);
  }
  void SetBytes(uint64_t offset, const uint8_t* data, uint64_t size) {
    if (size == 0) return;
    std::memcpy(bytes_.data() + offset, data, size);
    std::memset(info_.data() + offset, kConcrete, size);
  }
  void Undefine(uint64_t offset, uint64_t size) {
    if (size != 0) std::memset(info_.data() + offset, kUndefined, size);
  }
  void Copy(uint64_t from, uint64_t to, uint64_t size) {
    if (size == 0) return;
    std::memmove(bytes_.data() + to, bytes_.data() + from, size);
    std::memmove(info_.data() + to, info_.data() + from, size);
    std::memmove(&terms_[to], &terms_[from], size * sizeof(uint32_t));
  }
  // Of another object.
  void CopyFrom(const SymbolicBytes& other, uint64_t from, uint64_t to, uint64_t size) {
    if (size == 0) return;
    std::memcpy(bytes_.data() + to, other.bytes_.data() + from, size);
    std::memcpy(info_.data() + to, other.info_.data() + from, size);
    std::memcpy(&terms_[to], &other.terms_[from], size * sizeof(uint32_t));
  }
  // Gives every term the name that rename(TermId) returns.
  template <class Rename>
  void RenameTerms(Rename&& rename) {
    for (uint64_t i = 0; i < bytes_.size(); ++i) {
      // Most of it holds none.
      while (i % 8 == 0 && i + 8 <= bytes_.size()) {
        const uint64_t info = LoadLittle(info_.data() + i, 8);
        if (info != 0 && info != kAllConcrete) break;
        i += 8;
      }
      if (i == bytes_.size()) return;
      if (info_[i] != kUndefined && info_[i] != kConcrete) terms_[i] = static_cast<uint32_t>(rename(TermId{terms_[i]}));
    }
  }

 private:
  // 1..8: byte info - 1 of the term.
  static constexpr uint8_t kUndefined = 0, kConcrete = 0x80;
  static constexpr uint64_t kAllConcrete = 0x8080808080808080, kWholeTerm = 0x0807060504030201;

  // All bytes are defined.
  Value Assemble(TermSource* store, uint64_t offset, unsigned size) const {
    TermId whole = kNoTerm;
    uint64_t concrete = 0;
    bool symbolic = false;
    for (unsigned i = 0; i < size;) {
      const uint8_t info = info_[offset + i];
      unsigned end = i + 1;
      TermId piece = kNoTerm;
      if (info == kConcrete) {
        while (end < size && info_[offset + end] == kConcrete) ++end;
        uint64_t bits = 0;
        std::memcpy(&bits, bytes_.data() + offset + i, end - i);
        concrete |= bits << 8 * i;
        piece = store->BvConst(8 * (end - i), bits);
      } else {
        symbolic = true;
        while (end < size && terms_[offset + end] == terms_[offset + i] && info_[offset + end] == info + (end - i)) ++end;
        const TermId term{terms_[offset + i]};
        piece = 8 * (end - i) == store->width(term) ? term : store->Extract(8 * (end - i), term, 8u * (info - 1u));
      }
      whole = whole == kNoTerm ? piece : store->Concat(piece, whole);
      i = end;
    }
    if (!symbolic) return {.bits = concrete};
    if (store->IsConst(whole)) return {.bits = store->const_bits(whole)};
    return {.term = whole};
  }

  ZeroedArray<uint8_t> bytes_, info_;
  ZeroedArray<uint32_t> terms_;
};
using TermBytes = SymbolicBytes<TermStore>;

}  // namespace racer

#endif  // RACER_SYMEXEC_MACHINE_BYTES_H_

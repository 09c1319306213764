#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "backend/cell_layout.h"
#include "backend/cell_memory.h"
#include "backend/keyed_hash.h"
#include "base/check.h"

// Values as small numbers, given out in order of arrival: 0, 1, 2, ….
namespace dpsql {

inline constexpr std::uint32_t kNoCode = ~std::uint32_t{0};

inline std::uint64_t HashOf(RawValue key) { return KeyedHash(key.low, key.high); }
inline std::uint64_t HashOf(std::uint64_t key) { return KeyedHash(key); }

// From keys to codes: open addressing, at most half full.
template <typename Key>
class CodeTable {
 public:
  explicit CodeTable(CellMemory& memory);

  // The code of `key`, `next` where it is new.
  std::uint32_t FindOrAdd(Key key, std::uint32_t next) {
    Entry* entry = Find(key);
    if (entry->code != kNoCode) [[likely]] {
      return entry->code;
    }
    return Add(entry, key, next);
  }

  bool outgrows_cache() const { return used_ > 4096; }
  void Prefetch(Key key) const { __builtin_prefetch(&entries_.data()[Place(key)]); }

 private:
  struct Entry {
    Key key{};
    std::uint32_t code = kNoCode;
  };

  std::size_t Place(Key key) const { return HashOf(key) >> shift_; }

  Entry* Find(Key key) {
    Entry* const entries = entries_.data();
    std::size_t at = Place(key);
    while (entries[at].code != kNoCode && !(entries[at].key == key)) at = (at + 1) & mask_;
    return entries + at;
  }

  std::uint32_t Add(Entry* entry, Key key, std::uint32_t next);
  void Grow();

  CellVector<Entry> entries_;
  std::size_t used_ = 0;
  std::size_t mask_ = 0;
  int shift_ = 0;
};

// Two codes as one key.
inline std::uint64_t PairOf(std::uint32_t first, std::uint32_t second) {
  return std::uint64_t{first} << 32 | second;
}

// The texts that do not fit into 16 bytes, by content.
class LongTexts {
 public:
  explicit LongTexts(CellMemory& memory);

  // Where the text is: its number among the long texts.
  std::uint32_t FindOrAdd(std::string_view text);
  std::string_view Get(std::uint32_t number) const;

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::uint32_t number = kNoCode;
  };

  void Grow();

  CellVector<char> bytes_;
  CellVector<std::size_t> ends_;
  CellVector<Entry> entries_;
};

// The values of one column. NULL is a value like any other.
class ValueCodes {
 public:
  ValueCodes(Payload payload, CellMemory& memory);

  std::uint32_t count() const { return static_cast<std::uint32_t>(raws_.size()); }

  // Numbers below `count` are their own codes from now on. Requires: no value came before.
  void NumberFirst(std::uint32_t count);

  // The codes of the first n rows; `skip_nulls` leaves kNoCode where there is no value.
  void Encode(const ColumnData& column, std::size_t n, bool skip_nulls, std::uint32_t* codes);

  // The code of a value of another table of the same type.
  std::uint32_t Import(const ValueCodes& other, std::uint32_t code);
  std::uint32_t AddRaw(RawValue raw) {
    const std::uint32_t next = count();
    const std::uint32_t code = table_.FindOrAdd(raw, next);
    if (code == next) [[unlikely]] {
      raws_.push_back(raw);
    }
    return code;
  }

  bool IsNull(std::uint32_t code) const { return code == null_code_; }
  // Requires: not NULL. Long texts are numbers of this table: for equality within it only.
  RawValue Raw(std::uint32_t code) const { return raws_.data()[code]; }
  Value Decode(std::uint32_t code, const ColumnType& type) const;
  // The same for equal values of different tables.
  std::uint64_t Hash(std::uint32_t code) const;

 private:
  // Whether all of them are numbers that are their own codes; else some codes are not theirs.
  template <typename T>
  bool FindNumbered(const T* data, std::size_t n, std::uint32_t* codes) const;
  // Whether all of them are small numbers that came before; else some codes are kNoCode.
  template <typename T>
  bool FindSmall(const T* data, std::size_t n, std::uint32_t* codes) const;
  template <typename T>
  void EncodeNumbers(const ColumnData& column, std::size_t n, std::uint32_t* codes);
  void EncodeWide(const ColumnData& column, std::size_t n, std::uint32_t* codes);
  void EncodeTexts(const ColumnData& column, std::size_t n, std::uint32_t* codes);
  std::uint32_t FindRecent(RawValue raw);
  std::uint32_t AddLongText(std::string_view text);
  std::uint32_t NullCode();
  bool IsLong(RawValue raw) const;

  Payload payload_;
  CodeTable<RawValue> table_;
  // To find some sooner than by their hash: the codes of small numbers, with kNoCode at the end for
  // all others, and wide values that came before, each where a sum of its words puts it. Whose
  // place is taken is found by the hash.
  struct Recent {
    RawValue raw;
    std::uint32_t code = kNoCode;
  };
  CellVector<std::uint32_t> small_;
  CellVector<Recent> recent_;
  LongTexts texts_;
  CellVector<RawValue> raws_;
  std::uint32_t numbered_ = 0;  // numbers below it are their own codes
  std::uint32_t null_code_ = kNoCode;
};

// The key tuples of a query. Without keys there is one, with code 0.
class KeyCodes {
 public:
  KeyCodes(std::span<const ColumnType> types, CellMemory& memory);

  std::uint32_t count() const;

  // See ValueCodes. Requires: one column.
  void NumberFirst(std::uint32_t count) { columns_.at(0).NumberFirst(count); }

  void Encode(std::span<const ColumnData> columns, std::size_t n, std::uint32_t* codes);
  std::uint32_t Import(const KeyCodes& other, std::uint32_t code);
  std::vector<Value> Decode(std::uint32_t code, std::span<const ColumnType> types) const;

 private:
  // A tuple of i + 2 columns is a tuple of i + 1 and a value.
  struct Fold {
    explicit Fold(CellMemory& memory)
        : table(memory), pairs(CellAllocator<std::uint64_t>(memory)) {}
    std::uint32_t FindOrAdd(std::uint32_t head, std::uint32_t tail);
    std::uint32_t head(std::uint32_t code) const {
      return static_cast<std::uint32_t>(pairs[code] >> 32);
    }
    std::uint32_t tail(std::uint32_t code) const { return static_cast<std::uint32_t>(pairs[code]); }
    CodeTable<std::uint64_t> table;
    CellVector<std::uint64_t> pairs;
  };

  std::vector<ValueCodes> columns_;
  std::vector<Fold> folds_;
  CellVector<std::uint32_t> scratch_;
};

// Payload `payload` as it lies at `data[row]`, a number.
template <typename Visit>
void VisitNumbers(Payload payload, const void* data, const Visit& visit) {
  switch (payload) {
    case Payload::kBool:
      return visit(static_cast<const bool*>(data));
    case Payload::kInt8:
      return visit(static_cast<const std::int8_t*>(data));
    case Payload::kInt16:
      return visit(static_cast<const std::int16_t*>(data));
    case Payload::kInt32:
      return visit(static_cast<const std::int32_t*>(data));
    case Payload::kInt64:
      return visit(static_cast<const std::int64_t*>(data));
    case Payload::kUint8:
      return visit(static_cast<const std::uint8_t*>(data));
    case Payload::kUint16:
      return visit(static_cast<const std::uint16_t*>(data));
    case Payload::kUint32:
      return visit(static_cast<const std::uint32_t*>(data));
    case Payload::kUint64:
      return visit(static_cast<const std::uint64_t*>(data));
    case Payload::kFloat:
      return visit(static_cast<const float*>(data));
    case Payload::kDouble:
      return visit(static_cast<const double*>(data));
    case Payload::kNone:
    case Payload::kWide:
    case Payload::kText:
      break;
  }
  throw Bug("a number has a numeric payload");
}

}  // namespace dpsql

#include "backend/value_codes.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>

namespace dpsql {
namespace {

constexpr std::size_t kFirstPlaces = 64;
constexpr std::uint32_t kInlineBytes = 12;
constexpr std::size_t kSmallNumbers = 1024;
constexpr int kRecentBits = 8;
constexpr std::uint64_t kSpread = 0x9e3779b97f4a7c15;  // odd, its bits without a pattern
constexpr std::size_t kRowsAhead = 12;                 // fetched while a row is looked up

RawValue ReadRaw(const void* data, std::size_t row) {
  const char* const at = static_cast<const char*>(data) + row * sizeof(RawValue);
  RawValue raw;
  std::memcpy(&raw.low, at, sizeof(raw.low));
  std::memcpy(&raw.high, at + sizeof(raw.low), sizeof(raw.high));
  return raw;
}

std::uint32_t TextLength(RawValue raw) { return static_cast<std::uint32_t>(raw.low); }

// Requires: longer than kInlineBytes.
std::string_view LongText(RawValue raw) {
  return {std::bit_cast<const char*>(raw.high), TextLength(raw)};
}

std::string ShortText(RawValue raw) {
  char bytes[sizeof(RawValue)];
  std::memcpy(bytes, &raw, sizeof(raw));
  return {bytes + sizeof(std::uint32_t), TextLength(raw)};
}

}  // namespace

template <typename Key>
CodeTable<Key>::CodeTable(CellMemory& memory)
    : entries_(kFirstPlaces, Entry{}, CellAllocator<Entry>(memory)),
      mask_(kFirstPlaces - 1),
      shift_(64 - std::countr_zero(kFirstPlaces)) {}

template <typename Key>
std::uint32_t CodeTable<Key>::Add(Entry* entry, Key key, std::uint32_t next) {
  if (2 * (used_ + 1) > entries_.size()) {
    Grow();
    entry = Find(key);
  }
  *entry = {key, next};
  ++used_;
  return next;
}

template <typename Key>
void CodeTable<Key>::Grow() {
  CellVector<Entry> old(4 * entries_.size(), Entry{}, entries_.get_allocator());
  old.swap(entries_);
  mask_ = entries_.size() - 1;
  shift_ = 64 - std::countr_zero(entries_.size());
  for (const Entry& entry : old) {
    if (entry.code != kNoCode) *Find(entry.key) = entry;
  }
}

template class CodeTable<RawValue>;
template class CodeTable<std::uint64_t>;

LongTexts::LongTexts(CellMemory& memory)
    : bytes_(CellAllocator<char>(memory)),
      ends_(CellAllocator<std::size_t>(memory)),
      entries_(CellAllocator<Entry>(memory)) {}

std::string_view LongTexts::Get(std::uint32_t number) const {
  const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
  return {bytes_.data() + begin, ends_[number] - begin};
}

std::uint32_t LongTexts::FindOrAdd(std::string_view text) {
  if (2 * (ends_.size() + 1) > entries_.size()) Grow();
  const std::uint64_t hash = KeyedHash(text);
  std::size_t at = hash & (entries_.size() - 1);
  for (; entries_[at].number != kNoCode; at = (at + 1) & (entries_.size() - 1)) {
    if (entries_[at].hash == hash && Get(entries_[at].number) == text) return entries_[at].number;
  }
  const auto number = static_cast<std::uint32_t>(ends_.size());
  bytes_.insert(bytes_.end(), text.begin(), text.end());
  ends_.push_back(bytes_.size());
  entries_[at] = {hash, number};
  return number;
}

void LongTexts::Grow() {
  CellVector<Entry> old(std::max(kFirstPlaces, 4 * entries_.size()), Entry{},
                        entries_.get_allocator());
  old.swap(entries_);
  for (const Entry& entry : old) {
    if (entry.number == kNoCode) continue;
    std::size_t at = entry.hash & (entries_.size() - 1);
    while (entries_[at].number != kNoCode) at = (at + 1) & (entries_.size() - 1);
    entries_[at] = entry;
  }
}

ValueCodes::ValueCodes(Payload payload, CellMemory& memory)
    : payload_(payload),
      table_(memory),
      small_(CellAllocator<std::uint32_t>(memory)),
      recent_(CellAllocator<Recent>(memory)),
      texts_(memory),
      raws_(CellAllocator<RawValue>(memory)) {}

std::uint32_t ValueCodes::NullCode() {
  if (null_code_ == kNoCode) {
    null_code_ = count();
    raws_.push_back({});
  }
  return null_code_;
}

bool ValueCodes::IsLong(RawValue raw) const {
  return payload_ == Payload::kText && TextLength(raw) > kInlineBytes;
}

std::uint32_t ValueCodes::AddLongText(std::string_view text) {
  const std::uint32_t number = texts_.FindOrAdd(text);
  return AddRaw({.low = kInlineBytes + 1, .high = number});
}

void ValueCodes::NumberFirst(std::uint32_t count) {
  Check(raws_.empty(), "codes are given out once");
  for (std::uint32_t number = 0; number < count; ++number) AddRaw({.low = number});
  numbered_ = count;
}

template <typename T>
bool ValueCodes::FindNumbered(const T* data, std::size_t n, std::uint32_t* codes) const {
  if (numbered_ == 0) return false;
  // A number below `numbered_` leaves the highest bit of both empty, and no other does: negative
  // ones are large here.
  using Wide = std::conditional_t<sizeof(T) == sizeof(std::uint64_t), std::uint64_t, std::uint32_t>;
  const Wide last = numbered_ - 1;
  Wide beyond = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const auto number = static_cast<Wide>(static_cast<std::int64_t>(data[i]));
    codes[i] = static_cast<std::uint32_t>(number);
    beyond |= number | (last - number);
  }
  return beyond >> (std::numeric_limits<Wide>::digits - 1) == 0;
}

template <typename T>
bool ValueCodes::FindSmall(const T* data, std::size_t n, std::uint32_t* codes) const {
  if (small_.empty()) return false;
  const std::uint32_t* const small = small_.data();
  std::uint32_t unknown = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t code =
        small[std::min<std::uint64_t>(static_cast<std::uint64_t>(data[i]), kSmallNumbers)];
    codes[i] = code;
    unknown |= code == kNoCode ? 1 : 0;
  }
  return unknown == 0;
}

template <typename T>
void ValueCodes::EncodeNumbers(const ColumnData& column, std::size_t n, std::uint32_t* codes) {
  const T* data = static_cast<const T*>(column.data);
  if (column.all_valid(n) && (FindNumbered(data, n, codes) || FindSmall(data, n, codes))) return;
  const std::size_t ahead = table_.outgrows_cache() ? kRowsAhead : n;
  if (small_.empty()) small_.resize(kSmallNumbers + 1, kNoCode);
  for (std::size_t i = 0; i < n; ++i) {
    if (i + ahead < n) table_.Prefetch({.low = static_cast<std::uint64_t>(data[i + ahead])});
    if (!column.valid(i)) continue;
    const RawValue raw{.low = static_cast<std::uint64_t>(data[i]), .high = 0};
    if (raw.low >= kSmallNumbers) {
      codes[i] = AddRaw(raw);
      continue;
    }
    std::uint32_t& code = small_.data()[raw.low];
    if (code == kNoCode) code = AddRaw(raw);
    codes[i] = code;
  }
}

// Requires: `recent_` has its places.
inline std::uint32_t ValueCodes::FindRecent(RawValue raw) {
  Recent& recent = recent_.data()[(raw.low + raw.high) * kSpread >> (64 - kRecentBits)];
  if (recent.code == kNoCode || !(recent.raw == raw)) [[unlikely]] {
    recent = {raw, AddRaw(raw)};
  }
  return recent.code;
}

void ValueCodes::EncodeWide(const ColumnData& column, std::size_t n, std::uint32_t* codes) {
  if (recent_.empty()) recent_.resize(std::size_t{1} << kRecentBits);
  for (std::size_t i = 0; i < n; ++i) {
    if (column.valid(i)) codes[i] = FindRecent(ReadRaw(column.data, i));
  }
}

void ValueCodes::EncodeTexts(const ColumnData& column, std::size_t n, std::uint32_t* codes) {
  if (recent_.empty()) recent_.resize(std::size_t{1} << kRecentBits);
  for (std::size_t i = 0; i < n; ++i) {
    if (!column.valid(i)) continue;
    const RawValue raw = ReadRaw(column.data, i);
    codes[i] = TextLength(raw) <= kInlineBytes ? FindRecent(raw) : AddLongText(LongText(raw));
  }
}

void ValueCodes::Encode(const ColumnData& column, std::size_t n, bool skip_nulls,
                        std::uint32_t* codes) {
  if (!column.all_valid(n)) std::fill(codes, codes + n, skip_nulls ? kNoCode : NullCode());
  if (payload_ == Payload::kText) return EncodeTexts(column, n, codes);
  if (payload_ == Payload::kWide) return EncodeWide(column, n, codes);
  Check(payload_ != Payload::kFloat && payload_ != Payload::kDouble, "a coded value is exact");
  VisitNumbers(payload_, column.data, [&]<typename T>(const T*) {
    if constexpr (!std::is_floating_point_v<T>) EncodeNumbers<T>(column, n, codes);
  });
}

std::uint32_t ValueCodes::Import(const ValueCodes& other, std::uint32_t code) {
  if (other.IsNull(code)) return NullCode();
  const RawValue raw = other.Raw(code);
  if (!IsLong(raw)) return AddRaw(raw);
  return AddLongText(other.texts_.Get(static_cast<std::uint32_t>(raw.high)));
}

std::uint64_t ValueCodes::Hash(std::uint32_t code) const {
  const RawValue raw = Raw(code);
  if (!IsLong(raw)) return HashOf(raw);
  return KeyedHash(texts_.Get(static_cast<std::uint32_t>(raw.high)));
}

Value ValueCodes::Decode(std::uint32_t code, const ColumnType& type) const {
  if (IsNull(code)) return std::monostate{};
  const RawValue raw = Raw(code);
  if (type.payload == Payload::kText) {
    if (!IsLong(raw)) return ShortText(raw);
    return std::string(texts_.Get(static_cast<std::uint32_t>(raw.high)));
  }
  if (type.to_value) return type.to_value(raw);
  if (type.payload == Payload::kBool) return raw.low != 0;
  return static_cast<std::int64_t>(raw.low);
}

KeyCodes::KeyCodes(std::span<const ColumnType> types, CellMemory& memory)
    : scratch_(CellAllocator<std::uint32_t>(memory)) {
  for (const ColumnType& type : types) columns_.emplace_back(type.payload, memory);
  for (std::size_t i = 1; i < types.size(); ++i) folds_.emplace_back(memory);
}

std::uint32_t KeyCodes::Fold::FindOrAdd(std::uint32_t head, std::uint32_t tail) {
  const std::uint64_t pair = PairOf(head, tail);
  const auto next = static_cast<std::uint32_t>(pairs.size());
  const std::uint32_t code = table.FindOrAdd(pair, next);
  if (code == next) pairs.push_back(pair);
  return code;
}

std::uint32_t KeyCodes::count() const {
  if (columns_.empty()) return 1;
  if (folds_.empty()) return columns_[0].count();
  return static_cast<std::uint32_t>(folds_.back().pairs.size());
}

void KeyCodes::Encode(std::span<const ColumnData> columns, std::size_t n, std::uint32_t* codes) {
  if (columns_.empty()) return std::fill(codes, codes + n, 0);
  columns_[0].Encode(columns[0], n, false, codes);
  scratch_.resize(std::max(scratch_.size(), n));
  for (std::size_t f = 0; f < folds_.size(); ++f) {
    std::uint32_t* const tails = scratch_.data();
    columns_[f + 1].Encode(columns[f + 1], n, false, tails);
    for (std::size_t i = 0; i < n; ++i) codes[i] = folds_[f].FindOrAdd(codes[i], tails[i]);
  }
}

std::uint32_t KeyCodes::Import(const KeyCodes& other, std::uint32_t code) {
  if (columns_.empty()) return 0;
  std::vector<std::uint32_t> tails(columns_.size());
  for (std::size_t i = columns_.size(); i-- > 1;) {
    tails[i] = other.folds_[i - 1].tail(code);
    code = other.folds_[i - 1].head(code);
  }
  std::uint32_t own = columns_[0].Import(other.columns_[0], code);
  for (std::size_t i = 1; i < columns_.size(); ++i) {
    own = folds_[i - 1].FindOrAdd(own, columns_[i].Import(other.columns_[i], tails[i]));
  }
  return own;
}

std::vector<Value> KeyCodes::Decode(std::uint32_t code, std::span<const ColumnType> types) const {
  std::vector<Value> key(columns_.size());
  for (std::size_t i = columns_.size(); i-- > 1;) {
    key[i] = columns_[i].Decode(folds_[i - 1].tail(code), types[i]);
    code = folds_[i - 1].head(code);
  }
  if (!key.empty()) key[0] = columns_[0].Decode(code, types[0]);
  return key;
}

}  // namespace dpsql

#include "backend/unit_cells.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/check.h"

namespace dpsql {
namespace {

constexpr std::size_t kMostDenseCodes = 16;
constexpr std::uint64_t kRangePerRow = 8;
constexpr std::size_t kFirstRoom = 1024;

bool IsInteger(Payload payload) { return payload >= Payload::kInt8 && payload <= Payload::kUint64; }

std::span<const ColumnType> KeyTypes(const CellLayout& layout, std::span<const ColumnType> types) {
  return types.subspan(layout.first_key(), layout.keys);
}

}  // namespace

CellRecord::CellRecord(const CellLayout& layout)
    : sums(layout.sums.size()), classes(layout.classes.size()), first_head(classes) {
  words = sums + (classes + layout.distincts.size() + 1) / 2;
}

void CellRecord::Spill(const CellLayout& layout, std::size_t row_class, std::uint64_t* record,
                       WideCell& wide) const {
  wide.resize(classes + sums, 0);
  std::uint32_t& count = counts(record)[row_class];
  wide[row_class] += count - 1;
  count = 1;
  for (std::size_t s = 0; s < sums; ++s) {
    if (layout.sums[s].row_class != row_class) continue;
    wide[classes + s] += static_cast<std::int64_t>(record[s]);
    record[s] = 0;
  }
}

UnitCells::Distinct::Distinct(Payload payload, CellMemory& memory)
    : codes(payload, memory),
      seen(memory),
      values(CellAllocator<Link>(memory)),
      last_cell(CellAllocator<std::uint32_t>(memory)) {}

UnitCells::UnitCells(const CellLayout& layout, std::span<const ColumnType> types,
                     CellMemory& memory)
    : layout_(layout),
      types_(types.begin(), types.end()),
      memory_(memory),
      record_(layout),
      terms_(layout_, types_),
      keys_(KeyTypes(layout, types), memory),
      units_(layout.rows_are_units ? Payload::kInt64 : types[0].payload, memory),
      dense_units_(layout.rows_are_units || IsInteger(types[0].payload)),
      listed_(!layout.distincts.empty()),
      dense_(memory),
      records_(CellAllocator<std::uint64_t>(memory)),
      places_(CellAllocator<CellPlace>(memory)),
      ends_(CellAllocator<std::uint32_t>(memory)),
      listed_cells_(memory) {
  Check(!layout.classes.empty(), "a cell counts the rows of a class");
  const bool few_places = layout.rows_are_units && layout.keys == 1 && layout.comes_as_place(0) &&
                          layout.listed[0].size() < kMostDenseCodes;
  if (few_places) keys_.NumberFirst(static_cast<std::uint32_t>(layout.listed[0].size() + 1));
  for (const DistinctSet& distinct : layout.distincts) {
    distincts_.emplace_back(types[layout.first_presence() + distinct.presence].payload, memory);
  }
}

void UnitCells::Add(std::span<const ColumnData> columns, std::size_t n) {
  if (n == 0) return;
  rows_ += n;
  slots_.resize(n);
  codes_.resize(n);
  cells_.resize(n);
  terms_.Read(columns, n);
  if (layout_.rows_are_units) {
    if (room_ == 0) Relayout(0, 1, stride_);  // the only slot is 0
  } else {
    FindSlots(columns[0], n);
  }
  keys_.Encode(columns.subspan(layout_.first_key(), layout_.keys), n, codes_.data());
  MakeRoomForCodes();
  const bool one_cell = layout_.rows_are_units && layout_.keys == 0;
  if (!one_cell) {
    FindCells(n);
  } else if (listed_) {
    std::fill(cells_.begin(), cells_.end(), FindListed(0, 0));
  }
  AddDistincts(columns, n);
  if (one_cell) return AddTotals(n);
  HasFewCells() ? AddToFewCells(n) : AddRows(n);
}

void UnitCells::FindSlots(const ColumnData& column, std::size_t n) {
  Check(column.all_valid(n), "rows without a unit are filtered before");
  if (!dense_units_ && IsInteger(types_[0].payload) && rows_ >= next_look_) ReturnToDenseUnits();
  if (dense_units_) {
    VisitNumbers(types_[0].payload, column.data, [&](const auto* units) {
      if (CoverDense(units, n)) {
        FindDenseSlots(units, n);
      } else {
        LeaveDenseUnits();
      }
    });
  }
  if (dense_units_) return;
  units_.Encode(column, n, false, slots_.data());
  if (units_.count() > room_) {
    if (!IsWorthAnArray(RoomForCodes())) ListCells();
    Relayout(0, RoomForCodes(), stride_);
  }
}

std::size_t UnitCells::RoomForCodes() const {
  return std::max(kFirstRoom, std::bit_ceil(std::size_t{units_.count()}));
}

// Whether so many units may keep an array of all codes that there are.
bool UnitCells::IsWorthAnArray(std::size_t room) const {
  const bool few =
      stride_ <= kMostDenseCodes || room * stride_ * record_.words <= layout_.dense_words;
  return few && MayTake(room, stride_);
}

bool UnitCells::LieClose(std::uint64_t last, std::uint64_t rows, std::uint64_t free_range) {
  return last < std::max(free_range, kRangePerRow * rows);
}

// Numbers mostly begin near 0, and pages before the least cost nothing; other room is left on both
// sides.
UnitCells::NumberRoom UnitCells::RoomForNumbers(std::int64_t least, std::int64_t largest) const {
  const std::uint64_t last =
      static_cast<std::uint64_t>(largest) - static_cast<std::uint64_t>(least);
  const bool near_zero = least >= 0 && static_cast<std::uint64_t>(largest) < layout_.free_range;
  const std::uint64_t span = near_zero ? static_cast<std::uint64_t>(largest) : last;
  const std::size_t slots = std::max(kFirstRoom, std::bit_ceil(span + 1));
  return {.base = near_zero ? 0 : static_cast<std::uint64_t>(least) - (slots - last - 1) / 2,
          .slots = slots};
}

// Makes room for all numbers from the least to the largest seen. Returns whether they lie close
// enough together for that.
template <typename T>
bool UnitCells::CoverDense(const T* units, std::size_t n) {
  std::int64_t least = room_ == 0 ? static_cast<std::int64_t>(units[0]) : least_;
  std::int64_t largest = room_ == 0 ? least : largest_;
  for (std::size_t i = 0; i < n; ++i) {
    least = std::min(least, static_cast<std::int64_t>(units[i]));
    largest = std::max(largest, static_cast<std::int64_t>(units[i]));
  }
  const std::uint64_t last =
      static_cast<std::uint64_t>(largest) - static_cast<std::uint64_t>(least);
  if (!LieClose(last, rows_, layout_.free_range)) return false;
  const bool first = room_ == 0;
  const bool lower = first || SlotOf(least) >= room_;
  if (lower || SlotOf(largest) >= room_) {
    const NumberRoom room = RoomForNumbers(least, largest);
    if (!MayTake(room.slots, stride_)) return false;
    if (!IsWorthAnArray(room.slots)) ListCells();
    const std::size_t shift = first ? 0 : static_cast<std::uint64_t>(base_) - room.base;
    Relayout(shift, room.slots, stride_);
    base_ = static_cast<std::int64_t>(room.base);
  }
  least_ = least;
  largest_ = largest;
  return true;
}

bool UnitCells::MayTake(std::size_t room, std::size_t stride) const {
  const std::size_t words = room * (listed_ ? 1 : std::max<std::size_t>(stride, 1) * record_.words);
  return words * sizeof(std::uint64_t) <= memory_.left() / 2 && words >> 32 == 0;
}

template <typename T>
void UnitCells::FindDenseSlots(const T* units, std::size_t n) {
  const auto base = static_cast<std::uint64_t>(base_);
  std::uint32_t* const slots = slots_.data();
  for (std::size_t i = 0; i < n; ++i) {
    const auto unit = static_cast<std::uint64_t>(static_cast<std::int64_t>(units[i]));
    slots[i] = static_cast<std::uint32_t>(unit - base);
  }
}

bool UnitCells::SlotIsLive(std::size_t slot) const {
  const std::size_t words = stride_ * record_.words;
  const std::uint64_t* const first = dense_.data() + slot * words;
  return std::any_of(first, first + words, [](std::uint64_t word) { return word != 0; });
}

void UnitCells::Relayout(std::size_t shift, std::size_t room, std::size_t stride) {
  const std::size_t old_words = stride_ * record_.words;
  const std::size_t old_room = std::exchange(room_, room);
  if (listed_) {
    for (CellPlace& place : places_) place.slot += static_cast<std::uint32_t>(shift);
    if (shift != 0) IndexListed();
    return;
  }
  Check(room * stride * record_.words >> 32 == 0, "a cell of the array has a number of 32 bits");
  if (dense_.words() != 0 && shift == 0 && stride == stride_) {
    return dense_.Extend(room * old_words);
  }
  ZeroedWords dense(memory_, room * stride * record_.words);
  for (std::size_t slot = 0; slot < old_room && old_words != 0; ++slot) {
    if (!SlotIsLive(slot)) continue;
    std::copy_n(dense_.data() + slot * old_words, old_words,
                dense.data() + (slot + shift) * stride * record_.words);
  }
  dense_ = std::move(dense);
  stride_ = stride;
}

// After units got other names.
template <typename Rename>
void UnitCells::RenameSpilled(const Rename& renamed) {
  std::map<CellName, WideCell> spilled;
  for (auto& [name, wide] : spilled_) {
    spilled[{renamed(name.first), name.second}] = std::move(wide);
  }
  spilled_ = std::move(spilled);
}

void UnitCells::LeaveDenseUnits() {
  const auto code_of = [&](std::uint64_t slot) {
    return units_.AddRaw({.low = slot + static_cast<std::uint64_t>(base_)});
  };
  if (!listed_) {
    const std::size_t first = room_ == 0 ? 0 : SlotOf(least_);
    const std::size_t end = room_ == 0 ? 0 : SlotOf(largest_) + 1;
    for (std::size_t slot = first; slot < end; ++slot) {
      if (SlotIsLive(slot)) code_of(slot);
    }
    if (!IsWorthAnArray(RoomForCodes())) ListCells();
  }
  if (listed_) {
    for (CellPlace& place : places_) place.slot = code_of(place.slot);
    IndexListed();
  }
  room_ = RoomForCodes();
  if (!listed_) {
    const std::size_t words = stride_ * record_.words;
    ZeroedWords moved(memory_, room_ * words);
    for (std::uint32_t code = 0; code < units_.count(); ++code) {
      const std::size_t slot = SlotOf(static_cast<std::int64_t>(units_.Raw(code).low));
      std::copy_n(dense_.data() + slot * words, words, moved.data() + code * words);
    }
    dense_ = std::move(moved);
  }
  RenameSpilled([&](std::uint64_t number) { return units_.AddRaw({.low = number}); });
  dense_units_ = false;
  if (next_look_ == 0) next_look_ = 2 * rows_;
}

// The first rows of a large table look like a few numbers far apart. Looks again whenever the rows
// have doubled, so that the looks together read as many units as there are; returns once.
void UnitCells::ReturnToDenseUnits() {
  next_look_ = 2 * rows_;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t largest = std::numeric_limits<std::int64_t>::min();
  for (std::uint32_t code = 0; code < units_.count(); ++code) {
    least = std::min(least, static_cast<std::int64_t>(units_.Raw(code).low));
    largest = std::max(largest, static_cast<std::int64_t>(units_.Raw(code).low));
  }
  const std::uint64_t last =
      static_cast<std::uint64_t>(largest) - static_cast<std::uint64_t>(least);
  if (least > largest || !LieClose(last, rows_, layout_.free_range)) return;
  const NumberRoom room = RoomForNumbers(least, largest);
  if (!MayTake(room.slots, stride_) || (!listed_ && !IsWorthAnArray(room.slots))) return;

  const auto slot_of = [&](std::uint32_t code) { return units_.Raw(code).low - room.base; };
  if (listed_) {
    for (CellPlace& place : places_) place.slot = static_cast<std::uint32_t>(slot_of(place.slot));
    IndexListed();
  } else {
    const std::size_t words = stride_ * record_.words;
    ZeroedWords moved(memory_, room.slots * words);
    for (std::uint32_t code = 0; code < units_.count(); ++code) {
      std::copy_n(dense_.data() + code * words, words, moved.data() + slot_of(code) * words);
    }
    dense_ = std::move(moved);
  }
  RenameSpilled(
      [&](std::uint64_t code) { return units_.Raw(static_cast<std::uint32_t>(code)).low; });
  units_ = ValueCodes(types_[0].payload, memory_);
  base_ = static_cast<std::int64_t>(room.base);
  room_ = room.slots;
  least_ = least;
  largest_ = largest;
  dense_units_ = true;
  next_look_ = std::numeric_limits<std::uint64_t>::max();
}

// After slots got other numbers.
void UnitCells::IndexListed() {
  if (is_log()) return;
  listed_cells_ = CodeTable<std::uint64_t>(memory_);
  for (std::uint32_t cell = 0; cell < places_.size(); ++cell) {
    listed_cells_.FindOrAdd(PairOf(places_[cell].slot, places_[cell].code), cell);
  }
}

void UnitCells::MakeRoomForCodes() {
  const std::size_t count = keys_.count();
  if (listed_ || count <= stride_) return;
  const bool few = room_ * count * record_.words <= layout_.dense_words;
  const std::size_t stride = std::max(count, std::min(2 * stride_, kMostDenseCodes));
  if ((few || count <= kMostDenseCodes) && MayTake(room_, stride)) {
    Relayout(0, room_, stride);
  } else {
    ListCells();
  }
}

void UnitCells::ListCells() {
  if (listed_) return;
  listed_ = true;
  for (std::size_t slot = 0; slot < room_; ++slot) {
    for (std::uint32_t code = 0; code < stride_; ++code) {
      const std::uint64_t* record = dense_.data() + (slot * stride_ + code) * record_.words;
      if (!record_.live(record)) continue;
      const std::size_t cell = FindListed(slot, code);
      std::copy_n(record, record_.words, records_.data() + cell * record_.words);
    }
  }
  dense_ = ZeroedWords(memory_);
}

std::uint32_t UnitCells::FindListed(std::size_t slot, std::uint32_t code) {
  const auto next = static_cast<std::uint32_t>(places_.size());
  const auto own_slot = static_cast<std::uint32_t>(slot);
  if (!is_log()) {
    const std::uint32_t cell = listed_cells_.FindOrAdd(PairOf(own_slot, code), next);
    if (cell != next) return cell;
  }
  places_.push_back({.slot = own_slot, .code = code});
  records_.resize(records_.size() + record_.words, 0);
  return next;
}

void UnitCells::Settle() {
  if (!listed_) return;
  listed_cells_ = CodeTable<std::uint64_t>(memory_);
  // What was moved out of a record belongs to the one cell of its name.
  if (is_log() && any_spilled()) ShortenLog();
  SortBySlot();
}

void UnitCells::SortBySlot() {
  ends_.assign(room_, 0);
  for (const CellPlace& place : places_) ends_[place.slot] += 1;
  std::uint32_t total = 0;
  for (std::uint32_t& end : ends_) end = std::exchange(total, total + end);
  // Now each is where its unit begins; placing the cells moves it to where the unit ends.
  CellVector<CellPlace> places(places_.size(), places_.get_allocator());
  CellVector<std::uint64_t> records(records_.size(), records_.get_allocator());
  for (std::size_t cell = 0; cell < places_.size(); ++cell) {
    const std::uint32_t to = ends_.data()[places_.data()[cell].slot]++;
    places.data()[to] = places_.data()[cell];
    std::copy_n(records_.data() + cell * record_.words, record_.words,
                records.data() + to * record_.words);
  }
  places_ = std::move(places);
  records_ = std::move(records);
}

void UnitCells::Join(CellPlace place, std::uint64_t* target, const std::uint64_t* record) {
  const std::uint32_t* const added = record_.counts(record);
  for (std::size_t s = 0; s < record_.sums; ++s) target[s] += record[s];
  for (std::size_t c = 0; c < record_.classes; ++c) {
    std::uint32_t& count = record_.counts(target)[c];
    count += added[c];
    if (count < layout_.rows_before_spill) continue;
    record_.Spill(layout_, c, target, spilled_[NameOf(place.slot, place.code)]);
  }
}

void UnitCells::ShortenLog() {
  SortBySlot();
  CellVector<std::uint32_t> last(keys_.count(), kNoCode, CellAllocator<std::uint32_t>(memory_));
  std::uint32_t kept = 0;
  std::uint32_t first = 0;  // of the slot's
  for (std::uint32_t cell = 0; cell < places_.size(); ++cell) {
    const CellPlace place = places_.data()[cell];
    if (cell > 0 && place.slot != places_.data()[kept - 1].slot) first = kept;
    const std::uint64_t* const record = records_.data() + cell * record_.words;
    std::uint32_t& same = last.data()[place.code];
    if (same != kNoCode && same >= first) {
      Join(place, records_.data() + same * record_.words, record);
      continue;
    }
    same = kept;
    places_.data()[kept] = place;
    std::copy_n(record, record_.words, records_.data() + kept * record_.words);
    ++kept;
  }
  places_.resize(kept);
  records_.resize(kept * record_.words);
  log_limit_ = 2 * places_.size();
}

// A row is a cell of its own.
void UnitCells::LogCells(std::size_t n) {
  if (places_.size() + n > std::max(log_limit_, layout_.log_cells)) ShortenLog();
  const std::size_t first = places_.size();
  places_.resize(first + n);
  records_.resize((first + n) * record_.words, 0);
  for (std::size_t i = 0; i < n; ++i) {
    places_.data()[first + i] = {.slot = slots_.data()[i], .code = codes_.data()[i]};
    cells_.data()[i] = static_cast<std::uint32_t>(first + i);
  }
}

void UnitCells::FindCells(std::size_t n) {
  const std::uint32_t* const slots = slots_.data();
  const std::uint32_t* const codes = codes_.data();
  std::uint32_t* const cells = cells_.data();
  if (!listed_ && layout_.rows_are_units) {
    if (!HasFewCells()) std::copy_n(codes, n, cells);  // else a code is its cell
    return;
  }
  if (!listed_) {
    const auto stride = static_cast<std::uint32_t>(stride_);
    for (std::size_t i = 0; i < n; ++i) cells[i] = slots[i] * stride + codes[i];
    return;
  }
  if (is_log()) return LogCells(n);
  for (std::size_t i = 0; i < n; ++i) listed_cells_.Prefetch(PairOf(slots[i], codes[i]));
  for (std::size_t i = 0; i < n; ++i) cells[i] = FindListed(slots[i], codes[i]);
}

void UnitCells::AddDistincts(std::span<const ColumnData> columns, std::size_t n) {
  for (std::size_t d = 0; d < distincts_.size(); ++d) {
    const DistinctSet& set = layout_.distincts[d];
    Distinct& distinct = distincts_[d];
    const std::uint8_t* const in_class = terms_.in_class(set.row_class);
    values_.resize(n);
    distinct.codes.Encode(columns[layout_.first_presence() + set.presence], n, true,
                          values_.data());
    distinct.last_cell.resize(distinct.codes.count(), kNoCode);
    for (std::size_t i = 0; i < n; ++i) {
      if (in_class[i] == 0 || values_[i] == kNoCode) continue;
      std::uint32_t& last = distinct.last_cell.data()[values_[i]];
      if (last == cells_[i]) continue;
      last = cells_[i];
      const auto next = static_cast<std::uint32_t>(distinct.values.size());
      if (distinct.seen.FindOrAdd(PairOf(cells_[i], values_[i]), next) != next) continue;
      std::uint64_t* const record = records_.data() + cells_[i] * record_.words;
      std::uint32_t& head = record_.counts(record)[record_.first_head + d];
      distinct.values.push_back({.code = values_[i], .next = head});
      head = next + 1;
    }
  }
}

const WideCell* UnitCells::Spilled(std::size_t slot, std::uint32_t code) const {
  const auto found = spilled_.find(NameOf(slot, code));
  return found == spilled_.end() ? nullptr : &found->second;
}

}  // namespace dpsql

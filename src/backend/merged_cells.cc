#include "backend/merged_cells.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <optional>
#include <thread>
#include <utility>
#include <variant>

#include "base/check.h"

namespace dpsql {

void RunTasks(std::size_t count, const std::function<void(std::size_t)>& task) {
  std::vector<std::exception_ptr> thrown(count);
  const auto run = [&](std::size_t i) {
    try {
      task(i);
    } catch (...) {
      thrown[i] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < count; ++i) threads.emplace_back(run, i);
    if (count > 0) run(0);
  }
  for (const std::exception_ptr& exception : thrown) {
    if (exception) std::rethrow_exception(exception);
  }
}

CellPart::CellPart(const CellLayout& layout, Payload unit, CellMemory& memory)
    : record(layout),
      numbered(true),
      names(CellAllocator<std::uint64_t>(memory)),
      ends(CellAllocator<std::uint32_t>(memory)),
      keys(CellAllocator<std::uint32_t>(memory)),
      records(CellAllocator<std::uint64_t>(memory)),
      texts(unit, memory),
      value_ends(layout.distincts.size(),
                 CellVector<std::uint32_t>(CellAllocator<std::uint32_t>(memory))),
      values(value_ends) {}

std::int64_t CellPart::Rows(std::size_t cell, std::size_t row_class) const {
  const std::int64_t rows = record.counts(records.data() + cell * record.words)[row_class];
  if (spilled.empty()) return rows;
  const auto found = spilled.find(static_cast<std::uint32_t>(cell));
  if (found == spilled.end()) return rows;
  return rows + static_cast<std::int64_t>(found->second[row_class]);
}

Int128 CellPart::Sum(std::size_t cell, std::size_t index) const {
  const auto sum = static_cast<std::int64_t>(records.data()[cell * record.words + index]);
  if (spilled.empty()) return sum;
  const auto found = spilled.find(static_cast<std::uint32_t>(cell));
  return found == spilled.end() ? sum : sum + found->second[record.classes + index];
}

std::span<const std::uint32_t> CellPart::Values(std::size_t cell, std::size_t index) const {
  const CellVector<std::uint32_t>& ends_of = value_ends[index];
  const std::uint32_t begin = cell == 0 ? 0 : ends_of[cell - 1];
  return {values[index].data() + begin, ends_of[cell] - begin};
}

namespace {

// Fewer rows are merged sooner than a thread starts.
constexpr std::uint64_t kRowsWorthAThread = 1000;

// A thread's table, with its codes as codes of the whole.
struct Source {
  const UnitCells* table = nullptr;
  std::vector<std::uint32_t> keys;
  std::vector<std::vector<std::uint32_t>> values;  // per distinct set
};

// Writes one part, unit after unit.
class PartWriter {
 public:
  PartWriter(const CellLayout& layout, std::size_t keys, CellPart& part)
      : layout_(layout), part_(part), place_(keys, 0) {}

  // Takes room for so many units of one cell, where there is plenty.
  void Expect(std::size_t units, const CellMemory& memory) {
    const std::size_t bytes =
        units * (sizeof(std::uint64_t) * (part_.record.words + 1) + 2 * sizeof(std::uint32_t));
    if (bytes > memory.left() / 8) return;
    part_.names.reserve(units);
    part_.ends.reserve(units);
    part_.keys.reserve(units);
    part_.records.reserve(units * part_.record.words);
  }

  // Adds what one source has of the unit being written.
  void Gather(const Source& source, std::size_t slot) {
    source.table->ForEachCell(slot, [&](std::uint32_t code, const std::uint64_t* record) {
      if (part_.record.live(record)) AddCell(source, slot, code, record);
    });
  }

  // Ends the unit; one without cells is left out.
  void EndUnit(std::uint64_t name) {
    if (part_.keys.size() == begin_) return;
    part_.names.push_back(name);
    part_.ends.push_back(static_cast<std::uint32_t>(part_.keys.size()));
    for (std::size_t d = 0; d < layout_.distincts.size(); ++d) WriteValues(d);
    begin_ = part_.keys.size();
    pending_.clear();
  }

 private:
  // Of a cell of the unit being written: where it came from, for its distinct values.
  struct Origin {
    std::size_t cell = 0;
    const Source* source = nullptr;
    const std::uint64_t* record = nullptr;
  };

  void AddCell(const Source& source, std::size_t slot, std::uint32_t code,
               const std::uint64_t* record) {
    const std::uint32_t key = source.keys.data()[code];
    std::size_t cell = place_.data()[key];  // a guess, of this unit or of an earlier one
    if (cell < begin_ || cell >= part_.keys.size() || part_.keys.data()[cell] != key) {
      cell = part_.keys.size();
      place_.data()[key] = cell;
      part_.keys.push_back(key);
      const std::size_t end = part_.records.size();
      part_.records.resize(end + part_.record.words);
      std::copy_n(record, part_.record.words, part_.records.data() + end);
    } else {
      AddRecord(cell, record);
    }
    if (source.table->any_spilled()) AddWide(cell, source.table->Spilled(slot, code));
    if (!layout_.distincts.empty()) pending_.push_back({cell, &source, record});
  }

  void AddRecord(std::size_t cell, const std::uint64_t* record) {
    std::uint64_t* const target = part_.records.data() + cell * part_.record.words;
    const std::uint32_t* const added = part_.record.counts(record);
    for (std::size_t s = 0; s < part_.record.sums; ++s) target[s] += record[s];
    for (std::size_t c = 0; c < part_.record.classes; ++c) {
      std::uint32_t& count = part_.record.counts(target)[c];
      count += added[c];
      if (count >= layout_.rows_before_spill) Spill(cell, c);
    }
  }

  WideCell& Wide(std::size_t cell) {
    WideCell& wide = part_.spilled[static_cast<std::uint32_t>(cell)];
    wide.resize(part_.record.classes + part_.record.sums, 0);
    return wide;
  }

  void Spill(std::size_t cell, std::size_t row_class) {
    std::uint64_t* const record = part_.records.data() + cell * part_.record.words;
    WideCell& wide = Wide(cell);
    std::uint32_t& count = part_.record.counts(record)[row_class];
    wide[row_class] += count - 1;
    count = 1;
    for (std::size_t s = 0; s < part_.record.sums; ++s) {
      if (layout_.sums[s].row_class != row_class) continue;
      wide[part_.record.classes + s] += static_cast<std::int64_t>(record[s]);
      record[s] = 0;
    }
  }

  void AddWide(std::size_t cell, const WideCell* added) {
    if (added == nullptr) return;
    WideCell& wide = Wide(cell);
    for (std::size_t i = 0; i < wide.size(); ++i) wide[i] += (*added)[i];
  }

  void WriteValues(std::size_t index) {
    CellVector<std::uint32_t>& values = part_.values[index];
    for (std::size_t cell = begin_; cell < part_.keys.size(); ++cell) {
      const std::size_t first = values.size();
      for (const Origin& origin : pending_) {
        if (origin.cell != cell) continue;
        origin.source->table->ForEachValue(index, origin.record, [&](std::uint32_t code) {
          values.push_back(origin.source->values[index][code]);
        });
      }
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
      std::sort(begin, values.end());
      values.erase(std::unique(begin, values.end()), values.end());
      part_.value_ends[index].push_back(static_cast<std::uint32_t>(values.size()));
    }
  }

  const CellLayout& layout_;
  CellPart& part_;
  std::vector<std::size_t> place_;  // per key, the cell written last for it
  std::size_t begin_ = 0;           // the first cell of the unit being written
  std::vector<Origin> pending_;
};

// Units that are numbers in all tables: a part is a range of numbers.
void WriteRange(std::span<const Source> sources, std::pair<Int128, Int128> range,
                PartWriter& part) {
  const auto first = static_cast<std::uint64_t>(range.first);
  const auto count = static_cast<std::uint64_t>(range.second - range.first);
  // Where the range begins in a source, and which of its numbers the source has.
  struct Window {
    const Source* source;
    std::uint64_t first_slot, begin, length;
  };
  std::vector<Window> windows;
  for (const Source& source : sources) {
    const UnitCells& table = *source.table;
    const auto least = static_cast<std::uint64_t>(table.least_unit());
    windows.push_back({&source, table.SlotOf(static_cast<std::int64_t>(first)), least - first,
                       static_cast<std::uint64_t>(table.largest_unit()) - least + 1});
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    for (const Window& window : windows) {
      if (i - window.begin < window.length) part.Gather(*window.source, window.first_slot + i);
    }
    part.EndUnit(first + i);
  }
}

// A unit's place in one source, and the next place of the same unit.
struct UnitPlace {
  const Source* source = nullptr;
  std::size_t slot = 0;
  std::uint32_t next = kNoCode;
};

// Units of any type: a part is the units whose hash falls in it.
class HashedUnits {
 public:
  HashedUnits(std::size_t part, std::size_t parts, ValueCodes& names, CellMemory& memory)
      : part_(part),
        parts_(parts),
        names_(names),
        places_(CellAllocator<UnitPlace>(memory)),
        heads_(CellAllocator<std::uint32_t>(memory)) {}

  void Read(const Source& source) {
    const UnitCells& table = *source.table;
    if (!table.has_dense_units()) {
      for (std::uint32_t slot = 0; slot < table.units().count(); ++slot) {
        if (PartOf(table.units().Hash(slot)) != part_) continue;
        AddPlace(names_.Import(table.units(), slot), {&source, slot});
      }
      return;
    }
    for (Int128 unit = table.least_unit(); unit <= table.largest_unit(); ++unit) {
      const auto number = static_cast<std::uint64_t>(unit);
      if (PartOf(MixBits(number)) != part_) continue;
      const std::size_t slot = table.SlotOf(static_cast<std::int64_t>(unit));
      bool live = false;
      table.ForEachCell(slot, [&](std::uint32_t, const std::uint64_t*) { live = true; });
      if (live) AddPlace(names_.AddRaw({.low = number}), {&source, slot});
    }
  }

  void Write(PartWriter& part) const {
    for (std::uint32_t unit = 0; unit < heads_.size(); ++unit) {
      for (std::uint32_t at = heads_[unit]; at != kNoCode; at = places_[at].next) {
        part.Gather(*places_[at].source, places_[at].slot);
      }
      part.EndUnit(unit);
    }
  }

 private:
  // By the bits that the tables of codes do not begin with.
  std::size_t PartOf(std::uint64_t hash) const { return ((hash >> 16) & 0xffff) % parts_; }

  void AddPlace(std::uint32_t unit, UnitPlace place) {
    if (unit == heads_.size()) heads_.push_back(kNoCode);
    place.next = heads_[unit];
    heads_[unit] = static_cast<std::uint32_t>(places_.size());
    places_.push_back(place);
  }

  std::size_t part_;
  std::size_t parts_;
  ValueCodes& names_;
  CellVector<UnitPlace> places_;
  CellVector<std::uint32_t> heads_;  // per unit, into the places
};

// The numbers from the least to the largest of all sources, where every source holds its units by
// number and all of them lie close together. Each thread may have seen numbers of its own that do,
// far from those of another; a walk over the gap between would not end.
std::optional<std::pair<Int128, Int128>> CloseNumbers(std::span<const Source> sources,
                                                      std::uint64_t rows) {
  Int128 least = std::numeric_limits<std::int64_t>::max();
  Int128 largest = std::numeric_limits<std::int64_t>::min();
  for (const Source& source : sources) {
    if (!source.table->has_dense_units()) return std::nullopt;
    least = std::min(least, Int128{source.table->least_unit()});
    largest = std::max(largest, Int128{source.table->largest_unit()});
  }
  if (!UnitCells::LieClose(static_cast<std::uint64_t>(largest - least), rows)) return std::nullopt;
  return std::pair{least, largest + 1};
}

// Part i of n of a range.
std::pair<Int128, Int128> Cut(std::pair<Int128, Int128> whole, std::size_t i, std::size_t n) {
  const auto end = [&](std::size_t k) {
    return whole.first +
           (whole.second - whole.first) * static_cast<Int128>(k) / static_cast<Int128>(n);
  };
  return {end(i), end(i + 1)};
}

}  // namespace

MergedCells::MergedCells(const CellLayout& layout, std::span<const ColumnType> types,
                         std::shared_ptr<CellMemory> memory,
                         std::vector<std::unique_ptr<UnitCells>> tables, std::size_t parts)
    : layout_(layout), types_(types.begin(), types.end()), memory_(std::move(memory)) {
  if (tables.empty()) return;
  std::uint64_t rows = 0;
  for (const auto& table : tables) rows += table->rows();
  if (layout_.rows_are_units || rows < kRowsWorthAThread) parts = 1;
  const auto key_types = std::span(types_).subspan(layout_.first_key(), layout_.keys);
  KeyCodes keys(key_types, *memory_);
  for (const DistinctSet& set : layout_.distincts) {
    distincts_.emplace_back(types_[layout_.first_presence() + set.presence].payload, *memory_);
  }
  std::vector<Source> sources(tables.size());
  for (std::size_t t = 0; t < tables.size(); ++t) {
    Source& source = sources[t];
    source.table = tables[t].get();
    for (std::uint32_t code = 0; code < source.table->keys().count(); ++code) {
      source.keys.push_back(keys.Import(source.table->keys(), code));
    }
    for (std::size_t d = 0; d < distincts_.size(); ++d) {
      const ValueCodes& values = source.table->distinct_values(d);
      std::vector<std::uint32_t>& codes = source.values.emplace_back();
      for (std::uint32_t v = 0; v < values.count(); ++v) {
        codes.push_back(distincts_[d].Import(values, v));
      }
    }
  }
  // The keys as values are not taken from the allowance, but must fit into what is left of it.
  const std::size_t key_bytes = sizeof(std::vector<Value>) + layout_.keys * sizeof(Value);
  if (memory_->left() / key_bytes < keys.count()) throw CellLimitReached{};
  for (std::uint32_t code = 0; code < keys.count(); ++code) {
    key_values_.push_back(keys.Decode(code, key_types));
  }
  const Payload unit = layout_.rows_are_units ? Payload::kInt64 : types_[0].payload;
  for (std::size_t i = 0; i < parts; ++i) parts_.emplace_back(layout_, unit, *memory_);
  const auto numbers = CloseNumbers(sources, rows);
  RunTasks(parts, [&](std::size_t i) {
    CellPart& part = parts_[i];
    part.numbered = numbers.has_value();
    PartWriter writer(layout_, key_values_.size(), part);
    if (numbers) {
      const auto range = Cut(*numbers, i, parts);
      writer.Expect(static_cast<std::size_t>(range.second - range.first), *memory_);
      return WriteRange(sources, range, writer);
    }
    HashedUnits units(i, parts, part.texts, *memory_);
    for (const Source& source : sources) units.Read(source);
    units.Write(writer);
  });
}

std::string MergedCells::UnitText(const CellPart& part, std::size_t unit) const {
  const std::uint64_t name = part.names[unit];
  const bool is_unsigned = types_[0].payload == Payload::kUint64;
  if (part.numbered) {
    return is_unsigned ? std::to_string(name) : std::to_string(static_cast<std::int64_t>(name));
  }
  if (is_unsigned) return std::to_string(part.texts.Raw(static_cast<std::uint32_t>(name)).low);
  const Value value = part.texts.Decode(static_cast<std::uint32_t>(name), types_[0]);
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  Check(std::holds_alternative<std::string>(value), "a unit is a number or a text");
  return std::get<std::string>(value);
}

Value MergedCells::DistinctValue(std::size_t index, std::uint32_t code) const {
  const std::size_t presence = layout_.distincts[index].presence;
  return distincts_[index].Decode(code, types_[layout_.first_presence() + presence]);
}

}  // namespace dpsql

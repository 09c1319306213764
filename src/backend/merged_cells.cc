#include "backend/merged_cells.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <set>
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

// A unit's place in one source, and the next place of the same unit.
struct UnitPlace {
  const CellSource* source = nullptr;
  std::size_t slot = 0;
  std::uint32_t next = kNoCode;
};

// Units of any type: those of all sources whose hash falls into one part.
class NamedUnits {
 public:
  NamedUnits(std::size_t part, std::size_t parts, Payload unit, CellMemory& memory)
      : part_(part),
        parts_(parts),
        names_(unit, memory),
        places_(CellAllocator<UnitPlace>(memory)),
        heads_(CellAllocator<std::uint32_t>(memory)) {}

  void Read(const CellSource& source) {
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
      if (PartOf(HashOf(RawValue{.low = number})) != part_) continue;
      const std::size_t slot = table.SlotOf(static_cast<std::int64_t>(unit));
      bool live = false;
      table.ForEachCell(slot, [&](std::uint32_t, const std::uint64_t*) { live = true; });
      if (live) AddPlace(names_.AddRaw({.low = number}), {&source, slot});
    }
  }

  void Walk(UnitView& view, const std::function<void(const UnitView&)>& visit) const {
    for (std::uint32_t unit = 0; unit < heads_.size(); ++unit) {
      view.Begin(unit);
      for (std::uint32_t at = heads_[unit]; at != kNoCode; at = places_[at].next) {
        view.Gather(*places_[at].source, places_[at].slot);
      }
      if (view.cells() != 0) visit(view);
    }
  }

  const ValueCodes& names() const { return names_; }

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
  ValueCodes names_;
  CellVector<UnitPlace> places_;
  CellVector<std::uint32_t> heads_;  // per unit, into the places
};

namespace {

// Fewer rows are merged sooner than a thread starts.
constexpr std::uint64_t kRowsWorthAThread = 1000;

// Units that are numbers in all tables: a part is a range of numbers.
void WalkRange(std::span<const CellSource> sources, std::pair<Int128, Int128> range, UnitView& view,
               const std::function<void(const UnitView&)>& visit) {
  const auto first = static_cast<std::uint64_t>(range.first);
  const auto count = static_cast<std::uint64_t>(range.second - range.first);
  // Where the range begins in a source, and which of its numbers the source has.
  struct Window {
    const CellSource* source;
    std::uint64_t first_slot, begin, length;
  };
  std::vector<Window> windows;
  for (const CellSource& source : sources) {
    const UnitCells& table = *source.table;
    const auto least = static_cast<std::uint64_t>(table.least_unit());
    windows.push_back({&source, table.SlotOf(static_cast<std::int64_t>(first)), least - first,
                       static_cast<std::uint64_t>(table.largest_unit()) - least + 1});
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    view.Begin(first + i);
    for (const Window& window : windows) {
      if (i - window.begin < window.length) view.Gather(*window.source, window.first_slot + i);
    }
    if (view.cells() != 0) visit(view);
  }
}

// The numbers from the least to the largest of all sources, where every source holds its units by
// number and all of them lie close together. Each thread may have seen numbers of its own that do,
// far from those of another; a walk over the gap between would not end.
std::optional<std::pair<Int128, Int128>> CloseNumbers(std::span<const CellSource> sources,
                                                      std::uint64_t rows,
                                                      std::uint64_t free_range) {
  Int128 least = std::numeric_limits<std::int64_t>::max();
  Int128 largest = std::numeric_limits<std::int64_t>::min();
  for (const CellSource& source : sources) {
    if (!source.table->has_dense_units()) return std::nullopt;
    least = std::min(least, Int128{source.table->least_unit()});
    largest = std::max(largest, Int128{source.table->largest_unit()});
  }
  const auto last = static_cast<std::uint64_t>(largest - least);
  if (!UnitCells::LieClose(last, rows, free_range)) return std::nullopt;
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
    : layout_(layout),
      types_(types.begin(), types.end()),
      memory_(std::move(memory)),
      tables_(std::move(tables)) {
  if (tables_.empty()) return;
  std::uint64_t rows = 0;
  for (const auto& table : tables_) rows += table->rows();
  parts_ = layout_.rows_are_units || rows < kRowsWorthAThread ? 1 : parts;
  RunTasks(tables_.size(), [&](std::size_t i) { tables_[i]->Settle(); });
  ImportCodes();
  numbers_ = CloseNumbers(sources_, rows, layout_.free_range);
  if (numbers_) return;
  named_.resize(parts_);
  RunTasks(parts_, [&](std::size_t i) {
    auto units = std::make_shared<NamedUnits>(i, parts_, types_[0].payload, *memory_);
    for (const CellSource& source : sources_) units->Read(source);
    named_[i] = std::move(units);
  });
}

void MergedCells::ImportCodes() {
  const auto key_types = std::span(types_).subspan(layout_.first_key(), layout_.keys);
  KeyCodes keys(key_types, *memory_);
  for (const DistinctSet& set : layout_.distincts) {
    distincts_.emplace_back(types_[layout_.first_presence() + set.presence].payload, *memory_);
  }
  for (const std::unique_ptr<UnitCells>& table : tables_) {
    CellSource& source = sources_.emplace_back();
    source.table = table.get();
    for (std::uint32_t code = 0; code < table->keys().count(); ++code) {
      source.keys.push_back(keys.Import(table->keys(), code));
    }
    for (std::size_t d = 0; d < distincts_.size(); ++d) {
      const ValueCodes& values = table->distinct_values(d);
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
  DropUnlisted();
}

void MergedCells::DropUnlisted() {
  for (std::size_t i = 0; i < layout_.listed.size(); ++i) {
    if (layout_.listed[i].empty()) continue;
    const std::set<Value> values(layout_.listed[i].begin(), layout_.listed[i].end());
    for (CellSource& source : sources_) {
      for (std::uint32_t& key : source.keys) {
        if (key != kNoCode && !values.contains(key_values_[key][i])) key = kNoCode;
      }
    }
  }
}

void MergedCells::ForEachUnit(std::size_t part,
                              const std::function<void(const UnitView&)>& visit) const {
  UnitView view(layout_, key_values_.size());
  if (!numbers_) return named_[part]->Walk(view, visit);
  WalkRange(sources_, Cut(*numbers_, part, parts_), view, visit);
}

std::string MergedCells::UnitText(std::size_t part, std::uint64_t unit) const {
  const bool is_unsigned = types_[0].payload == Payload::kUint64;
  if (numbers_) {
    return is_unsigned ? std::to_string(unit) : std::to_string(static_cast<std::int64_t>(unit));
  }
  const ValueCodes& names = named_[part]->names();
  const auto code = static_cast<std::uint32_t>(unit);
  if (is_unsigned) return std::to_string(names.Raw(code).low);
  const Value value = names.Decode(code, types_[0]);
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  Check(std::holds_alternative<std::string>(value), "a unit is a number or a text");
  return std::get<std::string>(value);
}

Value MergedCells::DistinctValue(std::size_t index, std::uint32_t code) const {
  const std::size_t presence = layout_.distincts[index].presence;
  return distincts_[index].Decode(code, types_[layout_.first_presence() + presence]);
}

}  // namespace dpsql

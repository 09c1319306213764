#include "backend/duckdb_cells.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "backend/chunk_filter.h"
#include "backend/duckdb_cell_types.h"
#include "backend/duckdb_handles.h"
#include "base/check.h"

namespace dpsql {

namespace {

// Codes have 32 bits, and a coded thing takes 24 bytes at least.
constexpr std::size_t kMostMemory = std::size_t{1} << 36;

const ColumnType kLinkedUnit = {.payload = Payload::kInt64, .to_value = {}};

// The presences of which values are kept.
bool IsDistinct(const CellLayout& layout, std::size_t presence) {
  return std::any_of(layout.distincts.begin(), layout.distincts.end(),
                     [&](const DistinctSet& set) { return set.presence == presence; });
}

// A key that comes as the place of its value in a list, from 1 on; what is in no list is NULL.
std::optional<ColumnType> PlaceType(const std::vector<Value>& list, duckdb_logical_type type) {
  std::optional<ColumnType> place = CellColumnType(CellColumn::kKey, type);
  if (!place) return std::nullopt;
  place->to_value = [list](RawValue raw) {
    const bool listed = raw.low >= 1 && raw.low <= list.size();
    return listed ? list[raw.low - 1] : Value();
  };
  return place;
}

std::optional<ColumnType> TypeOf(const CellLayout& layout, std::size_t column,
                                 duckdb_logical_type type) {
  if (column < layout.first_key()) return CellColumnType(CellColumn::kUnit, type);
  if (column < layout.first_value()) {
    const std::size_t key = column - layout.first_key();
    if (layout.comes_as_place(key)) return PlaceType(layout.listed[key], type);
    return CellColumnType(CellColumn::kKey, type);
  }
  if (column < layout.first_presence()) return CellColumnType(CellColumn::kValue, type);
  if (!IsDistinct(layout, column - layout.first_presence())) return ColumnType{};
  return CellColumnType(CellColumn::kDistinct, type);
}

// How many columns come before those of the layout: a key that leads to a unit which is not kept.
std::size_t Ahead(const CellLayout& layout) {
  return layout.links && layout.rows_are_units ? 1 : 0;
}

// Of all columns that come.
std::vector<ColumnType> ReadTypes(const CellLayout& layout,
                                  std::span<const duckdb_vector> columns) {
  const std::size_t ahead = Ahead(layout);
  Check(columns.size() == ahead + layout.columns(), "all columns are there");
  std::vector<ColumnType> types;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const LogicalType type(duckdb_vector_get_column_type(columns[i]));
    std::optional<ColumnType> known = i < ahead ? CellColumnType(CellColumn::kUnit, type.handle)
                                                : TypeOf(layout, i - ahead, type.handle);
    Check(known.has_value(), "a column has a type that cells take");
    types.push_back(*std::move(known));
  }
  return types;
}

// One thread's table.
class CellThread : public RowThread {
 public:
  // `types` are those of the columns as they come.
  CellThread(const CellLayout& layout, std::vector<ColumnType> types,
             std::shared_ptr<CellMemory> memory)
      : memory_(std::move(memory)),
        links_(layout.links),
        ahead_(Ahead(layout)),
        columns_(types.size()) {
    if (links_) {
      key_ = types[0].payload;
      types[0] = kLinkedUnit;
      filter_.emplace(std::span(types).subspan(1));
    }
    table_ = std::make_unique<UnitCells>(layout, std::span(types).subspan(ahead_), *memory_);
  }

  void Add(std::span<const duckdb_vector> columns, std::size_t n) override {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      columns_[i] = {duckdb_vector_get_data(columns[i]), duckdb_vector_get_validity(columns[i])};
    }
    if (links_) n = FollowLinks(n);
    table_->Add(std::span(columns_).subspan(ahead_), n);
  }

  std::unique_ptr<UnitCells> TakeTable() { return std::move(table_); }

 private:
  // Leaves the rows whose key leads to a unit, with that unit. Returns how many there are.
  std::size_t FollowLinks(std::size_t n) {
    linked_.resize(n);
    units_.resize(n);
    const std::size_t found = links_->Find(columns_[0], key_, n, linked_.data(), units_.data());
    columns_[0] = {units_.data(), nullptr};
    if (found != n) filter_->Keep(std::span(linked_).first(found), std::span(columns_).subspan(1));
    return found;
  }

  std::shared_ptr<CellMemory> memory_;  // before what is taken from it
  std::shared_ptr<const UnitLinks> links_;
  std::size_t ahead_;
  std::unique_ptr<UnitCells> table_;
  std::vector<ColumnData> columns_;
  Payload key_ = Payload::kNone;       // of the column that leads to the unit
  std::vector<std::uint32_t> linked_;  // the rows whose key leads to a unit
  std::vector<std::int64_t> units_;    // theirs
  std::optional<ChunkFilter> filter_;
};

// One thread's pairs.
class LinkThread : public RowThread {
 public:
  LinkThread(std::span<const duckdb_vector> columns, std::shared_ptr<CellMemory> memory)
      : memory_(std::move(memory)),
        pairs_(std::make_unique<LinkPairs>(*memory_)),
        key_(PayloadOf(columns[0])),
        unit_(PayloadOf(columns[1])) {}

  void Add(std::span<const duckdb_vector> columns, std::size_t n) override {
    Append(columns[0], key_, n, pairs_->keys);
    Append(columns[1], unit_, n, pairs_->units);
  }

  std::unique_ptr<LinkPairs> TakePairs() { return std::move(pairs_); }

 private:
  static Payload PayloadOf(duckdb_vector column) {
    const LogicalType type(duckdb_vector_get_column_type(column));
    const std::optional<ColumnType> known = CellColumnType(CellColumn::kUnit, type.handle);
    Check(known.has_value(), "links have a type that cells take");
    return known->payload;
  }

  // Requires: no NULLs; they are filtered before.
  static void Append(duckdb_vector column, Payload payload, std::size_t n,
                     CellVector<std::int64_t>& to) {
    const std::size_t first = to.size();
    to.resize(first + n);
    VisitNumbers(payload, duckdb_vector_get_data(column), [&](const auto* numbers) {
      std::transform(numbers, numbers + n, to.data() + first,
                     [](auto number) { return std::int64_t(number); });
    });
  }

  std::shared_ptr<CellMemory> memory_;  // before what is taken from it
  std::unique_ptr<LinkPairs> pairs_;
  Payload key_;
  Payload unit_;
};

}  // namespace

// Where the tables of a statement's threads come together.
class CellSink : public RowSink {
 public:
  explicit CellSink(CellLayout layout)
      : layout_(std::move(layout)),
        memory_(std::make_shared<CellMemory>(std::min(layout_.memory_limit, kMostMemory))) {}

  void Link(std::shared_ptr<const UnitLinks> links) {
    memory_->Take(links->bytes());
    layout_.links = std::move(links);
  }

  std::optional<MergedCells> Merge(std::size_t parts) {
    std::vector<std::unique_ptr<UnitCells>> tables;
    for (const std::unique_ptr<RowThread>& thread : TakeThreads()) {
      std::unique_ptr<UnitCells> table = static_cast<CellThread&>(*thread).TakeTable();
      if (table->rows() != 0) tables.push_back(std::move(table));
    }
    if (full()) return std::nullopt;
    try {
      return MergedCells(layout_, types_, memory_, std::move(tables), parts);
    } catch (const std::bad_alloc&) {
      return std::nullopt;
    }
  }

 private:
  // All threads see the same types.
  std::unique_ptr<RowThread> MakeThread(std::span<const duckdb_vector> columns) override {
    std::vector<ColumnType> types = ReadTypes(layout_, columns);
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      types_.assign(types.begin() + static_cast<std::ptrdiff_t>(Ahead(layout_)), types.end());
      if (layout_.links && !layout_.rows_are_units) types_[0] = kLinkedUnit;
    }
    return std::make_unique<CellThread>(layout_, std::move(types), memory_);
  }

  CellLayout layout_;
  std::shared_ptr<CellMemory> memory_;
  std::mutex mutex_;
  std::vector<ColumnType> types_;
};

// Where the pairs of a statement's threads come together.
class LinkSink : public RowSink {
 public:
  explicit LinkSink(std::size_t limit)
      : memory_(std::make_shared<CellMemory>(std::min(limit, kMostMemory) / 2)) {}

  // Links hold on to the memory that they are taken from.
  std::shared_ptr<const UnitLinks> Finish() {
    std::vector<std::unique_ptr<LinkPairs>> pairs;
    for (const std::unique_ptr<RowThread>& thread : TakeThreads()) {
      pairs.push_back(static_cast<LinkThread&>(*thread).TakePairs());
    }
    if (full()) return nullptr;
    struct Kept {
      std::shared_ptr<CellMemory> memory;
      UnitLinks links;
    };
    try {
      std::optional<UnitLinks> links = UnitLinks::Make(pairs, *memory_);
      if (!links) return nullptr;
      auto kept = std::make_shared<Kept>(Kept{memory_, *std::move(links)});
      return {kept, &kept->links};
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }

 private:
  std::unique_ptr<RowThread> MakeThread(std::span<const duckdb_vector> columns) override {
    return std::make_unique<LinkThread>(columns, memory_);
  }

  std::shared_ptr<CellMemory> memory_;
};

CellPass::CellPass(std::shared_ptr<RowRegistry> registry, CellLayout layout)
    : sink_(std::make_shared<CellSink>(std::move(layout))), name_(std::move(registry), sink_) {}

void CellPass::Link(std::shared_ptr<const UnitLinks> links) { sink_->Link(std::move(links)); }

std::optional<MergedCells> CellPass::Finish(std::int64_t counted, std::size_t threads) {
  sink_->CheckCount(counted);
  return sink_->Merge(std::max<std::size_t>(threads, 1));
}

LinkPass::LinkPass(std::shared_ptr<RowRegistry> registry, std::size_t memory_limit)
    : sink_(std::make_shared<LinkSink>(memory_limit)), name_(std::move(registry), sink_) {}

std::shared_ptr<const UnitLinks> LinkPass::Finish(std::int64_t counted) {
  sink_->CheckCount(counted);
  return sink_->Finish();
}

}  // namespace dpsql

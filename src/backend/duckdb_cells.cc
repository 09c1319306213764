#include "backend/duckdb_cells.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "backend/chunk_filter.h"
#include "backend/duckdb_cell_types.h"
#include "backend/duckdb_handles.h"
#include "base/check.h"

namespace dpsql {

// Where the tables of a statement's threads come together.
class CellSink {
 public:
  explicit CellSink(CellLayout layout)
      : layout_(std::move(layout)),
        memory_(std::make_shared<CellMemory>(std::min(layout_.memory_limit, kMostMemory))) {}

  bool full() const { return full_; }
  void SetFull() { full_ = true; }

  // A table for one thread. All threads see the same types.
  std::unique_ptr<UnitCells> MakeTable(std::vector<ColumnType> types) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (types_.empty()) types_ = std::move(types);
    }
    return std::make_unique<UnitCells>(layout_, types_, *memory_);
  }

  void Put(std::unique_ptr<UnitCells> table) {
    const std::lock_guard<std::mutex> lock(mutex_);
    tables_.push_back(std::move(table));
  }

  std::optional<MergedCells> Merge(std::size_t parts) {
    std::vector<std::unique_ptr<UnitCells>> tables;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      tables.swap(tables_);
    }
    if (full_) return std::nullopt;
    try {
      return MergedCells(layout_, types_, memory_, std::move(tables), parts);
    } catch (const CellLimitReached&) {
      return std::nullopt;
    } catch (const std::bad_alloc&) {
      return std::nullopt;
    }
  }

  const CellLayout& layout() const { return layout_; }

 private:
  // Codes have 32 bits, and a coded thing takes 24 bytes at least.
  static constexpr std::size_t kMostMemory = std::size_t{1} << 36;

  CellLayout layout_;
  std::shared_ptr<CellMemory> memory_;
  std::atomic<bool> full_ = false;
  std::mutex mutex_;
  std::vector<ColumnType> types_;
  std::vector<std::unique_ptr<UnitCells>> tables_;
};

namespace {

// The presences of which values are kept.
bool IsDistinct(const CellLayout& layout, std::size_t presence) {
  return std::any_of(layout.distincts.begin(), layout.distincts.end(),
                     [&](const DistinctSet& set) { return set.presence == presence; });
}

std::optional<ColumnType> TypeOf(const CellLayout& layout, std::size_t column,
                                 duckdb_logical_type type) {
  if (column < layout.first_key()) return CellColumnType(CellColumn::kUnit, type);
  if (column < layout.first_value()) return CellColumnType(CellColumn::kKey, type);
  if (column < layout.first_presence()) return CellColumnType(CellColumn::kValue, type);
  if (!IsDistinct(layout, column - layout.first_presence())) return ColumnType{};
  return CellColumnType(CellColumn::kDistinct, type);
}

std::vector<ColumnType> ReadTypes(const CellLayout& layout, duckdb_vector row) {
  const LogicalType type(duckdb_vector_get_column_type(row));
  Check(duckdb_get_type_id(type.handle) == DUCKDB_TYPE_STRUCT, "columns come in a row");
  Check(duckdb_struct_type_child_count(type.handle) == layout.columns(), "all columns are there");
  std::vector<ColumnType> types;
  for (std::size_t i = 0; i < layout.columns(); ++i) {
    const LogicalType child(duckdb_struct_type_child_type(type.handle, i));
    std::optional<ColumnType> known = TypeOf(layout, i, child.handle);
    Check(known.has_value(), "a column has a type that cells take");
    types.push_back(*std::move(known));
  }
  return types;
}

// One thread's table.
class CellThread {
 public:
  CellThread(std::shared_ptr<CellSink> sink, duckdb_vector row)
      : sink_(std::move(sink)), columns_(sink_->layout().columns()) {
    if (sink_->full()) return;
    try {
      std::vector<ColumnType> types = ReadTypes(sink_->layout(), row);
      if (sink_->layout().links) {
        key_ = types[0].payload;
        types[0] = {.payload = Payload::kInt64};
        filter_.emplace(types);
      }
      table_ = sink_->MakeTable(std::move(types));
    } catch (const CellLimitReached&) {
      sink_->SetFull();
    } catch (const std::bad_alloc&) {
      sink_->SetFull();
    }
  }

  void Add(duckdb_vector row, std::size_t n) {
    if (sink_->full()) table_.reset();
    if (!table_) return;
    try {
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        duckdb_vector child = duckdb_struct_vector_get_child(row, i);
        columns_[i] = {duckdb_vector_get_data(child), duckdb_vector_get_validity(child)};
      }
      AddRows(n);
    } catch (const CellLimitReached&) {
      sink_->SetFull();
      table_.reset();
    } catch (const std::bad_alloc&) {
      sink_->SetFull();
      table_.reset();
    }
  }

  void Put() {
    if (table_ && table_->rows() != 0) sink_->Put(std::move(table_));
  }

 private:
  void AddRows(std::size_t n) {
    const UnitLinks* const links = sink_->layout().links.get();
    if (links == nullptr) return table_->Add(columns_, n);
    units_.resize(n);
    present_.resize(n);
    const std::size_t found = links->Find(columns_[0], key_, n, units_.data(), present_.data());
    if (found == 0) return;
    columns_[0] = {units_.data(), nullptr};
    table_->Add(found == n ? columns_ : filter_->Keep(columns_, present_), found);
  }

  std::shared_ptr<CellSink> sink_;
  std::unique_ptr<UnitCells> table_;
  std::vector<ColumnData> columns_;
  Payload key_ = Payload::kNone;  // of the column that leads to the unit
  std::vector<std::int64_t> units_;
  std::vector<std::uint8_t> present_;  // whether a row's key leads to a unit
  std::optional<ChunkFilter> filter_;
};

using CellsAggregate = DuckDbAggregate<CellSink, CellThread>;

}  // namespace

// Where the pairs of a statement's threads come together.
class LinkSink {
 public:
  explicit LinkSink(std::size_t limit) : memory_(std::make_shared<CellMemory>(limit)) {}

  std::unique_ptr<LinkPairs> MakePairs() const { return std::make_unique<LinkPairs>(*memory_); }
  bool full() const { return full_; }
  void SetFull() { full_ = true; }

  void Put(std::unique_ptr<LinkPairs> pairs) {
    const std::lock_guard<std::mutex> lock(mutex_);
    pairs_.push_back(std::move(pairs));
  }

  // Links hold on to the memory that they are taken from.
  std::shared_ptr<const UnitLinks> Finish() {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (full_) return nullptr;
    struct Kept {
      std::shared_ptr<CellMemory> memory;
      UnitLinks links;
    };
    try {
      std::optional<UnitLinks> links = UnitLinks::Make(pairs_, *memory_);
      pairs_.clear();
      if (!links) return nullptr;
      auto kept = std::make_shared<Kept>(Kept{memory_, *std::move(links)});
      return {kept, &kept->links};
    } catch (const CellLimitReached&) {
      return nullptr;
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }

 private:
  std::shared_ptr<CellMemory> memory_;
  std::atomic<bool> full_ = false;
  std::mutex mutex_;
  std::vector<std::unique_ptr<LinkPairs>> pairs_;
};

namespace {

// One thread's pairs.
class LinkThread {
 public:
  LinkThread(std::shared_ptr<LinkSink> sink, duckdb_vector row)
      : sink_(std::move(sink)), pairs_(sink_->MakePairs()) {
    const LogicalType type(duckdb_vector_get_column_type(row));
    const LogicalType key(duckdb_struct_type_child_type(type.handle, 0));
    const LogicalType unit(duckdb_struct_type_child_type(type.handle, 1));
    key_ = PayloadOf(key.handle);
    unit_ = PayloadOf(unit.handle);
  }

  void Add(duckdb_vector row, std::size_t n) {
    if (sink_->full()) pairs_.reset();
    if (!pairs_) return;
    try {
      Append(duckdb_struct_vector_get_child(row, 0), key_, n, pairs_->keys);
      Append(duckdb_struct_vector_get_child(row, 1), unit_, n, pairs_->units);
    } catch (const CellLimitReached&) {
      sink_->SetFull();
      pairs_.reset();
    } catch (const std::bad_alloc&) {
      sink_->SetFull();
      pairs_.reset();
    }
  }

  void Put() {
    if (pairs_) sink_->Put(std::move(pairs_));
  }

 private:
  static Payload PayloadOf(duckdb_logical_type type) {
    const std::optional<ColumnType> known = CellColumnType(CellColumn::kUnit, type);
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

  std::shared_ptr<LinkSink> sink_;
  std::unique_ptr<LinkPairs> pairs_;
  Payload key_ = Payload::kNone;
  Payload unit_ = Payload::kNone;
};

using LinksAggregate = DuckDbAggregate<LinkSink, LinkThread>;

}  // namespace

CellPass::CellPass(std::shared_ptr<CellRegistry> registry, CellLayout layout)
    : registry_(std::move(registry)),
      sink_(std::make_shared<CellSink>(std::move(layout))),
      id_(registry_->Add(sink_)) {}

CellPass::~CellPass() { registry_->Remove(id_); }

std::optional<MergedCells> CellPass::Finish(std::size_t threads) {
  return sink_->Merge(std::max<std::size_t>(threads, 1));
}

LinkPass::LinkPass(std::shared_ptr<LinkRegistry> registry, std::size_t memory_limit)
    : registry_(std::move(registry)),
      sink_(std::make_shared<LinkSink>(memory_limit)),
      id_(registry_->Add(sink_)) {}

LinkPass::~LinkPass() { registry_->Remove(id_); }

std::shared_ptr<const UnitLinks> LinkPass::Finish() { return sink_->Finish(); }

DuckDbCells::DuckDbCells()
    : cells_(std::make_shared<CellRegistry>()), links_(std::make_shared<LinkRegistry>()) {}

std::unique_ptr<CellPass> DuckDbCells::Begin(CellLayout layout) const {
  return std::make_unique<CellPass>(cells_, std::move(layout));
}

std::unique_ptr<LinkPass> DuckDbCells::BeginLinks(std::size_t memory_limit) const {
  return std::make_unique<LinkPass>(links_, memory_limit);
}

bool DuckDbCells::Register(duckdb_database database) {
  return CellsAggregate::Register(database, kCellsFunction, cells_) &&
         LinksAggregate::Register(database, kLinksFunction, links_);
}

}  // namespace dpsql

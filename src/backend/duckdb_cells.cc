#include "backend/duckdb_cells.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "backend/cell_reader.h"
#include "backend/duckdb_cell_types.h"
#include "backend/duckdb_handles.h"
#include "base/check.h"

namespace dpsql {

namespace {

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
  if (!layout.keeps_values(column - layout.first_presence())) return ColumnType{};
  return CellColumnType(CellColumn::kDistinct, type);
}

// Of all columns that come.
std::vector<ColumnType> ReadTypes(const CellLayout& layout,
                                  std::span<const duckdb_vector> columns) {
  const std::size_t ahead = ColumnsAhead(layout);
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
  CellThread(const CellLayout& layout, std::vector<ColumnType> types,
             std::shared_ptr<CellMemory> memory)
      : columns_(types.size()), reader_(layout, std::move(types), std::move(memory)) {}

  void Add(std::span<const duckdb_vector> columns, std::size_t n) override {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      columns_[i] = {duckdb_vector_get_data(columns[i]), duckdb_vector_get_validity(columns[i])};
    }
    reader_.Add(columns_, n);
  }

  std::unique_ptr<UnitCells> TakeTable() { return reader_.TakeTable(); }

 private:
  std::vector<ColumnData> columns_;
  CellReader reader_;
};

// One thread's pairs.
class LinkThread : public RowThread {
 public:
  LinkThread(std::span<const duckdb_vector> columns, std::shared_ptr<CellMemory> memory)
      : reader_(PayloadOf(columns[0]), PayloadOf(columns[1]), std::move(memory)) {}

  void Add(std::span<const duckdb_vector> columns, std::size_t n) override {
    reader_.Add(duckdb_vector_get_data(columns[0]), duckdb_vector_get_data(columns[1]), n);
  }

  std::unique_ptr<LinkPairs> TakePairs() { return reader_.TakePairs(); }

 private:
  static Payload PayloadOf(duckdb_vector column) {
    const LogicalType type(duckdb_vector_get_column_type(column));
    const std::optional<ColumnType> known = CellColumnType(CellColumn::kUnit, type.handle);
    Check(known.has_value(), "links have a type that cells take");
    return known->payload;
  }

  LinkReader reader_;
};

}  // namespace

// Where the tables of a statement's threads come together.
class CellSink : public RowSink {
 public:
  explicit CellSink(CellLayout layout)
      : layout_(std::move(layout)), memory_(MakeCellMemory(layout_.memory_limit)) {}

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
      types_ = CellTypes(layout_, types);
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
  explicit LinkSink(std::size_t limit) : memory_(MakeCellMemory(limit / 2)) {}

  std::shared_ptr<const UnitLinks> Finish() {
    std::vector<std::unique_ptr<LinkPairs>> pairs;
    for (const std::unique_ptr<RowThread>& thread : TakeThreads()) {
      pairs.push_back(static_cast<LinkThread&>(*thread).TakePairs());
    }
    return full() ? nullptr : MakeLinks(pairs, memory_);
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

#include "backend/sqlite_cells.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "base/check.h"

namespace dpsql {
namespace {

std::size_t WidthOf(Payload payload) {
  switch (payload) {
    case Payload::kNone:
      return 0;
    case Payload::kBool:
      return 1;
    case Payload::kInt64:
    case Payload::kDouble:
      return 8;
    case Payload::kText:
      return 16;
    default:
      throw Bug("SQLite hands over whole numbers, doubles and texts");
  }
}

const std::vector<ColumnType>& LinkTypes() {
  static const std::vector<ColumnType> kTypes = {{.payload = Payload::kInt64},
                                                 {.payload = Payload::kInt64}};
  return kTypes;
}

}  // namespace

SqliteChunk::SqliteChunk(std::span<const ColumnType> types) : data_(types.size()) {
  for (const ColumnType& type : types) {
    Column& column = columns_.emplace_back();
    column.payload = type.payload;
    column.width = WidthOf(type.payload);
    column.data.resize((kMostRows * column.width + 7) / 8);
    column.validity.resize(kMostRows / 64);
  }
}

void SqliteChunk::Add(std::span<sqlite3_value*> row) {
  Check(row.size() == columns_.size(), "all columns are there");
  for (std::size_t i = 0; i < row.size(); ++i) {
    Column& column = columns_[i];
    const bool valid = Store(column, rows_, row[i]);
    column.validity[rows_ / 64] |= std::uint64_t{valid} << (rows_ % 64);
    column.has_nulls = column.has_nulls || !valid;
  }
  ++rows_;
}

bool SqliteChunk::Store(Column& column, std::size_t row, sqlite3_value* value) {
  constexpr std::size_t kShort = 12;
  const int type = sqlite3_value_type(value);
  char* const place = reinterpret_cast<char*>(column.data.data()) + row * column.width;
  std::fill_n(place, column.width, char{0});
  switch (column.payload) {
    case Payload::kBool:
      if (type != SQLITE_INTEGER) return false;
      *place = sqlite3_value_int64(value) != 0 ? 1 : 0;
      return true;
    case Payload::kInt64: {
      if (type != SQLITE_INTEGER) return false;
      const std::int64_t whole = sqlite3_value_int64(value);
      std::memcpy(place, &whole, sizeof(whole));
      return true;
    }
    case Payload::kDouble: {
      if (type != SQLITE_FLOAT && type != SQLITE_INTEGER) return false;
      const double real = sqlite3_value_double(value);
      std::memcpy(place, &real, sizeof(real));
      return true;
    }
    case Payload::kText: {
      if (type != SQLITE_TEXT) return false;
      const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
      const auto size = static_cast<std::uint32_t>(sqlite3_value_bytes(value));
      if (text == nullptr) throw std::bad_alloc();
      std::memcpy(place, &size, sizeof(size));
      if (size <= kShort) {
        std::memcpy(place + 4, text, size);
        return true;
      }
      const char* const kept = column.texts.emplace_back(text, size).data();
      std::memcpy(place + 4, kept, 4);
      std::memcpy(place + 8, &kept, sizeof(kept));
      return true;
    }
    default:
      return type != SQLITE_NULL;
  }
}

std::span<ColumnData> SqliteChunk::columns() {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    data_[i] = {columns_[i].data.data(),
                columns_[i].has_nulls ? columns_[i].validity.data() : nullptr};
  }
  return data_;
}

void SqliteChunk::Clear() {
  rows_ = 0;
  for (Column& column : columns_) {
    std::fill(column.validity.begin(), column.validity.end(), 0);
    column.has_nulls = false;
    column.texts.clear();
  }
}

SqliteCellRows::SqliteCellRows(CellLayout layout, std::vector<ColumnType> types)
    : layout_(std::move(layout)),
      types_(std::move(types)),
      memory_(MakeCellMemory(layout_.memory_limit)),
      chunk_(types_) {}

void SqliteCellRows::Link(std::shared_ptr<const UnitLinks> links) {
  memory_->Take(links->bytes());
  layout_.links = std::move(links);
}

void SqliteCellRows::Take(std::span<sqlite3_value*> row) {
  chunk_.Add(row);
  ++taken_;
  if (chunk_.full()) Flush();
}

void SqliteCellRows::Flush() {
  try {
    if (!reader_) reader_ = std::make_unique<CellReader>(layout_, types_, memory_);
    reader_->Add(chunk_.columns(), chunk_.rows());
  } catch (const std::bad_alloc&) {
    full_ = true;
    reader_.reset();
    throw;
  }
  chunk_.Clear();
}

std::optional<MergedCells> SqliteCellRows::Finish(std::int64_t counted) {
  Check(counted == taken_, "each row is handed over once");
  try {
    if (chunk_.rows() != 0) Flush();
    std::vector<std::unique_ptr<UnitCells>> tables;
    if (reader_) tables.push_back(reader_->TakeTable());
    if (!tables.empty() && tables[0]->rows() == 0) tables.clear();
    return MergedCells(layout_, CellTypes(layout_, types_), memory_, std::move(tables), 1);
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  }
}

SqliteLinkRows::SqliteLinkRows(std::size_t memory_limit)
    : memory_(MakeCellMemory(memory_limit / 2)),
      chunk_(LinkTypes()),
      reader_(Payload::kInt64, Payload::kInt64, memory_) {}

void SqliteLinkRows::Take(std::span<sqlite3_value*> row) {
  chunk_.Add(row);
  ++taken_;
  if (chunk_.full()) Flush();
}

void SqliteLinkRows::Flush() {
  const std::span<ColumnData> columns = chunk_.columns();
  try {
    if (!full_) reader_.Add(columns[0].data, columns[1].data, chunk_.rows());
  } catch (const std::bad_alloc&) {
    full_ = true;  // a join is better
  }
  chunk_.Clear();
}

std::shared_ptr<const UnitLinks> SqliteLinkRows::Finish(std::int64_t counted) {
  Check(counted == taken_, "each row is handed over once");
  Flush();
  std::vector<std::unique_ptr<LinkPairs>> pairs;
  pairs.push_back(reader_.TakePairs());
  return full_ ? nullptr : MakeLinks(pairs, memory_);
}

}  // namespace dpsql

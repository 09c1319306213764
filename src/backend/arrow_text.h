#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/adbc_abi.h"

// Arrow's columns as the text that SqlConnection promises.
namespace dpsql {

using TextCells = std::vector<std::optional<std::string>>;

// How one batch of an answer is read: fixed by its schema, never by its rows.
class ArrowText {
 public:
  // Booleans, whole numbers, decimals of 128 bits, floats, texts, days and timestamps; NULL where
  // a column is of another type.
  // Requires: the schema is that of a stream.
  static std::unique_ptr<ArrowText> Read(const adbc::ArrowSchema& schema);

  std::size_t columns() const { return columns_.size(); }

  // Adds the cells of all rows, row by row. FLOAT is written as the DOUBLE that it is; a timestamp
  // with a time zone as its moment in UTC.
  // Requires: the batch has the schema.
  void Append(const adbc::ArrowArray& batch, TextCells& cells) const;

 private:
  enum class Kind {
    kNull,
    kBoolean,
    kInt8,
    kUInt8,
    kInt16,
    kUInt16,
    kInt32,
    kUInt32,
    kInt64,
    kUInt64,
    kFloat,
    kDouble,
    kText,
    kLargeText,
    kDecimal,
    kDate,
    kTimestamp
  };
  struct Column {
    Kind kind = Kind::kNull;
    int scale = 0;                // of a decimal
    std::int64_t per_second = 1;  // of a timestamp
  };

  static std::optional<Column> ReadFormat(const std::string& format);
  static std::string Cell(const Column& column, const adbc::ArrowArray& array, std::int64_t at);

  std::vector<Column> columns_;
};

}  // namespace dpsql

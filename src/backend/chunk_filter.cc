#include "backend/chunk_filter.h"

#include <algorithm>
#include <cstring>

#include "base/check.h"

namespace dpsql {
namespace {

std::size_t WidthOf(Payload payload) {
  switch (payload) {
    case Payload::kNone:
      return 0;
    case Payload::kBool:
    case Payload::kInt8:
    case Payload::kUint8:
      return 1;
    case Payload::kInt16:
    case Payload::kUint16:
      return 2;
    case Payload::kInt32:
    case Payload::kUint32:
    case Payload::kFloat:
      return 4;
    case Payload::kInt64:
    case Payload::kUint64:
    case Payload::kDouble:
      return 8;
    case Payload::kWide:
    case Payload::kText:
      return 16;
  }
  throw Bug("every payload has a width");
}

}  // namespace

ChunkFilter::ChunkFilter(std::span<const ColumnType> types)
    : kept_(types.size()), columns_(types.size()) {
  for (std::size_t i = 0; i < types.size(); ++i) kept_[i].width = WidthOf(types[i].payload);
}

void ChunkFilter::KeepColumn(const ColumnData& column, std::span<const std::uint8_t> present,
                             Kept& kept) {
  kept.data.resize(present.size() * kept.width);
  kept.validity.assign(present.size() / 64 + 1, 0);
  std::size_t to = 0;
  for (std::size_t row = 0; row < present.size(); ++row) {
    if (present[row] == 0) continue;
    if (column.valid(row)) kept.validity[to / 64] |= std::uint64_t{1} << (to % 64);
    if (kept.width != 0) {
      std::memcpy(kept.data.data() + to * kept.width,
                  static_cast<const char*>(column.data) + row * kept.width, kept.width);
    }
    ++to;
  }
}

std::span<const ColumnData> ChunkFilter::Keep(std::span<const ColumnData> columns,
                                              std::span<const std::uint8_t> present) {
  Check(columns.size() == columns_.size(), "every column has a type");
  for (std::size_t i = 0; i < columns.size(); ++i) {
    KeepColumn(columns[i], present, kept_[i]);
    const bool nulls = columns[i].validity != nullptr;
    columns_[i] = {kept_[i].data.data(), nulls ? kept_[i].validity.data() : nullptr};
  }
  return columns_;
}

}  // namespace dpsql

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

template <std::size_t width>
void Gather(const void* from, std::span<const std::uint32_t> rows, char* to) {
  const char* const data = static_cast<const char*>(from);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::memcpy(to + i * width, data + rows[i] * width, width);
  }
}

}  // namespace

ChunkFilter::ChunkFilter(std::span<const ColumnType> types) : kept_(types.size()) {
  for (std::size_t i = 0; i < types.size(); ++i) kept_[i].width = WidthOf(types[i].payload);
}

void ChunkFilter::KeepData(const ColumnData& column, std::span<const std::uint32_t> rows,
                           Kept& kept) {
  kept.data.resize(rows.size() * kept.width);
  switch (kept.width) {
    case 0:
      return;
    case 1:
      return Gather<1>(column.data, rows, kept.data.data());
    case 2:
      return Gather<2>(column.data, rows, kept.data.data());
    case 4:
      return Gather<4>(column.data, rows, kept.data.data());
    case 8:
      return Gather<8>(column.data, rows, kept.data.data());
    default:
      return Gather<16>(column.data, rows, kept.data.data());
  }
}

void ChunkFilter::KeepValidity(const ColumnData& column, std::span<const std::uint32_t> rows,
                               Kept& kept) {
  kept.validity.assign(rows.size() / 64 + 1, 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    kept.validity[i / 64] |= std::uint64_t{column.valid(rows[i])} << (i % 64);
  }
}

void ChunkFilter::Keep(std::span<const std::uint32_t> rows, std::span<ColumnData> columns) {
  Check(columns.size() == kept_.size(), "every column has a type");
  for (std::size_t i = 0; i < columns.size(); ++i) {
    KeepData(columns[i], rows, kept_[i]);
    columns[i].data = kept_[i].data.data();
    if (columns[i].validity == nullptr) continue;
    KeepValidity(columns[i], rows, kept_[i]);
    columns[i].validity = kept_[i].validity.data();
  }
}

}  // namespace dpsql

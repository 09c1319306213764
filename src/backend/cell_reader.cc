#include "backend/cell_reader.h"

#include <algorithm>
#include <new>
#include <utility>

#include "backend/value_codes.h"

namespace dpsql {
namespace {

constexpr std::size_t kMostMemory = std::size_t{1} << 36;

const ColumnType kLinkedUnit = {.payload = Payload::kInt64, .to_value = {}};

}  // namespace

std::shared_ptr<CellMemory> MakeCellMemory(std::size_t limit) {
  return std::make_shared<CellMemory>(std::min(limit, kMostMemory));
}

std::size_t ColumnsAhead(const CellLayout& layout) {
  return layout.links && layout.rows_are_units ? 1 : 0;
}

std::vector<ColumnType> CellTypes(const CellLayout& layout, std::span<const ColumnType> columns) {
  const auto own = columns.subspan(ColumnsAhead(layout));
  std::vector<ColumnType> types(own.begin(), own.end());
  if (layout.links && !layout.rows_are_units) types[0] = kLinkedUnit;
  return types;
}

CellReader::CellReader(const CellLayout& layout, std::vector<ColumnType> types,
                       std::shared_ptr<CellMemory> memory)
    : memory_(std::move(memory)), links_(layout.links), ahead_(ColumnsAhead(layout)) {
  if (links_) {
    key_ = types[0].payload;
    types[0] = kLinkedUnit;
    filter_.emplace(std::span(types).subspan(1));
  }
  table_ = std::make_unique<UnitCells>(layout, std::span(types).subspan(ahead_), *memory_);
}

void CellReader::Add(std::span<ColumnData> columns, std::size_t n) {
  if (links_) n = FollowLinks(columns, n);
  table_->Add(columns.subspan(ahead_), n);
}

// Leaves the rows whose key leads to a unit, with that unit. Returns how many there are.
std::size_t CellReader::FollowLinks(std::span<ColumnData> columns, std::size_t n) {
  linked_.resize(n);
  units_.resize(n);
  const std::size_t found = links_->Find(columns[0], key_, n, linked_.data(), units_.data());
  columns[0] = {units_.data(), nullptr};
  if (found != n) filter_->Keep(std::span(linked_).first(found), columns.subspan(1));
  return found;
}

LinkReader::LinkReader(Payload key, Payload unit, std::shared_ptr<CellMemory> memory)
    : memory_(std::move(memory)),
      pairs_(std::make_unique<LinkPairs>(*memory_)),
      key_(key),
      unit_(unit) {}

void LinkReader::Add(const void* keys, const void* units, std::size_t n) {
  Append(keys, key_, n, pairs_->keys);
  Append(units, unit_, n, pairs_->units);
}

void LinkReader::Append(const void* data, Payload payload, std::size_t n,
                        CellVector<std::int64_t>& to) {
  const std::size_t first = to.size();
  to.resize(first + n);
  VisitNumbers(payload, data, [&](const auto* numbers) {
    std::transform(numbers, numbers + n, to.data() + first,
                   [](auto number) { return std::int64_t(number); });
  });
}

std::shared_ptr<const UnitLinks> MakeLinks(const std::vector<std::unique_ptr<LinkPairs>>& pairs,
                                           std::shared_ptr<CellMemory> memory) {
  struct Kept {
    std::shared_ptr<CellMemory> memory;
    UnitLinks links;
  };
  try {
    std::optional<UnitLinks> links = UnitLinks::Make(pairs, *memory);
    if (!links) return nullptr;
    auto kept = std::make_shared<Kept>(Kept{std::move(memory), *std::move(links)});
    return {kept, &kept->links};
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

}  // namespace dpsql

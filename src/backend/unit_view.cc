#include "backend/unit_view.h"

#include <algorithm>

namespace dpsql {

UnitView::UnitView(const CellLayout& layout, std::size_t keys)
    : layout_(layout), record_(layout), place_(keys, 0) {}

void UnitView::Begin(std::uint64_t unit) {
  unit_ = unit;
  keys_.clear();
  if (!wide_.empty()) wide_.clear();
  origins_.clear();
}

void UnitView::AddCell(const CellSource& source, std::size_t slot, std::uint32_t code,
                       const std::uint64_t* record) {
  const std::uint32_t key = source.keys.data()[code];
  if (key == kNoCode) return;
  std::uint32_t cell = place_.data()[key];
  if (cell < keys_.size() && keys_.data()[cell] == key) {
    AddRecord(cell, record);
  } else {
    cell = cells();
    place_.data()[key] = cell;
    keys_.push_back(key);
    if (records_.size() < keys_.size() * record_.words) {
      records_.resize(2 * keys_.size() * record_.words);
    }
    std::copy_n(record, record_.words, records_.data() + cell * record_.words);
  }
  if (source.table->any_spilled()) {
    if (const WideCell* const added = source.table->Spilled(slot, code)) {
      WideCell& wide = wide_[cell];
      wide.resize(added->size(), 0);
      for (std::size_t i = 0; i < wide.size(); ++i) wide[i] += (*added)[i];
    }
  }
  if (!layout_.distincts.empty()) origins_.push_back({cell, &source, record});
}

void UnitView::AddRecord(std::uint32_t cell, const std::uint64_t* record) {
  std::uint64_t* const target = records_.data() + cell * record_.words;
  const std::uint32_t* const added = record_.counts(record);
  for (std::size_t s = 0; s < record_.sums; ++s) target[s] += record[s];
  for (std::size_t c = 0; c < record_.classes; ++c) {
    std::uint32_t& count = record_.counts(target)[c];
    count += added[c];
    if (count >= layout_.rows_before_spill) record_.Spill(layout_, c, target, wide_[cell]);
  }
}

std::int64_t UnitView::WideRows(std::uint32_t cell, std::size_t row_class) const {
  const auto found = wide_.find(cell);
  return found == wide_.end() ? 0 : static_cast<std::int64_t>(found->second[row_class]);
}

Int128 UnitView::WideSum(std::uint32_t cell, std::size_t index) const {
  const auto found = wide_.find(cell);
  return found == wide_.end() ? 0 : found->second[record_.classes + index];
}

std::vector<std::uint32_t> UnitView::Values(std::uint32_t cell, std::size_t index) const {
  std::vector<std::uint32_t> values;
  for (const Origin& origin : origins_) {
    if (origin.cell != cell) continue;
    origin.source->table->ForEachValue(index, origin.record, [&](std::uint32_t code) {
      values.push_back(origin.source->values[index][code]);
    });
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

}  // namespace dpsql

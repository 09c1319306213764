#include "backend/row_facts.h"

#include <algorithm>
#include <utility>

namespace dpsql {
namespace {

constexpr std::size_t kMostFacts = 256;
constexpr std::size_t kMostBytes = 16 * 1024;  // of a text; longer ones are not worth their memory

std::size_t BytesOf(const DescribedRows& rows) {
  std::size_t bytes = rows.from.size();
  for (const std::string& condition : rows.conditions) bytes += condition.size();
  return bytes;
}

bool Covers(const DescribedRows& all, const DescribedRows& some) {
  return all.from == some.from && std::includes(some.conditions.begin(), some.conditions.end(),
                                                all.conditions.begin(), all.conditions.end());
}

}  // namespace

void RowFacts::Learn(DescribedRows rows, std::int64_t most) {
  if (BytesOf(rows) > kMostBytes) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (facts_.size() == kMostFacts) facts_.erase(facts_.begin());
  facts_.push_back({std::move(rows), most});
}

bool RowFacts::IsSecondAsking(const DescribedRows& rows) {
  if (BytesOf(rows) > kMostBytes) return false;
  std::string text = rows.from;
  for (const std::string& condition : rows.conditions) text += "\n" + condition;
  const std::lock_guard<std::mutex> lock(mutex_);
  if (askings_.size() == kMostFacts && !askings_.contains(text)) askings_.clear();
  return ++askings_[std::move(text)] == 2;
}

std::optional<std::int64_t> RowFacts::MostRows(const DescribedRows& rows) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::optional<std::int64_t> most;
  for (const Fact& fact : facts_) {
    if (Covers(fact.rows, rows)) most = std::min(most.value_or(fact.most), fact.most);
  }
  return most;
}

}  // namespace dpsql

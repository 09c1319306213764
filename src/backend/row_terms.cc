#include "backend/row_terms.h"

#include <cmath>
#include <type_traits>

#include "backend/encode_steps.h"
#include "backend/value_codes.h"
#include "base/check.h"

namespace dpsql {
namespace {

std::int64_t Power(std::int64_t base, int exponent) {
  std::int64_t result = 1;
  for (int i = 0; i < exponent; ++i) result *= base;
  return result;
}

struct Steps {
  std::int64_t* steps;
  std::uint8_t* present;  // already 0 where the row is NULL; null: no row is
};

// Returns whether a NaN was found; it becomes absent. Requires: for floats, `present` is there.
template <typename T>
bool EncodeColumn(const T* data, std::size_t n, const ValueEncoding& encoding, double divisor,
                  Steps out) {
  bool found_nan = false;
  if constexpr (std::is_same_v<T, std::int64_t>) {
    EncodeSteps(data, n, encoding, divisor, out.steps);
  } else {
    for (std::size_t i = 0; i < n; ++i) {
      double x = static_cast<double>(data[i]);
      if constexpr (std::is_floating_point_v<T>) {
        // What lies under a NULL may be anything, NaN too.
        const bool is_nan = std::isnan(x);
        found_nan = found_nan || is_nan;
        out.present[i] = is_nan ? 0 : out.present[i];
        x = out.present[i] != 0 ? x : encoding.low;
      } else {
        x = divisor == 1 ? x : x / divisor;
      }
      out.steps[i] = EncodeStep(encoding, x);
    }
  }
  if (out.present == nullptr) return found_nan;
  for (std::size_t i = 0; i < n; ++i) out.steps[i] *= out.present[i];
  return found_nan;
}

}  // namespace

RowTerms::RowTerms(const CellLayout& layout, std::span<const ColumnType> types)
    : layout_(layout),
      types_(types),
      steps_(layout.values.size()),
      presence_(layout.values.size() + layout.presences),
      present_(presence_.size()),
      class_bytes_(layout.classes.size()),
      terms_(layout.sums.size()),
      in_class_(layout.classes.size()),
      sums_(layout.sums.size()) {
  Check(types.size() == layout.columns(), "a layout names every column");
}

void RowTerms::Read(std::span<const ColumnData> columns, std::size_t n) {
  if (ones_.size() < n) ones_.assign(n, 1);
  for (std::size_t v = 0; v < layout_.values.size(); ++v) {
    ReadValue(v, columns[layout_.first_value() + v], n);
  }
  for (std::size_t p = 0; p < layout_.presences; ++p) {
    const std::size_t at = layout_.values.size() + p;
    present_[at] = ReadPresence(columns[layout_.first_presence() + p], n, presence_[at]);
  }
  for (std::size_t c = 0; c < layout_.classes.size(); ++c) ReadClass(c, n);
  for (std::size_t s = 0; s < layout_.sums.size(); ++s) ReadSum(s, n);
}

RowTerms::Present RowTerms::ReadPresence(const ColumnData& column, std::size_t n,
                                         std::vector<std::uint8_t>& bytes) {
  if (column.all_valid(n)) return nullptr;
  bytes.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    bytes.data()[i] = static_cast<std::uint8_t>((column.validity[i / 64] >> (i % 64)) & 1);
  }
  return bytes.data();
}

void RowTerms::ReadValue(std::size_t value, const ColumnData& column, std::size_t n) {
  const ColumnType& type = types_[layout_.first_value() + value];
  std::vector<std::uint8_t>& bytes = presence_[value];
  present_[value] = ReadPresence(column, n, bytes);
  const bool may_be_nan = type.payload == Payload::kFloat || type.payload == Payload::kDouble;
  if (may_be_nan && present_[value] == nullptr) bytes.assign(n, 1);
  const bool writes = may_be_nan || present_[value] != nullptr;
  steps_[value].resize(n);
  const Steps out{steps_[value].data(), writes ? bytes.data() : nullptr};
  VisitNumbers(type.payload, column.data, [&](const auto* data) {
    const ValueEncoding& encoding = layout_.values[value];
    if (EncodeColumn(data, n, encoding, type.divisor, out)) present_[value] = bytes.data();
  });
}

void RowTerms::ReadClass(std::size_t row_class, std::size_t n) {
  const RowClass& rule = layout_.classes[row_class];
  std::vector<Present> asked;
  for (const std::size_t value : rule.values) asked.push_back(present_[value]);
  for (const std::size_t presence : rule.presences) {
    asked.push_back(present_[layout_.values.size() + presence]);
  }
  std::erase(asked, nullptr);
  in_class_[row_class] = asked.empty() ? ones_.data() : asked[0];
  if (asked.size() < 2) return;
  std::vector<std::uint8_t>& bytes = class_bytes_[row_class];
  bytes.assign(asked[0], asked[0] + n);
  for (std::size_t a = 1; a < asked.size(); ++a) {
    for (std::size_t i = 0; i < n; ++i) bytes.data()[i] &= asked[a][i];
  }
  in_class_[row_class] = bytes.data();
}

void RowTerms::ReadSum(std::size_t index, std::size_t n) {
  const MonomialSum& sum = layout_.sums[index];
  const std::uint8_t* const in_class = in_class_[sum.row_class];
  const std::int64_t* const a = steps_[sum.a].data();
  if (!sum.b && sum.power_a == 1 && (in_class == ones_.data() || in_class == present_[sum.a])) {
    sums_[index] = a;
    return;
  }
  terms_[index].resize(n);
  std::int64_t* const terms = terms_[index].data();
  for (std::size_t i = 0; i < n; ++i) terms[i] = Power(a[i], sum.power_a) * in_class[i];
  if (sum.b) {
    const std::int64_t* const b = steps_[*sum.b].data();
    for (std::size_t i = 0; i < n; ++i) terms[i] *= Power(b[i], sum.power_b);
  }
  sums_[index] = terms;
}

}  // namespace dpsql

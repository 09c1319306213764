#include "validate/narrow.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace dpsql {
namespace {

struct Limits {
  std::optional<double> low;
  std::optional<double> high;
};
using Position = std::pair<std::size_t, std::size_t>;

void RaiseLow(Limits& limits, double low) { limits.low = std::max(limits.low.value_or(low), low); }
void LowerHigh(Limits& limits, double high) {
  limits.high = std::min(limits.high.value_or(high), high);
}

bool IsBareNumber(const BoundExpr& expr, const Relation& relation) {
  return expr.kind == BoundKind::kColumn && expr.type.is_numeric() &&
         expr.column.scan < relation.scans.size() &&
         relation.scans[expr.column.scan].role == ScanRole::kInner;
}

std::optional<double> NumberOf(const BoundExpr& expr) {
  if (expr.kind != BoundKind::kLiteral || !expr.interval) return std::nullopt;
  return expr.interval->low;
}

std::string Mirrored(const std::string& comparison) {
  if (comparison == "<") return ">";
  if (comparison == "<=") return ">=";
  if (comparison == ">") return "<";
  if (comparison == ">=") return "<=";
  return comparison;
}

// `x comparison number`. A whole x beyond a number is beyond the next whole number; of others
// nothing is known.
void Apply(const std::string& comparison, const Type& type, double number, Limits& limits) {
  const bool whole = type.family == TypeFamily::kInteger;
  if (comparison == "=" || comparison == ">=") RaiseLow(limits, number);
  if (comparison == "=" || comparison == "<=") LowerHigh(limits, number);
  if (comparison == ">") RaiseLow(limits, whole ? std::floor(number) + 1 : number);
  if (comparison == "<") LowerHigh(limits, whole ? std::ceil(number) - 1 : number);
}

// x IN (1, 2, 3) lies between the least and the greatest of them.
void ApplyList(const BoundExpr& in, Limits& limits) {
  std::optional<Interval> hull;
  for (std::size_t i = 1; i < in.arguments.size(); ++i) {
    const auto number = NumberOf(*in.arguments[i]);
    if (!number) return;
    if (!hull) hull = Interval{*number, *number};
    hull = Interval{std::min(hull->low, *number), std::max(hull->high, *number)};
  }
  if (!hull) return;
  RaiseLow(limits, hull->low);
  LowerHigh(limits, hull->high);
}

}  // namespace

void NarrowColumns(const Relation& relation, Scope& scope) {
  std::map<Position, Limits> limits;
  for (const BoundExprPtr& condition : relation.conditions) {
    if (condition->kind != BoundKind::kCall || condition->arguments.size() < 2) continue;
    const BoundExpr& left = *condition->arguments[0];
    const BoundExpr& right = *condition->arguments[1];
    const auto of = [&](const BoundExpr& column) -> Limits& {
      return limits[{column.column.scan, column.column.column}];
    };
    if (condition->function == "in" && IsBareNumber(left, relation))
      ApplyList(*condition, of(left));
    if (condition->arguments.size() != 2 || condition->function == "in") continue;
    if (IsBareNumber(left, relation) && NumberOf(right)) {
      Apply(condition->function, left.type, *NumberOf(right), of(left));
    } else if (IsBareNumber(right, relation) && NumberOf(left)) {
      Apply(Mirrored(condition->function), right.type, *NumberOf(left), of(right));
    }
  }
  for (const auto& [position, limit] : limits) {
    const BoundColumn at{position.first, position.second};
    if (at.scan >= scope.scans().size()) continue;
    const BoundExprPtr known = scope.ColumnAt(at, {});
    const bool from_both = limit.low && limit.high;
    if (!known->interval && !from_both) continue;
    const Interval declared =
        known->interval ? *known->interval : Interval{*limit.low, *limit.high};
    const Interval narrowed{std::max(declared.low, limit.low.value_or(declared.low)),
                            std::min(declared.high, limit.high.value_or(declared.high))};
    const bool narrower = narrowed.low > declared.low || narrowed.high < declared.high;
    if (narrowed.low >= narrowed.high || (known->interval && !narrower)) continue;
    scope.Narrow(at, narrowed, known->interval ? known->interval_origin + " and WHERE" : "WHERE");
  }
}

}  // namespace dpsql

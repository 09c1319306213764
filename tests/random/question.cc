#include "random/question.h"

#include <algorithm>
#include <utility>

#include "random/known_keys.h"

namespace dpsql {
namespace {

constexpr std::array<MeasureInfo, kMeasures> kInfos = {{
    {.name = "count(*)", .function = "count", .degrees = {}},
    {.name = "count(x)", .function = "count", .degrees = {}},
    {.name = "count(distinct unit)", .function = "count", .degrees = {}},
    {.name = "count(distinct x)", .function = "count", .degrees = {}},
    {.name = "sum", .function = "sum", .degrees = {.x = 1}},
    {.name = "avg", .function = "avg", .degrees = {.x = 1}},
    {.name = "var_pop", .function = "var_pop", .degrees = {.x = 2}},
    {.name = "var_samp", .function = "var_samp", .degrees = {.x = 2}},
    {.name = "variance", .function = "variance", .degrees = {.x = 2}},
    {.name = "stddev_pop", .function = "stddev_pop", .degrees = {.x = 2}},
    {.name = "stddev_samp", .function = "stddev_samp", .degrees = {.x = 2}},
    {.name = "stddev", .function = "stddev", .degrees = {.x = 2}},
    {.name = "covar_pop", .function = "covar_pop", .degrees = {.x = 1, .y = 1}},
    {.name = "covar_samp", .function = "covar_samp", .degrees = {.x = 1, .y = 1}},
    {.name = "corr", .function = "corr", .degrees = {.x = 2, .y = 2}},
    {.name = "regr_slope", .function = "regr_slope", .degrees = {.x = 2, .y = 1}},
    {.name = "regr_intercept", .function = "regr_intercept", .degrees = {.x = 2, .y = 1}},
    {.name = "regr_r2", .function = "regr_r2", .degrees = {.x = 2, .y = 2}},
}};

std::string Clamped(const Expression& number, Range range) {
  return "clamped(" + AsDouble(number) + ", CAST(" + NumberText(range.low) + " AS DOUBLE), CAST(" +
         NumberText(range.high) + " AS DOUBLE))";
}

std::string SortWord(SortOrder order) { return order == SortOrder::kDown ? " DESC" : ""; }

}  // namespace

const MeasureInfo& InfoOf(Measure measure) { return kInfos[static_cast<std::size_t>(measure)]; }

std::string Item::Asked() const {
  const MeasureInfo& info = InfoOf(measure);
  std::string arguments = info.is_pair() ? y.asked + ", " + x.asked : x.asked;
  if (measure == Measure::kCountRows) arguments = "*";
  const bool distinct = measure == Measure::kCountUnits || measure == Measure::kCountDistinct;
  if (distinct) arguments = "DISTINCT " + arguments;
  const auto bounds = [](Range range) {
    return ", " + NumberText(range.low) + ", " + NumberText(range.high);
  };
  if (inline_bounds && info.is_pair()) arguments += bounds(y_range);
  if (inline_bounds) arguments += bounds(x_range);
  const std::string call = std::string(info.function) + "(" + arguments + ")";
  return filter ? call + " FILTER (WHERE " + filter->asked + ")" : call;
}

std::string Output::Asked() const {
  std::string text;
  for (const Term& term : terms) {
    const std::string factor = term.factor == 1 ? "" : NumberText(term.factor) + " * ";
    text += (text.empty() ? "" : " + ") + factor + term.item.Asked();
  }
  return constant == 0 ? text : text + " + " + NumberText(constant);
}

std::vector<const Item*> Question::items() const {
  std::vector<const Item*> all;
  for (const Output& output : outputs) {
    for (const Output::Term& term : output.terms) all.push_back(&term.item);
  }
  return all;
}

unsigned Question::ValueBits(const Item& item) const {
  constexpr unsigned kMostBits = 20;
  constexpr unsigned kProductBits = 40;
  const auto text = [](const Item& of) {
    const std::string y = InfoOf(of.measure).is_pair() ? of.y.asked : "";
    return of.x.asked + ", " + y + " WHERE " + (of.filter ? of.filter->asked : "");
  };
  Degrees highest;
  for (const Item* other : items()) {
    const Degrees degrees = InfoOf(other->measure).degrees;
    if (text(*other) != text(item)) continue;
    highest = {std::max(highest.x, degrees.x), std::max(highest.y, degrees.y)};
  }
  return std::min(kMostBits, kProductBits / (highest.x + highest.y));
}

std::string Question::Asked() const {
  std::string list;
  std::string groups;
  std::string order;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::string name = "k" + std::to_string(i);
    list += (i == 0 ? "" : ", ") + keys[i].asked + " AS " + name;
    groups += (i == 0 ? " GROUP BY " : ", ") + (group_style == GroupStyle::kWritten ? keys[i].asked
                                                : group_style == GroupStyle::kPlaces
                                                    ? std::to_string(i + 1)
                                                    : name);
    order += (order.empty() ? "" : ", ") + name + SortWord(by_keys);
  }
  for (const Output& output : outputs) list += (list.empty() ? "" : ", ") + output.Asked();
  std::string sql = "SELECT " + list + " FROM " + relation.asked;
  std::string conditions = relation.condition ? relation.condition->asked : "";
  if (where) conditions += (conditions.empty() ? "" : " AND ") + where->asked;
  if (!conditions.empty()) sql += " WHERE " + conditions;
  sql += groups;
  if (least_rows) sql += " HAVING count(*) >= " + std::to_string(*least_rows);
  if (!is_sorted()) return sql;
  if (by_count != SortOrder::kNone) order = "count(*)" + SortWord(by_count) + ", " + order;
  return sql + " ORDER BY " + order + (limit ? " LIMIT " + std::to_string(*limit) : "");
}

std::optional<std::string> Question::PlainKeys() const { return KnownKeys(relation, where, keys); }

std::string Question::PlainRows() const {
  std::string list = relation.owner + " AS u";
  for (std::size_t i = 0; i < keys.size(); ++i) {
    list += ", " + keys[i].plain + " AS k" + std::to_string(i);
  }
  std::size_t number = 0;
  for (const Item* item : items()) {
    const MeasureInfo& info = InfoOf(item->measure);
    std::string counts = item->filter ? "(" + item->filter->plain + ")" : "TRUE";
    if (info.is_pair()) counts += " AND " + item->y.plain + " IS NOT NULL";
    const bool bounded = !info.is_count();
    const std::string x = bounded ? Clamped(item->x, item->x_range) : item->x.plain;
    const std::string y = info.is_pair() ? Clamped(item->y, item->y_range) : "NULL";
    counts += " AND " + item->x.plain + " IS NOT NULL";
    const std::string place = std::to_string(number++);
    list += ", CASE WHEN " + counts + " THEN " + x + " END AS x" + place;
    list += ", CASE WHEN " + counts + " THEN " + y + " END AS y" + place;
  }
  std::string sql =
      "SELECT " + list + " FROM " + relation.plain + " WHERE " + relation.owner + " IS NOT NULL";
  if (relation.condition) sql += " AND " + relation.condition->plain;
  if (where) sql += " AND " + where->plain;
  return sql;
}

}  // namespace dpsql

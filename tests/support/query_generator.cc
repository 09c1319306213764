#include "support/query_generator.h"

#include <algorithm>
#include <array>
#include <random>
#include <utility>

namespace dpsql {
namespace {

constexpr int kDepth = 4;
constexpr std::size_t kMostSources = 16;  // of one text; CTEs of CTEs would grow without end
constexpr std::size_t kSeedBytes = 1'024;

constexpr auto kTypes =
    std::to_array<TypeFamily>({TypeFamily::kInteger, TypeFamily::kText, TypeFamily::kBoolean,
                               TypeFamily::kDecimal, TypeFamily::kDate, TypeFamily::kFloat});

// Floats make no keys.
constexpr auto kKeyTypes = std::to_array<TypeFamily>(
    {TypeFamily::kText, TypeFamily::kInteger, TypeFamily::kBoolean, TypeFamily::kDate});

std::string Join(const std::vector<std::string>& parts, std::string_view separator = ", ") {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : std::string(separator)) + part;
  return text;
}

}  // namespace

GeneratedQuery QueryGenerator::Next() {
  constexpr std::array<std::size_t, 8> kBoldness = {0, 0, 0, 0, 1, 1, 2, 3};
  boldness_ = choices_.Pick(kBoldness);
  const bool hostile = choices_.In16(5);
  near_miss_ = hostile ? static_cast<NearMiss>(1 + choices_.Below(13)) : NearMiss::kNone;
  missed_ = false;
  names_ = 0;
  sources_left_ = kMostSources;
  ctes_.clear();
  std::string sql = Bold(4) ? With() : "";
  sql += Answer(kDepth - 1);
  if (Bold(1)) sql = "EXPLAIN (DP) " + sql;
  return {.sql = std::move(sql), .near_miss = missed_ ? near_miss_ : NearMiss::kNone};
}

bool QueryGenerator::Miss(NearMiss miss) {
  if (near_miss_ != miss || missed_) return false;
  missed_ = true;
  return true;
}

bool QueryGenerator::Bold(std::size_t in16) { return choices_.In16(in16 * boldness_); }

std::string QueryGenerator::With() {
  std::vector<std::string> entries;
  for (std::size_t i = 0, count = 1 + choices_.Below(3); i < count; ++i) {
    const Query query = Inner(choices_.In16(3) ? Shape::kReleased : Shape::kRows, 2, "", nullptr);
    Source source{.alias = NewAlias(), .columns = query.columns, .kind = query.kind};
    std::string head = source.alias;
    if (choices_.In16(2)) RenameColumns(source, head);
    entries.push_back(head + " AS " + (choices_.In16(1) ? "MATERIALIZED (" : "(") + query.sql +
                      ")");
    ctes_.push_back(std::move(source));
  }
  return "WITH " + Join(entries) + " ";
}

std::string QueryGenerator::Answer(int depth) {
  if (!Bold(1)) return AnswerBlock(depth);
  constexpr std::array kOperators = {"UNION ALL",     "UNION",  "INTERSECT",
                                     "INTERSECT ALL", "EXCEPT", "EXCEPT ALL"};
  return "(" + AnswerBlock(depth - 1) + ") " + choices_.Pick(kOperators) + " (" +
         AnswerBlock(depth - 1) + ")" + Tail(1, false);
}

std::string QueryGenerator::AnswerBlock(int depth) {
  Scope scope;
  const std::string from = From(scope, depth, "");
  std::vector<std::string> items;
  std::vector<std::string> keys;
  for (std::size_t i = 0, count = choices_.Below(3); i < count; ++i) {
    std::string key = Expression(scope, choices_.Pick(kKeyTypes), choices_.In16(4) ? 1 : 0);
    if (near_miss_ == NearMiss::kUnitShown) {
      const auto owner = Owner(scope);
      if (owner && Miss(NearMiss::kUnitShown)) key = *owner;
    }
    const std::string alias = "k" + std::to_string(i);
    const bool named = choices_.In16(6);
    items.push_back(named ? key + " AS " + alias : key);
    // By itself, by its place, by its name.
    const std::size_t way = choices_.Below(4);
    keys.push_back(way == 3 ? std::to_string(i + 1) : way == 2 && named ? alias : key);
  }
  for (std::size_t i = 0, count = 1 + choices_.Below(3); i < count; ++i) {
    const std::string aggregate = Aggregate(scope, depth);
    items.push_back(choices_.In16(6) ? aggregate + " AS a" + std::to_string(i) : aggregate);
  }
  if (Bold(1)) items.push_back(Window(scope, depth));
  // Places in GROUP BY count from the left, so that keys stay in front.
  std::string sql = "SELECT ";
  if (Bold(1)) sql += "WITH DIFFERENTIAL_PRIVACY OPTIONS (epsilon = 0.5) ";
  if (Bold(1)) sql += "DISTINCT ";
  sql += Join(items) + " FROM " + from;
  sql += Where(scope, depth);
  if (!keys.empty()) sql += " GROUP BY " + (Bold(1) ? "ROLLUP (" + Join(keys) + ")" : Join(keys));
  if (Bold(2)) sql += " HAVING " + Aggregate(scope, 0) + " > " + Literal(TypeFamily::kInteger);
  return sql + (Bold(3) ? Tail(items.size(), false) : "");
}

std::string QueryGenerator::Tail(std::size_t columns, bool inside) {
  constexpr std::array kLimits = {" LIMIT 10", " LIMIT 5 OFFSET 2", " FETCH FIRST 3 ROWS ONLY"};
  constexpr std::array kOrders = {"", " DESC", " ASC NULLS FIRST", " DESC NULLS LAST"};
  std::string text = " ORDER BY " + std::to_string(1 + choices_.Below(columns));
  text += choices_.Pick(kOrders);
  if (inside || choices_.In16(8)) text += choices_.Pick(kLimits);
  return text;
}

QueryGenerator::Query QueryGenerator::Inner(Shape shape, int depth, std::string_view kind,
                                            const Scope* outer) {
  if (shape == Shape::kPublic) return PublicBlock();
  Query query = InnerBlock(shape, depth, kind, outer);
  if (outer == nullptr && shape == Shape::kRows && Bold(2)) {
    return Combine(std::move(query), depth - 1);
  }
  return query;
}

QueryGenerator::Query QueryGenerator::InnerBlock(Shape shape, int depth, std::string_view kind,
                                                 const Scope* outer) {
  Scope scope{.sources = {}, .outer = outer, .conditions = {}};
  const std::string from = From(scope, depth, kind);
  Query query{.sql = "", .columns = {}, .kind = std::string(KindOf(scope))};
  std::vector<std::string> items;
  std::vector<std::string> keys;
  const bool groups = shape != Shape::kRows;
  const bool loses_unit = shape == Shape::kReleased || (groups && Miss(NearMiss::kGroupsOverUnits));
  if (!loses_unit && !Miss(NearMiss::kOwnerLeftOut)) AddOwner(scope, items, query);
  if (shape == Shape::kReleased) query.kind.clear();
  if (groups && !items.empty()) keys.push_back(items[0].substr(0, items[0].rfind(" AS ")));
  if (groups && (loses_unit || choices_.In16(3))) {
    const TypeFamily type = choices_.Pick(kKeyTypes);
    keys.push_back(Expression(scope, type, 0));
    items.push_back(keys.back() + " AS g");
    query.columns.push_back({.name = "g", .type = type});
  }
  if (groups) {
    items.push_back((loses_unit ? Aggregate(scope, 0) : ExactAggregate(scope, depth)) + " AS n");
    query.columns.push_back({.name = "n", .type = TypeFamily::kInteger, .bounded = false});
  } else {
    AddColumns(scope, depth, items, query);
  }
  query.sql = std::string("SELECT ") + (!groups && choices_.In16(1) ? "DISTINCT " : "");
  query.sql += Join(items) + " FROM " + from;
  if (outer != nullptr && !Miss(NearMiss::kUncorrelated)) {
    const std::string right = Owner(scope).value_or("1");
    scope.conditions.push_back(Owner(*outer).value_or("1") + " = " + right);
  }
  query.sql += Where(scope, depth - 1);
  if (!keys.empty()) query.sql += " GROUP BY " + Join(keys);
  if (groups && Bold(2)) query.sql += " HAVING count(*) > 1";
  const bool limit = Miss(NearMiss::kLimitInside);
  if (limit || Bold(1)) query.sql += Tail(items.size(), limit);
  return query;
}

std::string QueryGenerator::Where(Scope& scope, int depth) {
  if (choices_.In16(7)) scope.conditions.push_back(Predicate(scope, depth));
  return scope.conditions.empty() ? "" : " WHERE " + Join(scope.conditions, " AND ");
}

QueryGenerator::Query QueryGenerator::PublicBlock() {
  Scope scope;
  scope.sources.emplace_back();
  const std::string from = TakeTable(scope.sources[0], "public");
  Query query;
  std::vector<std::string> items;
  AddColumns(scope, 0, items, query);
  query.sql = "SELECT " + Join(items) + " FROM " + from;
  if (choices_.In16(6)) query.sql += " WHERE " + Predicate(scope, 0);
  return query;
}

// The right side has the types of the left, in its order.
QueryGenerator::Query QueryGenerator::Combine(Query left, int depth) {
  constexpr std::array kOperators = {"UNION ALL",     "UNION",  "INTERSECT",
                                     "INTERSECT ALL", "EXCEPT", "EXCEPT ALL"};
  Scope scope;
  const std::string from = From(scope, std::max(depth, 0), left.kind);
  std::vector<std::string> items;
  for (const Column& column : left.columns) {
    const std::string value = Expression(scope, column.type, 0);
    items.push_back(column.unit ? Owner(scope).value_or(value) : value);
  }
  if (items.size() > 1 && Miss(NearMiss::kSwappedUnion)) std::swap(items.front(), items.back());
  left.sql = "(" + left.sql + ") " + choices_.Pick(kOperators) + " (SELECT " + Join(items) +
             " FROM " + from + Where(scope, 0) + ")";
  for (Column& column : left.columns) column.bounded = false;
  return left;
}

void QueryGenerator::AddOwner(const Scope& scope, std::vector<std::string>& items, Query& query) {
  const auto owner = Owner(scope);
  if (!owner) return;
  const bool computed = Miss(NearMiss::kComputedOwner);
  const std::string name = choices_.In16(8) ? "customer_id" : "u";
  items.push_back((computed ? "coalesce(" + *owner + ", 0)" : *owner) + " AS " + name);
  query.columns.push_back({.name = name, .type = TypeFamily::kInteger, .unit = true});
}

void QueryGenerator::AddColumns(const Scope& scope, int depth, std::vector<std::string>& items,
                                Query& query) {
  if (Bold(1)) {
    // A star shows the columns of the first source once more.
    items.push_back(scope.sources[0].alias + ".*");
    const std::vector<Column>& shown = scope.sources[0].columns;
    query.columns.insert(query.columns.end(), shown.begin(), shown.end());
  }
  for (std::size_t i = 0, count = 1 + choices_.Below(3); i < count; ++i) {
    const TypeFamily type = choices_.Pick(kTypes);
    const std::string name = "c" + std::to_string(++names_);
    const bool window = choices_.In16(1) || Bold(2);
    items.push_back((window ? Window(scope, depth) : Expression(scope, type, 1)) + " AS " + name);
    query.columns.push_back({.name = name, .type = window ? TypeFamily::kInteger : type});
  }
}

std::string QueryGenerator::Aggregate(const Scope& scope, int depth) {
  const std::size_t kind = choices_.Below(8);
  std::string text = "count(*)";
  if (kind == 2) text = "count(" + Leaf(scope, TypeFamily::kText) + ")";
  if (kind == 3) text = "count(DISTINCT " + Owner(scope).value_or("1") + ")";
  if (kind > 3) text = Sum(scope, depth);
  if (Bold(1)) text = ExactAggregate(scope, depth);
  if (Bold(2)) text += " FILTER (WHERE " + Predicate(scope, 0) + ")";
  if (depth > 0 && Bold(2)) text = "(" + text + " / " + Aggregate(scope, 0) + ")";
  if (Bold(1)) text = "round(" + text + ", 2)";
  return text;
}

// Where no declared bounds follow, the query says its own.
std::string QueryGenerator::Sum(const Scope& scope, int depth) {
  const std::string function = choices_.In16(6) ? "avg(" : "sum(";
  std::vector<std::string> bounded;
  for (const Source& source : scope.sources) {
    for (const Column& column : source.columns) {
      if (column.bounded && !column.hidden) bounded.push_back(Ref(source, column));
    }
  }
  if (!bounded.empty() && choices_.In16(6)) return function + choices_.Pick(bounded) + ")";
  const std::string value = NumberExpression(scope, std::min(depth, 1));
  if (choices_.In16(4)) {
    return function + "CASE WHEN " + SimplePredicate(scope, 0) + " THEN 1 ELSE 0 END, 0, 1)";
  }
  constexpr std::array kBounds = {", 0, 10)", ", lower => 0, upper => 100)", ", -1, 1.5)"};
  return function + value + choices_.Pick(kBounds);
}

std::string QueryGenerator::ExactAggregate(const Scope& scope, int depth) {
  constexpr std::array kFunctions = {"sum", "max", "min", "count", "avg", "stddev"};
  if (choices_.In16(5)) return "count(*)";
  return std::string(choices_.Pick(kFunctions)) + (choices_.In16(2) ? "(DISTINCT " : "(") +
         NumberExpression(scope, std::min(depth, 1)) + ")";
}

std::string QueryGenerator::Window(const Scope& scope, int depth) {
  constexpr std::array kFunctions = {"row_number()", "rank()", "count(*)", "lag(1)"};
  constexpr std::array kFrames = {"", " ROWS BETWEEN 1 PRECEDING AND CURRENT ROW",
                                  " RANGE UNBOUNDED PRECEDING"};
  std::string text = choices_.Pick(kFunctions);
  if (choices_.In16(5)) text = ExactAggregate(scope, depth);
  text += " OVER (";
  const auto owner = Owner(scope);
  const bool over_units = Miss(NearMiss::kWindowOverUnits);
  if (owner && !over_units) text += "PARTITION BY " + *owner + " ";
  if (choices_.In16(10)) {
    text += "ORDER BY " + Leaf(scope, choices_.Pick(kTypes)) + choices_.Pick(kFrames);
  }
  return text + ")";
}

GeneratedQuery GenerateQuery(const std::vector<CatalogTable>& tables, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint8_t> bytes(kSeedBytes);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random() >> 56);
  Choices choices(bytes);
  return QueryGenerator(tables, choices).Next();
}

}  // namespace dpsql

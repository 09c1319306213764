#include <algorithm>
#include <array>
#include <utility>

#include "base/names.h"
#include "support/query_generator.h"

namespace dpsql {
namespace {

constexpr std::array kComparisons = {"=", "<", ">", "<=", ">=", "<>"};

bool SameKindOfValue(TypeFamily a, TypeFamily b) {
  const auto numeric = [](TypeFamily family) {
    return family == TypeFamily::kInteger || family == TypeFamily::kDecimal ||
           family == TypeFamily::kFloat;
  };
  return a == b || (numeric(a) && numeric(b));
}

}  // namespace

// Names compare without regard to letter case, quoted or not.
std::string QueryGenerator::Name(std::string_view name) {
  switch (choices_.Below(12)) {
    case 9:
      return ToUpper(name);
    case 10:
      return "\"" + std::string(name) + "\"";
    case 11:
      return "\"" + ToUpper(name) + "\"";
    default:
      return std::string(name);
  }
}

std::string QueryGenerator::Ref(const Source& source, const Column& column) {
  const std::string name = Name(column.name);
  return choices_.In16(2) ? name : source.alias + "." + name;
}

std::string QueryGenerator::Literal(TypeFamily type) {
  static constexpr std::array kNumbers = {
      "0", "1", "10", "-3", "2.5", "1e3", "9223372036854775807"};
  static constexpr std::array kTexts = {"'Paris'", "'home'", "'a%'", "''", "'it''s'", "'é'"};
  static constexpr std::array kDates = {"date '2020-01-31'", "DATE '1999-12-01'", "current_date"};
  static constexpr std::array kBooleans = {"TRUE", "FALSE", "true"};
  if (choices_.In16(1)) return "NULL";
  switch (type) {
    case TypeFamily::kText:
      return choices_.Pick(kTexts);
    case TypeFamily::kDate:
      return choices_.Pick(kDates);
    case TypeFamily::kBoolean:
      return choices_.Pick(kBooleans);
    case TypeFamily::kInteger:
      return kNumbers.at(choices_.Below(4));
    default:
      return choices_.Pick(kNumbers);
  }
}

std::string QueryGenerator::Leaf(const Scope& scope, TypeFamily type) {
  const bool hidden = near_miss_ == NearMiss::kHiddenColumn && !missed_;
  std::vector<std::pair<const Source*, const Column*>> fitting;
  const Scope& read = scope.outer != nullptr && Bold(1) ? *scope.outer : scope;
  for (const Source& source : read.sources) {
    for (const Column& column : source.columns) {
      const bool fits = SameKindOfValue(column.type, type) && !column.unit;
      if (fits && (!column.hidden || hidden)) fitting.emplace_back(&source, &column);
    }
  }
  if (fitting.empty() || choices_.In16(2)) return Literal(type);
  const auto& [source, column] = choices_.Pick(fitting);
  if (column->hidden) Miss(NearMiss::kHiddenColumn);
  return Ref(*source, *column);
}

std::string QueryGenerator::Expression(const Scope& scope, TypeFamily type, int depth) {
  if (depth <= 0 || choices_.In16(8)) return Leaf(scope, type);
  if (choices_.In16(3)) {
    return "CASE WHEN " + SimplePredicate(scope, 0) + " THEN " + Expression(scope, type, 0) +
           " ELSE " + Expression(scope, type, 0) + " END";
  }
  if (choices_.In16(2)) {
    return "coalesce(" + Leaf(scope, type) + ", " + Leaf(scope, type) + ")";
  }
  switch (type) {
    case TypeFamily::kText:
      return TextExpression(scope, depth - 1);
    case TypeFamily::kBoolean:
      return "(" + SimplePredicate(scope, depth - 1) + ")";
    case TypeFamily::kDate:
      return "(" + Leaf(scope, type) + (choices_.In16(8) ? " + 7)" : " - interval '1' month)");
    default:
      return NumberExpression(scope, depth - 1);
  }
}

std::string QueryGenerator::NumberExpression(const Scope& scope, int depth) {
  if (depth <= 0) return Leaf(scope, TypeFamily::kInteger);
  const std::string a = Expression(scope, TypeFamily::kInteger, depth - 1);
  static constexpr std::array kOperators = {" + ", " - ", " * ", " / ", " % "};
  switch (choices_.Below(7)) {
    case 0:
      return "abs(" + a + ")";
    case 1:
      return "length(" + Leaf(scope, TypeFamily::kText) + ")";
    case 2:
      return "extract(year FROM " + Leaf(scope, TypeFamily::kDate) + ")";
    case 3:
      return "CAST(" + a + " AS bigint)";
    case 4:
      return "greatest(" + a + ", " + Literal(TypeFamily::kInteger) + ")";
    default:
      return "(" + a + choices_.Pick(kOperators) + Leaf(scope, TypeFamily::kFloat) + ")";
  }
}

std::string QueryGenerator::TextExpression(const Scope& scope, int depth) {
  const std::string a = Expression(scope, TypeFamily::kText, depth);
  switch (choices_.Below(5)) {
    case 0:
      return "lower(" + a + ")";
    case 1:
      return "substring(" + a + " FROM 1 FOR 3)";
    case 2:
      return "(" + a + " || " + Leaf(scope, TypeFamily::kText) + ")";
    case 3:
      return "trim(BOTH ' ' FROM " + a + ")";
    default:
      return Leaf(scope, TypeFamily::kInteger) + "::text";
  }
}

std::string QueryGenerator::Predicate(const Scope& scope, int depth) {
  if (depth > 0 && choices_.In16(3)) return SubqueryPredicate(scope, depth - 1);
  if (depth <= 0 || choices_.In16(9)) return SimplePredicate(scope, depth);
  switch (choices_.Below(4)) {
    case 0:
      return "(" + Predicate(scope, depth - 1) + " OR " + SimplePredicate(scope, 0) + ")";
    case 1:
      return "NOT (" + Predicate(scope, depth - 1) + ")";
    default:
      return Predicate(scope, depth - 1) + " AND " + SimplePredicate(scope, 0);
  }
}

std::string QueryGenerator::SimplePredicate(const Scope& scope, int depth) {
  static constexpr std::array kTypes = {TypeFamily::kInteger, TypeFamily::kText, TypeFamily::kDate,
                                        TypeFamily::kDecimal};
  const TypeFamily type = choices_.Pick(kTypes);
  const std::string a = Expression(scope, type, std::min(depth, 2));
  switch (choices_.Below(8)) {
    case 0:
      return a + (choices_.In16(8) ? " IS NULL" : " IS NOT NULL");
    case 1:
      return a + (choices_.In16(3) ? " NOT IN (" : " IN (") + Literal(type) + ", " + Literal(type) +
             ")";
    case 2:
      return a + " BETWEEN " + Literal(type) + " AND " + Literal(type);
    case 3:
      return Leaf(scope, TypeFamily::kText) + " LIKE '%a_'";
    case 4:
      return Leaf(scope, TypeFamily::kBoolean) + " IS NOT TRUE";
    default:
      return a + " " + choices_.Pick(kComparisons) + " " + Expression(scope, type, 0);
  }
}

std::string QueryGenerator::SubqueryPredicate(const Scope& scope, int depth) {
  if (sources_left_ == 0) return SimplePredicate(scope, 0);
  if (!Bold(3)) return Membership(scope, depth);
  switch (choices_.Below(4)) {
    case 0:
      return Membership(scope, depth);
    case 1:
      return Quantified(scope, depth);
    case 2:
      return ScalarComparison(scope, depth);
    default:
      return Exists(scope, depth);
  }
}

// On the unit, or on a column that everybody may know.
std::string QueryGenerator::Membership(const Scope& scope, int depth) {
  const auto owner = Owner(scope);
  const std::string word = Bold(2) ? " NOT IN (" : " IN (";
  Scope inner;
  if (!owner || choices_.In16(4)) {
    const std::string from = From(inner, 0, "public");
    return Leaf(scope, TypeFamily::kText) + word + "SELECT " + Leaf(inner, TypeFamily::kText) +
           " FROM " + from + Where(inner, 0) + ")";
  }
  const std::string kind(KindOf(scope));
  const std::string from = From(inner, std::min(depth, 1), kind);
  const std::string value = Owner(inner).value_or("1");
  return *owner + word + "SELECT " + value + " FROM " + from + Where(inner, depth) + ")";
}

std::string QueryGenerator::Exists(const Scope& scope, int depth) {
  const std::string kind(KindOf(scope));
  const Query query = Inner(Shape::kRows, std::max(depth, 0), kind, &scope);
  return (choices_.In16(6) ? "NOT EXISTS (" : "EXISTS (") + query.sql + ")";
}

std::string QueryGenerator::Quantified(const Scope& scope, int depth) {
  Scope inner;
  const std::string kind(KindOf(scope));
  const std::string from = From(inner, std::min(depth, 1), choices_.In16(6) ? "public" : kind);
  return Leaf(scope, TypeFamily::kInteger) + " " + choices_.Pick(kComparisons) +
         (choices_.In16(8) ? " ANY" : " ALL") + " (SELECT " + Leaf(inner, TypeFamily::kInteger) +
         " FROM " + from + Where(inner, depth) + ")";
}

std::string QueryGenerator::ScalarComparison(const Scope& scope, int depth) {
  Scope inner{.sources = {}, .outer = &scope, .conditions = {}};
  const std::string kind(KindOf(scope));
  const std::string from = From(inner, std::min(depth, 1), kind);
  const auto owner = Owner(scope);
  const auto own = Owner(inner);
  const bool correlated = owner && own && choices_.In16(12) && !Miss(NearMiss::kUncorrelated);
  if (correlated) inner.conditions.push_back(*owner + " = " + *own);
  return Leaf(scope, TypeFamily::kInteger) + " " + choices_.Pick(kComparisons) + " (SELECT " +
         ExactAggregate(inner, 0) + " FROM " + from + Where(inner, 0) + ")";
}

}  // namespace dpsql

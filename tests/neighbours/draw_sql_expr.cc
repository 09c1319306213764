#include <array>

#include "neighbours/draw_sql.h"

namespace dpsql {
namespace {

constexpr auto kComparisons = std::to_array({"=", "<", ">", "<=", ">=", "<>"});

bool IsNumber(TypeFamily family) {
  return family == TypeFamily::kInteger || family == TypeFamily::kDecimal ||
         family == TypeFamily::kFloat;
}

}  // namespace

std::string SqlMaker::Literal(TypeFamily family) {
  constexpr auto kWhole = std::to_array({"0", "1", "2", "3", "10", "-3", "9007199254740993"});
  constexpr auto kTexts = std::to_array({"'Paris'", "'a'", "'home'", "''", "'\u00e9'", "'Ab'"});
  constexpr auto kDates = std::to_array({"DATE '2020-01-31'", "DATE '1999-12-01'"});
  switch (family) {
    case TypeFamily::kText:
      return dice_.Pick(kTexts);
    case TypeFamily::kDate:
      return dice_.Pick(kDates);
    case TypeFamily::kTimestamp:
      return "TIMESTAMP '1999-12-01 00:00:00'";
    case TypeFamily::kBoolean:
      return dice_.In16(8) ? "TRUE" : "FALSE";
    case TypeFamily::kUuid:
      return "CAST('00000000-0000-0000-0000-000000000001' AS UUID)";
    case TypeFamily::kDecimal:
      return "1.25";
    case TypeFamily::kInterval:
      return dice_.In16(8) ? "INTERVAL '1 month'" : "INTERVAL '-30 days'";
    case TypeFamily::kFloat:
      return "0.5";
    default:
      return dice_.Pick(kWhole);
  }
}

// A column of this family, else a literal.
std::string SqlMaker::ColumnOf(const Rows& rows, TypeFamily family) {
  std::vector<const Column*> fitting;
  for (const Column& column : rows.columns) {
    const bool number = family == TypeFamily::kFloat && IsNumber(column.family);
    if (column.family == family || number) fitting.push_back(&column);
  }
  return fitting.empty() || dice_.In16(1) ? Literal(family) : dice_.Pick(fitting)->text;
}

// That of some column, where one has such a type.
TypeFamily SqlMaker::AnyFamily(const Rows& rows) {
  return rows.columns.empty() ? TypeFamily::kInteger : dice_.Pick(rows.columns).family;
}

// One whose equal values are the same value.
TypeFamily SqlMaker::ExactFamily(const Rows& rows) {
  for (int i = 0; i < 4; ++i) {
    const TypeFamily family = AnyFamily(rows);
    if (family != TypeFamily::kFloat && family != TypeFamily::kOther) return family;
  }
  return TypeFamily::kInteger;
}

// One that can be the key of a door.
TypeFamily SqlMaker::KeyFamily(const Rows& rows) {
  const TypeFamily family = ExactFamily(rows);
  return family == TypeFamily::kUuid ? TypeFamily::kText : family;
}

// `known` where it can be: its values are known without the rows.
std::string SqlMaker::Key(const Rows& rows, bool known) {
  std::vector<std::string> listed;
  for (const Column& column : rows.columns) {
    const bool exact = column.family == TypeFamily::kText || column.family == TypeFamily::kInteger;
    if (column.listed || (column.is_public && exact)) listed.push_back(column.text);
  }
  if (known && !listed.empty()) return dice_.Pick(listed);
  return Value(rows, KeyFamily(rows), dice_.In16(4) ? 1 : 0);
}

std::string SqlMaker::Value(const Rows& rows, TypeFamily family, int depth) {
  if (depth <= 0 || dice_.In16(8)) return ColumnOf(rows, family);
  if (dice_.In16(7)) return Call(rows, family, depth);
  if (dice_.In16(3)) {
    return "CASE WHEN " + Comparison(rows) + " THEN " + Value(rows, family, depth - 1) + " ELSE " +
           Value(rows, family, depth - 1) + " END";
  }
  if (dice_.In16(3)) {
    return "coalesce(" + ColumnOf(rows, family) + ", " + Literal(family) + ")";
  }
  if (IsNumber(family)) return Number(rows, depth - 1);
  if (family == TypeFamily::kBoolean) return "(" + Comparison(rows) + ")";
  if (family != TypeFamily::kText) return ColumnOf(rows, family);
  const std::string text = ColumnOf(rows, family);
  const std::string forms[] = {"lower(" + text + ")", "upper(" + text + ")",
                               "substring(" + text + ", 1, 1)", "(" + text + " || 'x')",
                               "trim(" + text + ")"};
  return forms[dice_.Below(std::size(forms))];
}

std::string SqlMaker::Number(const Rows& rows, int depth) {
  const std::string a = Value(rows, TypeFamily::kInteger, depth - 1);
  constexpr auto kOperators = std::to_array({" + ", " - ", " * ", " / ", " % "});
  switch (dice_.Below(7)) {
    case 0:
      return "abs(" + a + ")";
    case 1:
      return "length(" + ColumnOf(rows, TypeFamily::kText) + ")";
    case 2:
      return "extract(year FROM " + ColumnOf(rows, TypeFamily::kDate) + ")";
    case 3:
      return "CAST(" + a + " AS bigint)";
    case 4:
      return "round(" + ColumnOf(rows, TypeFamily::kFloat) + ")";
    default:
      return "(" + a + dice_.Pick(kOperators) + ColumnOf(rows, TypeFamily::kInteger) + ")";
  }
}

std::string SqlMaker::Comparison(const Rows& rows) {
  const TypeFamily family = AnyFamily(rows);
  const std::string a = ColumnOf(rows, family);
  const std::string b = dice_.In16(5) ? ColumnOf(rows, family) : Literal(family);
  const std::string least = IsNumber(family) ? "-3" : family == TypeFamily::kText ? "''" : b;
  switch (dice_.Below(7)) {
    case 0:
      return a + (dice_.In16(8) ? " IS NULL" : " IS NOT NULL");
    case 1:
      return a + (dice_.In16(4) ? " NOT IN (" : " IN (") + Literal(family) + ", " +
             Literal(family) + ")";
    case 2:
      return a + " BETWEEN " + least + " AND " + Literal(family);
    case 3:
      return ColumnOf(rows, TypeFamily::kText) + " LIKE '%a%'";
    default:
      return a + " " + dice_.Pick(kComparisons) + " " + (a == b ? Literal(family) : b);
  }
}

std::string SqlMaker::Predicate(const Rows& rows, int depth) {
  if (depth > 0 && dice_.In16(9)) return Test(rows, depth - 1);
  if (dice_.In16(4)) return PredicateOfCall(rows);
  if (depth <= 0 || dice_.In16(10)) return Comparison(rows);
  switch (dice_.Below(3)) {
    case 0:
      return "(" + Predicate(rows, depth - 1) + " OR " + Comparison(rows) + ")";
    case 1:
      return "NOT (" + Predicate(rows, depth - 1) + ")";
    default:
      return Predicate(rows, depth - 1) + " AND " + Comparison(rows);
  }
}

// What a function says of the row.
std::string SqlMaker::PredicateOfCall(const Rows& rows) {
  const TypeFamily family = AnyFamily(rows);
  if (family == TypeFamily::kBoolean || dice_.In16(4)) return Call(rows, TypeFamily::kBoolean, 1);
  return Call(rows, family, 1) + " " + dice_.Pick(kComparisons) + " " + ColumnOf(rows, family);
}

std::string SqlMaker::Test(const Rows& rows, int depth) {
  const bool own = !rows.owner.empty() && !rows.kind.empty() && dice_.In16(11);
  return own ? OwnTest(rows, depth) : PublicTest(rows, depth);
}

// The column that names the unit, or what stands in its place.
std::string SqlMaker::Owner(const Rows& rows) {
  if (rows.owner.empty()) return "1";
  if (!Slips()) return rows.owner;
  return dice_.In16(4) ? "coalesce(" + rows.owner + ", " + rows.owner + ")"
                       : ColumnOf(rows, ExactFamily(rows));
}

// What the unit's other rows say about a row.
std::string SqlMaker::OwnTest(const Rows& rows, int depth) {
  const Rows inner = Private(rows.kind, depth, true);
  const std::string tie =
      Owner(inner) + " = " + Owner(rows) + (dice_.In16(4) ? " AND " + PredicateOfCall(rows) : "");
  std::string where = Where(inner, depth);
  const bool free = Slips();
  const std::string tied = free ? where : (where.empty() ? " WHERE " : where + " AND ") + tie;
  const std::string from = " FROM " + inner.from;
  switch (dice_.Below(5)) {
    case 0:
      return std::string(dice_.In16(8) ? "NOT " : "") + "EXISTS (SELECT 1" + from + tied + ")";
    case 1:
      return rows.owner + (dice_.In16(8) ? " NOT IN" : " IN") + " (SELECT " + Owner(inner) + from +
             where + ")";
    case 2:
      return ColumnOf(rows, TypeFamily::kInteger) + " " + dice_.Pick(kComparisons) +
             (dice_.In16(8) ? " ANY" : " ALL") + " (SELECT " +
             ColumnOf(inner, TypeFamily::kInteger) + from + tied + ")";
    case 3: {
      const TypeFamily family = dice_.In16(8) ? TypeFamily::kText : TypeFamily::kInteger;
      return ColumnOf(rows, family) + (dice_.In16(8) ? " NOT IN" : " IN") + " (SELECT " +
             ColumnOf(inner, family) + from + tied + ")";
    }
    default: {
      const Column number = ExactAggregate(inner);
      return ColumnOf(rows, number.family) + " " + dice_.Pick(kComparisons) + " (SELECT " +
             number.text + from + tied + ")";
    }
  }
}

// What everybody may know: public rows, and what another door released.
std::string SqlMaker::PublicTest(const Rows& rows, int depth) {
  if (depth > 0 && dice_.In16(8)) {
    const Rows door = Private(PickKind(), 0, false);
    const std::string scalar =
        "(SELECT " + Aggregate(door) + " FROM " + door.from + Where(door, 0) + ")";
    return Value(rows, TypeFamily::kInteger, 0) + " " + dice_.Pick(kComparisons) + " " + scalar;
  }
  const Rows inner = Public(depth);
  const TypeFamily family = dice_.In16(11) ? TypeFamily::kText : TypeFamily::kInteger;
  return ColumnOf(rows, family) + (dice_.In16(5) ? " NOT IN" : " IN") + " (SELECT " +
         ColumnOf(inner, family) + " FROM " + inner.from + Where(inner, 0) + ")";
}

std::string SqlMaker::Where(const Rows& rows, int depth) {
  std::vector<std::string> conditions = rows.conditions;
  if (dice_.In16(6)) conditions.push_back(Predicate(rows, depth));
  std::string text;
  for (const std::string& condition : conditions) {
    text += (text.empty() ? " WHERE (" : " AND (") + condition + ")";
  }
  return text;
}

// Of one unit's rows; a window takes neither DISTINCT nor FILTER.
SqlMaker::Column SqlMaker::ExactAggregate(const Rows& rows, bool in_window) {
  const std::string only =
      !in_window && dice_.In16(3) ? " FILTER (WHERE " + Comparison(rows) + ")" : "";
  if (dice_.In16(5)) return {"count(*)" + only, TypeFamily::kInteger};
  if (!in_window && dice_.In16(2)) {
    return {"count(DISTINCT " + ColumnOf(rows, ExactFamily(rows)) + ")" + only,
            TypeFamily::kInteger};
  }
  const auto call = [&](const std::string& function, TypeFamily family) {
    return function + "(" + ColumnOf(rows, family) + ")" + only;
  };
  const TypeFamily any = ExactFamily(rows);
  const TypeFamily number = any == TypeFamily::kDecimal ? any : TypeFamily::kInteger;
  switch (dice_.Below(5)) {
    case 0:
      return {call("sum", number), number};
    case 1:
      return {call("avg", number), TypeFamily::kFloat};
    case 2:
      return {call("count", any), TypeFamily::kInteger};
    case 3:
      return {call("min", any), any};
    default:
      return {call("max", any), any};
  }
}

// Over people.
std::string SqlMaker::Aggregate(const Rows& rows) {
  std::string text = "count(*)";
  switch (dice_.Below(8)) {
    case 0:
      break;
    case 1:
      text = "count(" + ColumnOf(rows, AnyFamily(rows)) + ")";
      break;
    case 2:
      if (!rows.owner.empty()) text = "count(DISTINCT " + rows.owner + ")";
      break;
    case 3:
      text = "count(DISTINCT " + ColumnOf(rows, ExactFamily(rows)) + ")";
      break;
    default:
      text = Bounded(rows);
  }
  if (dice_.In16(3)) text += " FILTER (WHERE " + Comparison(rows) + ")";
  return text;
}

std::string SqlMaker::Bounded(const Rows& rows) {
  constexpr auto kOne = std::to_array({"sum", "sum", "avg", "avg", "var_pop", "var_samp",
                                       "variance", "stddev_pop", "stddev_samp", "stddev"});
  constexpr auto kTwo =
      std::to_array({"covar_pop", "covar_samp", "corr", "regr_slope", "regr_intercept", "regr_r2"});
  constexpr auto kBounds = std::to_array({", 0, 10", ", -1, 1.5", ", 0, 1", ", -100, -10"});
  std::vector<std::string> known;
  for (const Column& column : rows.columns) {
    if (column.bounded) known.push_back(column.text);
  }
  const bool two = dice_.In16(4);
  const std::string function = two ? dice_.Pick(kTwo) : dice_.Pick(kOne);
  const auto bounds = [&] { return std::string(dice_.Pick(kBounds)); };
  if (!known.empty() && dice_.In16(9)) {
    const std::string x = dice_.Pick(known);
    return function + "(" + x + (two ? ", " + dice_.Pick(known) : "") + ")";
  }
  // Of its own bounds: the policy may have narrower ones for a column.
  if (dice_.In16(6)) {
    const std::string part = "(CASE WHEN " + Comparison(rows) + " THEN 1 ELSE 0 END";
    return two ? function + part + ", length(" + ColumnOf(rows, TypeFamily::kText) +
                     "), 0, 1, 0, 3)"
               : function + part + ", 0, 1)";
  }
  const std::string x = Value(rows, TypeFamily::kInteger, 1);
  if (!two) return function + "(" + x + bounds() + ")";
  const std::string y = Value(rows, TypeFamily::kFloat, 1);
  return function + "(" + x + ", " + y + bounds() + bounds() + ")";
}

}  // namespace dpsql

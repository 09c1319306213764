#include "neighbours/draw_sql.h"

#include <array>

namespace dpsql {
namespace {

constexpr int kDepth = 2;

}  // namespace

std::string SqlMaker::Make() {
  named_.clear();
  names_ = 0;
  slips_left_ = dice_.In16(9) ? 1 : 0;
  const std::string with = dice_.In16(5) ? With() : "";
  return with + Question();
}

std::string SqlMaker::With() {
  std::string text;
  for (int i = dice_.Between(1, 2); i > 0; --i) {
    const std::string name = NewName("with");
    Query query = dice_.In16(8) ? Release(1) : Derived(PickKind(), 1);
    text += (text.empty() ? "WITH " : ", ") + name + " AS (" + query.sql + ")";
    named_.push_back({name, std::move(query)});
  }
  return text + " ";
}

std::string SqlMaker::Question() {
  if (dice_.In16(10)) return Door(kDepth);
  return Above();
}

std::string SqlMaker::Options() {
  constexpr auto kOptions =
      std::to_array({"min_frequency = 3", "max_groups_contributed = 1", "contribution_bound = 1",
                     "contribution_bound = 2", "noise = laplace", "noise = gaussian",
                     "epsilon = 0.3, contribution_bound = 3", "epsilon = 0.5", "delta = 1e-8"});
  if (!dice_.In16(4)) return "";
  return std::string("WITH DIFFERENTIAL_PRIVACY OPTIONS (") + dice_.Pick(kOptions) + ") ";
}

std::string SqlMaker::Door(int depth) {
  return DoorOf(Private(PickKind(), depth, false), depth, Options());
}

std::string SqlMaker::DoorOf(const Rows& rows, int depth, const std::string& options) {
  constexpr auto kKeys = std::to_array({0, 0, 1, 1, 1, 2});
  std::string items;
  std::string keys;
  std::size_t columns = 0;
  const auto add = [&](const std::string& item) {
    items += (items.empty() ? "" : ", ") + item;
    ++columns;
  };
  const bool known = dice_.In16(7);
  for (int i = dice_.Pick(kKeys); i > 0; --i) {
    const std::string key = Key(rows, known);
    const std::string name = NewName("k");
    add(key + " AS " + name);
    keys += (keys.empty() ? " GROUP BY " : ", ") + name;
  }
  for (int i = dice_.Between(1, 3); i > 0; --i) {
    const std::string aggregate = Aggregate(rows);
    add(dice_.In16(2) ? aggregate + " / " + Aggregate(rows) : aggregate);
  }
  std::string sql = "SELECT " + options + items + " FROM " + rows.from + Where(rows, depth) + keys;
  if (!keys.empty() && dice_.In16(3)) sql += " HAVING " + Aggregate(rows) + " > 1";
  return dice_.In16(4) ? sql + Tail(columns) : sql;
}

std::string SqlMaker::Tail(std::size_t columns) {
  constexpr auto kOrders = std::to_array({"", " DESC", " DESC NULLS LAST"});
  constexpr auto kLimits = std::to_array({"", " LIMIT 2", " LIMIT 3 OFFSET 1"});
  return " ORDER BY " + std::to_string(1 + dice_.Below(columns)) + dice_.Pick(kOrders) +
         dice_.Pick(kLimits);
}

// A door as a table: one key or none, and one or two numbers.
SqlMaker::Query SqlMaker::Release(int depth) {
  const Rows rows = Private(PickKind(), depth, false);
  Query query;
  std::string items;
  std::string keys;
  if (!dice_.In16(3)) {
    const TypeFamily family = KeyFamily(rows);
    const std::string name = NewName("k");
    items = Value(rows, family, 0) + " AS " + name;
    keys = " GROUP BY " + name;
    query.columns.push_back({name, family});
  }
  for (int i = dice_.Between(1, 2); i > 0; --i) {
    const std::string name = NewName("n");
    items += (items.empty() ? "" : ", ") + Aggregate(rows) + " AS " + name;
    query.columns.push_back({name, TypeFamily::kFloat});
  }
  query.sql = "SELECT " + items + " FROM " + rows.from + Where(rows, depth) + keys;
  if (!keys.empty() && dice_.In16(3)) query.sql += " HAVING count(*) >= 1";
  return query;
}

// What is asked above doors.
std::string SqlMaker::Above() {
  switch (dice_.Below(5)) {
    case 0: {
      const auto scalar = [&] {
        const Rows rows = Private(PickKind(), 1, false);
        return "(SELECT " + Aggregate(rows) + " FROM " + rows.from + Where(rows, 1) + ")";
      };
      const std::string first = scalar();
      return "SELECT " + first + " - " + scalar() + " AS difference";
    }
    case 1: {
      constexpr auto kOperators = std::to_array(
          {" UNION ALL ", " UNION ", " INTERSECT ", " INTERSECT ALL ", " EXCEPT ", " EXCEPT ALL "});
      const std::string first = Release(1).sql;
      return "(" + first + ")" + dice_.Pick(kOperators) + "(" + Release(1).sql + ")";
    }
    case 2:
      return AboveTwo();
    default:
      return AboveOne();
  }
}

std::string SqlMaker::AboveOne() {
  const Query query = Release(kDepth - 1);
  Rows rows = Named(query, "(" + query.sql + ")", NewName("r"));
  const std::string number = rows.columns.back().text;
  if (dice_.In16(6)) rows = JoinPublic(std::move(rows), 0);
  const std::string from = " FROM " + rows.from + Where(rows, 0);
  const std::string forms[] = {
      "SELECT max(" + number + "), count(*)" + from,
      "SELECT " + number + ", rank() OVER (ORDER BY " + number + " DESC) AS place" + from,
      "SELECT " + number + " * 2 AS twice" + from + " ORDER BY 1 LIMIT 2",
      "SELECT " + number + " / sum(" + number + ") OVER () AS share" + from,
      "SELECT DISTINCT " + number + from};
  return forms[dice_.Below(std::size(forms))];
}

// Two releases joined, or one below the other.
std::string SqlMaker::AboveTwo() {
  if (dice_.In16(8)) return Door(kDepth) + (dice_.In16(8) ? "" : " LIMIT 4");
  const Query first = Release(1);
  const Query second = Release(1);
  const Rows a = Named(first, "(" + first.sql + ")", NewName("r"));
  const Rows b = Named(second, "(" + second.sql + ")", NewName("r"));
  const TypeFamily family = a.columns[0].family;
  return "SELECT " + a.columns.back().text + " - " + b.columns.back().text + " AS d FROM " +
         a.from + " LEFT JOIN " + b.from + " ON " + a.columns[0].text + " = " + ColumnOf(b, family);
}

}  // namespace dpsql

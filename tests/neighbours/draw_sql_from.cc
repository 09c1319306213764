#include <algorithm>
#include <array>

#include "neighbours/draw_sql.h"

namespace dpsql {
std::string SqlMaker::PickKind() {
  std::vector<std::string> kinds;
  for (const CatalogTable& table : tables_) {
    if (!table.is_public) kinds.push_back(table.kind);
  }
  return dice_.Pick(kinds);
}

const CatalogTable& SqlMaker::PickTable(const std::string& kind) {
  std::vector<const CatalogTable*> fitting;
  for (const CatalogTable& table : tables_) {
    if (kind.empty() ? table.is_public : !table.is_public && table.kind == kind) {
      fitting.push_back(&table);
    }
  }
  return *dice_.Pick(fitting);
}

SqlMaker::Rows SqlMaker::TableRows(const CatalogTable& table) {
  const std::string alias = NewName("t");
  Rows rows{.from = table.name + " AS " + alias,
            .conditions = {},
            .columns = {},
            .owner = "",
            .kind = table.is_public ? "" : table.kind};
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const CatalogColumn& column = table.columns[i];
    const std::string text = alias + "." + column.name;
    if (table.unit_column == i) {
      rows.owner = text;
    } else if (!column.hidden) {
      rows.columns.push_back({.text = text,
                              .family = column.type.family,
                              .bounded = column.bounds.has_value(),
                              .listed = !column.values.empty(),
                              .is_public = table.is_public});
    }
  }
  return rows;
}

// A child, and on the way to its unit its parents: one of them at least where the unit is needed.
SqlMaker::Rows SqlMaker::WithParents(const CatalogTable& table, bool needs_owner) {
  Rows rows = TableRows(table);
  const CatalogTable* at = &table;
  std::string alias = rows.from.substr(rows.from.rfind(' ') + 1);
  while (at->link && (needs_owner || dice_.In16(5)) && rows.owner.empty()) {
    const CatalogTable& parent = tables_[at->link->parent_table];
    const Rows above = TableRows(parent);
    const std::string above_alias = above.from.substr(above.from.rfind(' ') + 1);
    std::string on;
    for (std::size_t i = 0; i < at->link->columns.size(); ++i) {
      on += (on.empty() ? "" : " AND ") + alias + "." + at->columns[at->link->columns[i]].name +
            " = " + above_alias + "." + parent.columns[at->link->parent_columns[i]].name;
    }
    rows.from += " JOIN " + above.from + " ON " + on;
    rows.columns.insert(rows.columns.end(), above.columns.begin(), above.columns.end());
    rows.owner = above.owner;
    at = &parent;
    alias = above_alias;
  }
  return rows;
}

SqlMaker::Rows SqlMaker::Named(const Query& query, const std::string& text,
                               const std::string& alias) {
  Rows rows{.from = text + " AS " + alias,
            .conditions = {},
            .columns = {},
            .owner = "",
            .kind = query.kind};
  for (std::size_t i = 0; i < query.columns.size(); ++i) {
    Column column = query.columns[i];
    column.text = alias + "." + column.text;
    if (i == 0 && query.has_owner) {
      rows.owner = column.text;
    } else {
      rows.columns.push_back(std::move(column));
    }
  }
  return rows;
}

SqlMaker::Rows SqlMaker::Single(const std::string& kind, int depth, bool needs_owner) {
  for (const NamedQuery& named : named_) {
    const bool fits = named.query.kind == kind && (named.query.has_owner || !needs_owner);
    if (fits && dice_.In16(6)) return Named(named.query, named.name, NewName("w"));
  }
  if (depth > 0 && dice_.In16(8)) {
    const Query query = Derived(kind, depth - 1);
    return Named(query, "(" + query.sql + ")", NewName("d"));
  }
  return WithParents(PickTable(kind), needs_owner);
}

SqlMaker::Rows SqlMaker::Private(const std::string& kind, int depth, bool needs_owner) {
  Rows rows = Joined(kind, depth, needs_owner);
  return dice_.In16(1) ? WithComputed(std::move(rows)) : rows;
}

// A name for something that is computed of each row.
SqlMaker::Rows SqlMaker::WithComputed(Rows rows) {
  const TypeFamily family = AnyFamily(rows);
  const std::string alias = NewName("l");
  rows.from += " CROSS JOIN LATERAL (SELECT " + Value(rows, family, 1) + " AS c) AS " + alias;
  rows.columns.push_back({alias + ".c", family});
  return rows;
}

SqlMaker::Rows SqlMaker::Joined(const std::string& kind, int depth, bool needs_owner) {
  if (depth <= 0) return Single(kind, 0, needs_owner);
  switch (dice_.Below(8)) {
    case 0:
    case 1:
      return JoinByUnit(kind, depth - 1);
    case 2:
      return JoinByLink(kind);
    case 3:
    case 4:
      return JoinPublic(Single(kind, depth - 1, needs_owner), depth - 1);
    default:
      return Single(kind, depth, needs_owner);
  }
}

namespace {

// The name of two columns that stand in different tables; nothing where they have two names.
std::string SharedName(const std::string& a, const std::string& b) {
  const std::string name = a.substr(a.find('.') + 1);
  return name == b.substr(b.find('.') + 1) && a.find('.') != std::string::npos ? name : "";
}

}  // namespace

SqlMaker::Rows SqlMaker::JoinByUnit(const std::string& kind, int depth) {
  Rows left = Single(kind, depth, true);
  const Rows right = Single(Slips() ? PickKind() : kind, 0, true);
  const std::string a = Owner(left);
  const std::string b = Owner(right);
  const std::string tie = Slips() ? "TRUE" : dice_.In16(8) ? a + " = " + b : b + " = " + a;
  Rows both = left;
  both.columns.insert(both.columns.end(), right.columns.begin(), right.columns.end());
  const std::string more = dice_.In16(5) ? " AND " + Comparison(dice_.In16(8) ? right : both) : "";
  // A join in brackets on the right, where it is one.
  const bool joined = right.from.find(" JOIN ") != std::string::npos;
  const std::string text = joined ? "(" + right.from + ")" : right.from;
  const std::string shared = SharedName(a, b);
  if (!shared.empty() && tie != "TRUE" && dice_.In16(5)) {
    constexpr auto kWords =
        std::to_array({" JOIN ", " JOIN ", " LEFT JOIN ", " RIGHT JOIN ", " FULL JOIN "});
    both.from += dice_.Pick(kWords) + text + " USING (" + shared + ")";
    both.owner = shared;
    return both;
  }
  switch (dice_.Below(7)) {
    case 0:
    case 1:
      both.from += " JOIN " + text + " ON " + tie + more;
      break;
    case 2:
      both.from += ", " + right.from;
      both.conditions.push_back(tie + more);
      break;
    case 3:
      both.from += " RIGHT JOIN " + text + " ON " + tie + more;
      if (!Slips()) both.owner = right.owner;
      break;
    case 4:
      both.from += " FULL JOIN " + text + " ON " + tie + more;
      if (!dice_.In16(2)) both.owner = "";
      break;
    default:
      both.from += " LEFT JOIN " + text + " ON " + tie + more;
      if (Slips()) both.owner = right.owner;
  }
  return both;
}

// Whether the columns of a link are called what they lead to.
bool IsNamesake(const CatalogTable& child, const CatalogTable& parent) {
  for (std::size_t i = 0; i < child.link->columns.size(); ++i) {
    const std::string& name = child.columns[child.link->columns[i]].name;
    if (name != parent.columns[child.link->parent_columns[i]].name) return false;
  }
  return true;
}

// A parent and its child, either first.
SqlMaker::Rows SqlMaker::JoinByLink(const std::string& kind) {
  std::vector<const CatalogTable*> children;
  for (const CatalogTable& table : tables_) {
    if (table.link && table.kind == kind) children.push_back(&table);
  }
  if (children.empty()) return Single(kind, 0, true);
  const CatalogTable& child = *dice_.Pick(children);
  const CatalogTable& parent = tables_[child.link->parent_table];
  const Rows own = TableRows(child);
  const Rows above = TableRows(parent);
  std::string on;
  const auto alias = [](const Rows& rows) { return rows.from.substr(rows.from.rfind(' ') + 1); };
  for (std::size_t i = 0; i < child.link->columns.size(); ++i) {
    on += (on.empty() ? "" : " AND ") + alias(own) + "." +
          child.columns[child.link->columns[i]].name + " = " + alias(above) + "." +
          parent.columns[child.link->parent_columns[i]].name;
  }
  constexpr auto kWords = std::to_array({" JOIN ", " LEFT JOIN ", " RIGHT JOIN ", " FULL JOIN "});
  const std::string word = dice_.Pick(kWords);
  const bool child_first = dice_.In16(8);
  Rows both = child_first ? own : above;
  const Rows& second = child_first ? above : own;
  if (dice_.In16(4)) on += " AND " + Comparison(second);
  // No other columns of two tables have one name.
  if (IsNamesake(child, parent) && dice_.In16(6)) {
    both.from += " NATURAL" + word + second.from;
  } else {
    both.from += word + second.from + " ON " + on;
  }
  both.columns.insert(both.columns.end(), second.columns.begin(), second.columns.end());
  const bool parent_stays = word == " JOIN " || (word == " LEFT JOIN ") != child_first;
  const bool named = Slips() || (parent_stays && word != " FULL JOIN ");
  both.owner = named ? above.owner : "";
  return both;
}

SqlMaker::Rows SqlMaker::JoinPublic(Rows rows, int depth) {
  const Rows other = Public(depth);
  const TypeFamily family = ExactFamily(dice_.In16(8) ? rows : other);
  const std::string on = ColumnOf(rows, family) + " = " + ColumnOf(other, family);
  const std::string more = dice_.In16(4) ? " AND " + Comparison(other) : "";
  if (Slips()) {  // a public row without a partner tells that nobody is one
    rows.from = other.from + " LEFT JOIN " + rows.from + " ON " + on;
    rows.columns.insert(rows.columns.end(), other.columns.begin(), other.columns.end());
    return rows;
  }
  switch (dice_.Below(6)) {
    case 0:
      rows.from += " CROSS JOIN " + other.from;
      break;
    case 1:
      rows.from += ", " + other.from;
      rows.conditions.push_back(on + more);
      break;
    case 2:
    case 3:
      rows.from += " LEFT JOIN " + other.from + " ON " + on + more;
      break;
    default:
      rows.from += " JOIN " + other.from + " ON " + on + more;
  }
  rows.columns.insert(rows.columns.end(), other.columns.begin(), other.columns.end());
  return rows;
}

SqlMaker::Rows SqlMaker::Public(int depth) {
  for (const NamedQuery& named : named_) {
    if (named.query.kind.empty() && dice_.In16(7)) {
      return Named(named.query, named.name, NewName("w"));
    }
  }
  if (depth > 0 && dice_.In16(5)) {
    const Query query = Release(depth - 1);
    return Named(query, "(" + query.sql + ")", NewName("r"));
  }
  if (dice_.In16(2)) {
    const std::string alias = NewName("v");
    return {.from = "(VALUES (1, 'Paris'), (2, 'a'), (3, 'home')) AS " + alias + " (n, w)",
            .conditions = {},
            .columns = {{alias + ".n", TypeFamily::kInteger}, {alias + ".w", TypeFamily::kText}},
            .owner = "",
            .kind = ""};
  }
  const CatalogTable& table = PickTable("");
  if (!dice_.In16(3)) return TableRows(table);
  const std::string alias = NewName("p");
  const std::string column = table.columns[0].name;
  return {.from = "(SELECT DISTINCT " + column + " FROM " + table.name + " ORDER BY " + column +
                  " LIMIT 2) AS " + alias,
          .conditions = {},
          .columns = {{alias + "." + column, table.columns[0].type.family}},
          .owner = "",
          .kind = ""};
}

// --- queries in FROM over private rows
SqlMaker::Query SqlMaker::Derived(const std::string& kind, int depth) {
  switch (dice_.Below(6)) {
    case 0:
    case 1:
      return Grouping(kind, depth);
    case 2:
      return Combination(kind, depth);
    case 3:
    case 4:
      return Windowing(kind, depth);
    default:
      return Projection(kind, depth);
  }
}

SqlMaker::Query SqlMaker::Projection(const std::string& kind, int depth) {
  const Rows rows = Private(kind, depth, true);
  const bool has_owner = !rows.owner.empty() && !Slips();
  Query query{.sql = "", .columns = {}, .has_owner = has_owner, .kind = kind};
  std::string items;
  if (query.has_owner) {
    items = Owner(rows) + " AS u";
    query.columns.push_back({"u", TypeFamily::kInteger});
  }
  const bool distinct = (query.has_owner || Slips()) && dice_.In16(4);
  for (int i = dice_.Between(1, 3); i > 0; --i) {
    const TypeFamily family = distinct || dice_.In16(12) ? ExactFamily(rows) : TypeFamily::kFloat;
    const std::string name = NewName("c");
    items += (items.empty() ? "" : ", ") + Value(rows, family, 1) + " AS " + name;
    query.columns.push_back({name, family});
  }
  query.sql = std::string("SELECT ") + (distinct ? "DISTINCT " : "") + items + " FROM " +
              rows.from + Where(rows, depth);
  if (Slips()) query.sql += " ORDER BY 1 LIMIT 2";
  return query;
}

SqlMaker::Query SqlMaker::Grouping(const std::string& kind, int depth) {
  const Rows rows = Private(kind, depth, true);
  const std::string owner = Owner(rows);
  Query query{.sql = "SELECT " + owner + " AS u",
              .columns = {{"u", TypeFamily::kInteger}},
              .has_owner = true,
              .kind = kind};
  std::string keys = owner;
  if (dice_.In16(7)) {
    const TypeFamily family = ExactFamily(rows);
    const std::string key = ColumnOf(rows, family);
    const std::string name = NewName("g");
    query.sql += ", " + key + " AS " + name;
    query.columns.push_back({name, family});
    keys += ", " + key;
  }
  for (int i = dice_.Between(1, 2); i > 0; --i) {
    const std::string name = NewName("m");
    const Column exact = ExactAggregate(rows);
    query.sql += ", " + exact.text + " AS " + name;
    query.columns.push_back({name, exact.family});
  }
  query.sql += " FROM " + rows.from + Where(rows, depth) + " GROUP BY " + keys;
  if (dice_.In16(4)) {
    const Column exact = ExactAggregate(rows);
    query.sql += " HAVING " + exact.text + " > " + Literal(exact.family);
  }
  return query;
}

// What stands before OVER, with its type.
SqlMaker::Column SqlMaker::WindowFunction(const Rows& rows) {
  constexpr auto kPlaces = std::to_array({"row_number()", "rank()", "dense_rank()", "ntile(2)"});
  constexpr auto kShares = std::to_array({"percent_rank()", "cume_dist()"});
  constexpr auto kOffsets = std::to_array({"", "", ", 2", ", 1000000"});
  const TypeFamily family = dice_.In16(8) ? TypeFamily::kInteger : ExactFamily(rows);
  const std::string value = "(" + ColumnOf(rows, family);
  switch (dice_.Below(8)) {
    case 0:
      return {dice_.Pick(kShares), TypeFamily::kFloat};
    case 1:
      return {std::string(dice_.In16(8) ? "lag" : "lead") + value + dice_.Pick(kOffsets) + ")",
              family};
    case 2:
      return {std::string(dice_.In16(8) ? "first_value" : "last_value") + value + ")", family};
    case 3:
      return {"nth_value" + value + ", 2)", family};
    case 4:
    case 5:
      return ExactAggregate(rows, true);
    default:
      return {dice_.Pick(kPlaces), TypeFamily::kInteger};
  }
}

std::string SqlMaker::Frame() {
  constexpr auto kModes = std::to_array({"ROWS", "ROWS", "ROWS", "RANGE", "GROUPS"});
  constexpr auto kDistances = std::to_array(
      {"UNBOUNDED PRECEDING AND CURRENT ROW", "UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING",
       "CURRENT ROW AND UNBOUNDED FOLLOWING", "1 PRECEDING AND CURRENT ROW",
       "1 PRECEDING AND 1 FOLLOWING", "CURRENT ROW AND 2 FOLLOWING", "1 FOLLOWING AND 2 FOLLOWING",
       "2 PRECEDING AND 1 PRECEDING", "1 PRECEDING AND UNBOUNDED FOLLOWING"});
  constexpr std::size_t kWithoutOffsets = 3;
  if (dice_.In16(5)) return "";
  const std::string mode = dice_.Pick(kModes);
  const std::size_t range = mode == "RANGE" ? kWithoutOffsets : kDistances.size();
  return " " + mode + " BETWEEN " + kDistances[dice_.Below(range)];
}

SqlMaker::Query SqlMaker::Windowing(const std::string& kind, int depth) {
  const Rows rows = Private(kind, depth, true);
  const std::string owner = Owner(rows);
  const auto order = [&] {
    return ColumnOf(rows, ExactFamily(rows)) + (dice_.In16(6) ? " DESC NULLS LAST" : "");
  };
  // Over other people's rows it must be refused.
  const std::string whose = dice_.In16(1) ? ColumnOf(rows, TypeFamily::kText) : owner;
  const std::string over = "PARTITION BY " + whose +
                           (dice_.In16(4) ? ", " + ColumnOf(rows, TypeFamily::kText) : "") +
                           " ORDER BY " + order() + (dice_.In16(4) ? ", " + order() : "");
  const Column call = WindowFunction(rows);
  const bool named = dice_.In16(4);
  const std::string window = named ? "w" + Frame() : over + Frame();
  const std::string value = NewName("c");
  const std::string place = NewName("o");
  const TypeFamily family = dice_.In16(8) ? TypeFamily::kInteger : ExactFamily(rows);
  return {.sql = "SELECT " + owner + " AS u, " + ColumnOf(rows, family) + " AS " + value + ", " +
                 call.text + " OVER (" + window + ") AS " + place + " FROM " + rows.from +
                 Where(rows, depth) + (named ? " WINDOW w AS (" + over + ")" : ""),
          .columns = {{"u", TypeFamily::kInteger}, {value, family}, {place, call.family}},
          .has_owner = true,
          .kind = kind};
}

SqlMaker::Query SqlMaker::Combination(const std::string& kind, int depth) {
  constexpr auto kOperators = std::to_array({" UNION ALL ", " UNION ALL ", " UNION ", " INTERSECT ",
                                             " INTERSECT ALL ", " EXCEPT ", " EXCEPT ALL "});
  const Rows left = Private(kind, depth - 1, true);
  const Rows right = Private(kind, depth - 1, true);
  const bool has_strange =
      std::any_of(left.columns.begin(), left.columns.end(),
                  [](const Column& column) { return column.family == TypeFamily::kOther; });
  const bool strange = has_strange && dice_.In16(8);
  const TypeFamily family = strange ? TypeFamily::kOther : ExactFamily(left);
  const std::string name = NewName("c");
  const auto side = [&](const Rows& rows) {
    return "(SELECT " + Owner(rows) + " AS u, " + ColumnOf(rows, family) + " AS " + name +
           " FROM " + rows.from + Where(rows, depth - 1) + ")";
  };
  Query query{.sql = "",
              .columns = {{"u", TypeFamily::kInteger}, {name, family}},
              .has_owner = true,
              .kind = kind};
  if (strange) {  // to be refused: where one is cast to the other, a row can fail
    query.sql = "SELECT u, " + name + " IS NULL AS " + name + " FROM (" + side(left) +
                " UNION ALL " + side(left) + ") AS " + NewName("s");
    query.columns.back().family = TypeFamily::kBoolean;
    return query;
  }
  query.sql = side(left) + dice_.Pick(kOperators) + side(right);
  return query;
}

}  // namespace dpsql

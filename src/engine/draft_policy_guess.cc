#include "engine/draft_policy_guess.h"

#include <algorithm>
#include <utility>

#include "base/error_codes.h"
#include "base/names.h"
#include "base/suggest.h"
#include "catalog/column_words.h"

namespace dpsql {
namespace {

std::string WhyUnusable(const SchemaTable& table) {
  if (table.is_view) return "a view: declare the tables that it reads";
  if (table.has_collation) return "a column has a collation: copy it to one without";
  if (table.has_generated_column) return "a column is generated: store its values";
  return "";
}

// A unit must be exact, so that two people never compare equal.
bool CanBeUnit(const SchemaColumn& column) {
  const bool exact = column.type.family == TypeFamily::kInteger ||
                     column.type.family == TypeFamily::kText ||
                     column.type.family == TypeFamily::kUuid;
  return exact && !column.has_collation;
}

const SchemaColumn* FindColumn(const SchemaTable& table, const std::string& name) {
  for (const SchemaColumn& column : table.columns) {
    if (SameName(column.name, name)) return &column;
  }
  return nullptr;
}

// id, uuid or key alone: says nothing of whose.
bool IsBareKey(const std::string& column) {
  const std::vector<std::string> words = WordsOf(column);
  return words.size() == 1 &&
         (words[0] == "id" || words[0] == "uuid" || words[0] == "guid" || words[0] == "key");
}

// The column that numbers the rows of a table about `kind`.
const SchemaColumn* OwnKey(const SchemaTable& table, const std::string& kind) {
  const auto find = [&](auto fits) -> const SchemaColumn* {
    for (const SchemaColumn& column : table.columns) {
      if (CanBeUnit(column) && fits(column)) return &column;
    }
    return nullptr;
  };
  if (const auto* key = find([&](const auto& column) { return IsKey(table, column.name); })) {
    return key;
  }
  const auto names_kind = [&](const auto& column) {
    return !kind.empty() && PersonNamedBy(column.name) == kind;
  };
  if (const auto* key = find(names_kind)) return key;
  return find([&](const auto& column) { return IsBareKey(column.name); });
}

const SchemaColumn* NamesPerson(const SchemaTable& table, const std::string& kind) {
  for (const SchemaColumn& column : table.columns) {
    if (CanBeUnit(column) && PersonNamedBy(column.name) == kind) return &column;
  }
  return nullptr;
}

// Follows links from the unit outwards, one step in each round.
class WayFinder {
 public:
  WayFinder(const Listing& listing, const UnitChoice& unit, std::vector<DraftTable>& tables)
      : listing_(listing), unit_(unit), tables_(tables) {}

  void Find() {
    DraftTable& home = tables_[unit_.table];
    home.standing = TableStanding::kUnit;
    home.unit_column = unit_.column;
    home.guessed = unit_.guessed;
    home.is_home = true;
    for (bool found = true; found;) {
      std::vector<DraftTable> next = tables_;
      found = false;
      for (DraftTable& table : next) {
        if (table.standing == TableStanding::kNone) found = Step(table) || found;
      }
      tables_ = std::move(next);
    }
  }

 private:
  // One way from a table to its owner: a unit column, or a link.
  struct Way {
    std::vector<std::string> columns;
    std::string parent_table;  // empty: the column is the unit itself
    std::vector<std::string> parent_columns;
    bool guessed = false;
  };

  bool Step(DraftTable& table) const {
    std::vector<Way> ways = DirectWays(*table.table);
    if (ways.empty()) ways = DeclaredLinks(*table.table);
    if (ways.empty()) ways = GuessedLinks(*table.table);
    if (ways.empty()) return false;
    Take(std::move(ways), table);
    return true;
  }

  static void Take(std::vector<Way> ways, DraftTable& table) {
    if (ways.size() > 1) {
      table.standing = TableStanding::kUnclear;
      for (const Way& way : ways) table.reason += (table.reason.empty() ? "" : ", ") + Text(way);
      return;
    }
    Way& way = ways.front();
    table.guessed = way.guessed;
    if (way.parent_table.empty()) {
      table.standing = TableStanding::kUnit;
      table.unit_column = way.columns.front();
      return;
    }
    table.standing = TableStanding::kLinked;
    table.link = {.columns = std::move(way.columns),
                  .parent_table = std::move(way.parent_table),
                  .parent_columns = std::move(way.parent_columns)};
  }

  static std::string Text(const Way& way) {
    std::string text;
    for (const std::string& column : way.columns) text += (text.empty() ? "" : " and ") + column;
    return text;
  }

  static void Add(Way way, std::vector<Way>& ways) {
    const auto same = [&](const Way& other) { return other.columns == way.columns; };
    if (std::none_of(ways.begin(), ways.end(), same)) ways.push_back(std::move(way));
  }

  // Columns that are the unit: by a foreign key to it, or by their names.
  std::vector<Way> DirectWays(const SchemaTable& table) const {
    std::vector<Way> ways;
    for (const ForeignKey& key : listing_.foreign_keys) {
      if (!SameName(key.table, table.name) || key.columns.size() != 1) continue;
      const DraftTable* parent = FindPrivate(key.parent_table);
      const bool leads = parent != nullptr && parent->standing == TableStanding::kUnit &&
                         SameName(parent->unit_column, key.parent_columns[0]);
      if (leads) Add({.columns = key.columns, .parent_table = {}, .parent_columns = {}}, ways);
    }
    for (const SchemaColumn& column : table.columns) {
      const bool same = SameName(column.name, unit_.column) && !IsBareKey(column.name);
      const bool names = unit_.kind != "unit" && PersonNamedBy(column.name) == unit_.kind;
      if (!CanBeUnit(column) || !(same || names)) continue;
      Add({.columns = {column.name}, .parent_table = {}, .parent_columns = {}, .guessed = true},
          ways);
    }
    return ways;
  }

  std::vector<Way> DeclaredLinks(const SchemaTable& table) const {
    std::vector<Way> ways;
    for (const ForeignKey& key : listing_.foreign_keys) {
      if (!SameName(key.table, table.name) || SameName(key.parent_table, table.name)) continue;
      if (FindPrivate(key.parent_table) == nullptr) continue;
      Add({.columns = key.columns,
           .parent_table = key.parent_table,
           .parent_columns = key.parent_columns},
          ways);
    }
    return ways;
  }

  // order_id of orders and of item; or order_id for the id of orders.
  std::vector<Way> GuessedLinks(const SchemaTable& table) const {
    std::vector<Way> ways;
    for (const DraftTable& parent : tables_) {
      if (FindPrivate(parent.table->name) == nullptr) continue;
      for (const std::vector<std::string>& key : parent.table->unique_keys) {
        if (key.size() != 1) continue;
        const std::string name =
            IsBareKey(key[0]) ? Singular(parent.table->name) + "_" + key[0] : key[0];
        const SchemaColumn* child = FindColumn(table, name);
        const SchemaColumn* there = FindColumn(*parent.table, key[0]);
        if (child == nullptr || there == nullptr || !(child->type == there->type)) continue;
        Add({.columns = {child->name},
             .parent_table = parent.table->name,
             .parent_columns = key,
             .guessed = true},
            ways);
      }
    }
    return ways;
  }

  // A table that has its way to the unit. One with a dot in its name cannot be referred to.
  const DraftTable* FindPrivate(const std::string& name) const {
    for (const DraftTable& table : tables_) {
      const bool has_way =
          table.standing == TableStanding::kUnit || table.standing == TableStanding::kLinked;
      if (has_way && SameName(table.table->name, name) && name.find('.') == std::string::npos) {
        return &table;
      }
    }
    return nullptr;
  }

  const Listing& listing_;
  const UnitChoice& unit_;
  std::vector<DraftTable>& tables_;
};

}  // namespace

bool IsKey(const SchemaTable& table, const std::string& column) {
  return std::any_of(table.unique_keys.begin(), table.unique_keys.end(),
                     [&](const std::vector<std::string>& key) {
                       return key.size() == 1 && SameName(key[0], column);
                     });
}

std::optional<UnitChoice> GuessUnit(const Listing& listing) {
  const std::vector<SchemaTable>& tables = listing.schema.tables;
  for (const std::string_view name : KindsOfPeople()) {
    const std::string kind(name);
    for (std::size_t i = 0; i < tables.size(); ++i) {
      if (PeopleOf(tables[i].name) != kind || !WhyUnusable(tables[i]).empty()) continue;
      if (const SchemaColumn* key = OwnKey(tables[i], kind)) {
        return UnitChoice{.table = i, .column = key->name, .kind = kind, .guessed = true};
      }
    }
    for (std::size_t i = 0; i < tables.size(); ++i) {
      if (!WhyUnusable(tables[i]).empty()) continue;
      if (const SchemaColumn* column = NamesPerson(tables[i], kind)) {
        return UnitChoice{.table = i, .column = column->name, .kind = kind, .guessed = true};
      }
    }
  }
  if (tables.size() != 1 || !WhyUnusable(tables[0]).empty()) return std::nullopt;
  const SchemaColumn* key = OwnKey(tables[0], "");
  if (key == nullptr) return std::nullopt;
  return UnitChoice{.table = 0, .column = key->name, .kind = "unit", .guessed = true};
}

Result<UnitChoice> NamedUnit(const Listing& listing, const std::string& name) {
  std::vector<std::string> names;
  const std::vector<SchemaTable>& tables = listing.schema.tables;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    for (const SchemaColumn& column : tables[i].columns) {
      names.push_back(tables[i].name + "." + column.name);
      if (!SameName(names.back(), name)) continue;
      std::string why = WhyUnusable(tables[i]);
      if (why.empty() && column.has_collation) why = "it has a collation: copy it to one without";
      if (why.empty() && !CanBeUnit(column)) {
        why = "it is " + column.type.name + "; a unit is an integer, a text or a UUID";
      }
      if (!why.empty()) {
        return MakeError(ErrorCode::kPolicyTable, name + " cannot be the privacy unit", {}, why);
      }
      std::string kind = PeopleOf(tables[i].name);
      if (kind.empty()) kind = PersonNamedBy(column.name);
      if (kind.empty()) kind = "unit";
      return UnitChoice{.table = i, .column = column.name, .kind = std::move(kind)};
    }
  }
  const auto nearest = Suggest(name, names);
  return MakeError(ErrorCode::kPolicyTable, "there is no column " + name, {},
                   nearest ? "did you mean  " + *nearest + " ?" : "write  --unit TABLE.COLUMN");
}

std::vector<DraftTable> FindWays(const Listing& listing, const std::optional<UnitChoice>& unit) {
  std::vector<DraftTable> tables;
  for (const SchemaTable& table : listing.schema.tables) {
    std::string why = WhyUnusable(table);
    tables.push_back({.table = &table,
                      .standing = why.empty() ? TableStanding::kNone : TableStanding::kUnusable,
                      .reason = std::move(why)});
  }
  if (unit) WayFinder(listing, *unit, tables).Find();
  return tables;
}

}  // namespace dpsql

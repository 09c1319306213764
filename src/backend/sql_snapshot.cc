#include "backend/sql_snapshot.h"

#include <charconv>
#include <unordered_map>
#include <utility>

#include "backend/encode.h"
#include "backend/keyed_hash.h"
#include "backend/lower.h"
#include "backend/lower_answer.h"
#include "backend/lower_groups.h"
#include "backend/query_watch.h"
#include "backend/run_error.h"
#include "backend/unit_bounding.h"
#include "base/check.h"
#include "base/try.h"
#include "plan/public_keys.h"
#include "sql/printer.h"

namespace dpsql {
namespace {

using Row = SqlConnection::Row;

// A whole number as the contract of SqlConnection writes it; NULL, a sum over nothing, is 0.
Int128 WholeOf(const std::optional<std::string>& text) {
  if (!text) return 0;
  const bool negative = text->starts_with('-');
  UInt128 size = 0;
  for (const char digit : std::string_view(*text).substr(negative ? 1 : 0)) {
    Check(digit >= '0' && digit <= '9', "a sum is a whole number");
    size = size * 10 + static_cast<unsigned>(digit - '0');
  }
  return negative ? -static_cast<Int128>(size) : static_cast<Int128>(size);
}

template <typename Number>
Number NumberOf(const std::string& text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  Check(error == std::errc() && end == text.data() + text.size(), "a number reads back");
  return number;
}

double DoubleOf(std::string text) {
  for (char& letter : text) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return NumberOf<double>(text);
}

Value ValueOf(const std::optional<std::string>& text, TypeFamily family) {
  if (!text) return std::monostate{};
  if (family == TypeFamily::kBoolean) return *text == "true";
  if (family == TypeFamily::kInteger) return NumberOf<std::int64_t>(*text);
  if (family == TypeFamily::kFloat) return DoubleOf(*text);
  return *text;
}

// A group key has the form of CanonicalKey: what is neither boolean nor integer is text.
Value KeyOf(const std::optional<std::string>& text, TypeFamily family) {
  return ValueOf(text, family == TypeFamily::kFloat ? TypeFamily::kText : family);
}

std::vector<TypeFamily> KeyFamilies(const Door& door) {
  std::vector<TypeFamily> families;
  for (const BoundKey& key : door.query->keys) families.push_back(key.expr->type.family);
  return families;
}

// Where the numbers of a key go, from what a statement writes of it.
class KeyPlaces {
 public:
  KeyPlaces(const Door& door, const KeySet& keys)
      : access_(AccessOf(door, keys)), families_(KeyFamilies(door)), keys_(keys.keys.size()) {
    if (access_ != KeyAccess::kOwn) return;
    for (std::size_t i = 0; i < keys.keys.size(); ++i) {
      places_.emplace(KeyText(keys.keys[i].key), i);
    }
  }

  // How many columns stand before the numbers.
  std::size_t columns() const {
    if (access_ == KeyAccess::kNone) return 0;
    return access_ == KeyAccess::kJoined ? 1 : families_.size();
  }

  // Nothing where it is none of the keys.
  std::optional<std::size_t> Find(Row row) const {
    if (access_ == KeyAccess::kNone) return 0;
    if (access_ == KeyAccess::kJoined) {
      const auto place = NumberOf<std::uint64_t>(row[0].value());
      Check(place < keys_, "a row is of a key that was asked for");
      return place;
    }
    std::vector<Value> key;
    for (std::size_t i = 0; i < families_.size(); ++i) key.push_back(KeyOf(row[i], families_[i]));
    const auto found = places_.find(KeyText(key));
    if (found == places_.end()) return std::nullopt;
    return found->second;
  }

 private:
  KeyAccess access_;
  std::vector<TypeFamily> families_;
  std::size_t keys_;
  std::unordered_map<std::string, std::size_t, KeyedTextHash> places_;
};

// The statistics of all keys, filled statement by statement.
class KeySums {
 public:
  KeySums(const Door& door, const KeySet& keys) : door_(door), keys_(keys), places_(door, keys) {
    std::size_t width = 0;
    for (const Statistic& statistic : door.statistics) {
      first_.push_back(width);
      width += Coordinates(statistic.shape);
    }
    sums_.assign(keys.keys.size(), std::vector<Int128>(width, 0));
  }

  // A row of LowerGroupSums.
  void AddSums(Row row) {
    const std::optional<std::size_t> key = places_.Find(row);
    if (!key) return;
    std::size_t column = places_.columns();
    for (std::size_t s = 0; s < door_.statistics.size(); ++s) {
      const Statistic& statistic = door_.statistics[s];
      if (statistic.shape.kind == StatisticKind::kUnits) {
        Add(*key, s, 0, WholeOf(row[column++]));
      } else if (!CountsUnits(statistic.shape.kind)) {
        AddBounded(*key, s, row, column);
      }
    }
    Check(column == row.size(), "every number of a row is read");
  }

  // A row of LowerGroupClaims.
  void AddClaims(std::size_t statistic, Row row) {
    if (const auto key = places_.Find(row)) {
      Add(*key, statistic, 0, WholeOf(row[places_.columns()]));
    }
  }

  ExactTable Finish() && {
    ExactTableBuilder builder;
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      builder.Add(keys_.keys[i].key, std::move(sums_[i]));
    }
    return std::move(builder).Finish();
  }

 private:
  // What a key does not release is left out, as in unit_bounding.h.
  void Add(std::size_t key, std::size_t statistic, std::size_t coordinate, Int128 number) {
    if (!IsReleased(door_.statistics[statistic], keys_.keys[key])) return;
    sums_[key][first_[statistic] + coordinate] += number;
  }

  void AddBounded(std::size_t key, std::size_t s, Row row, std::size_t& column) {
    const Statistic& statistic = door_.statistics[s];
    std::vector<Int128> rows(door_.classes.size(), 0);
    rows[statistic.cell_class] = WholeOf(row[column++]);
    if (statistic.shape.counts_missing) rows[statistic.row_class] = WholeOf(row[column++]);
    std::vector<Int128> own;
    for (std::size_t i = 0; i < SummedPowers(statistic.shape).size(); ++i) {
      own.push_back(WholeOf(row[column++]));
    }
    const std::vector<Int128> inside = Coordinates(statistic, rows, own);
    for (std::size_t c = 0; c < inside.size(); ++c) Add(key, s, c, inside[c]);
    if (UnitsAreRows(door_)) return;
    for (std::size_t c = 0; c < inside.size(); ++c) Add(key, s, c, WholeOf(row[column++]));
  }

  const Door& door_;
  const KeySet& keys_;
  KeyPlaces places_;
  std::vector<std::size_t> first_;  // coordinate of each statistic
  std::vector<std::vector<Int128>> sums_;
};

class SqlSnapshot : public SnapshotReader {
 public:
  SqlSnapshot(std::shared_ptr<SqlConnection> connection, SqlStatements statements, PriorityKey key,
              IncidentLog& incidents)
      : connection_(std::move(connection)),
        statements_(std::move(statements)),
        key_(key),
        incidents_(incidents) {}

  Result<std::vector<std::vector<Value>>> KnownKeys(const Door& door) override {
    if (door.key_mode != KeyMode::kPublic) return door.known_keys;
    const std::vector<TypeFamily> families = KeyFamilies(door);
    const std::vector<ast::Select> selects = LowerPublicKeys(door);
    std::vector<KeyTuples> lists(selects.size());
    for (std::size_t i = 0; i < selects.size(); ++i) {
      const std::vector<std::size_t> own = KeysOf(door.public_keys[i], door.query->keys);
      TRY_DONE(Run(selects[i], [&](Row row) {
        std::vector<Value>& tuple = lists[i].emplace_back();
        for (std::size_t k = 0; k < own.size(); ++k) {
          tuple.push_back(KeyOf(row[k], families[own[k]]));
        }
      }));
    }
    return WithDeclaredKeys(door, lists);
  }

  Result<ExactTable> Count(const Door& door) override {
    ExactTableBuilder builder;
    if (!door.selects_keys()) return std::move(builder).Finish();
    const std::vector<TypeFamily> families = KeyFamilies(door);
    TRY_DONE(Run(LowerGroupCounts(door, key_), [&](Row row) {
      std::vector<Value> key;
      for (std::size_t i = 0; i < families.size(); ++i) key.push_back(KeyOf(row[i], families[i]));
      std::vector<Int128> counts;
      for (const auto& text : row.subspan(families.size())) counts.push_back(WholeOf(text));
      builder.Add(std::move(key), std::move(counts));
    }));
    return std::move(builder).Finish();
  }

  Result<ExactTable> Sum(const Door& door, const KeySet& keys) override {
    KeySums sums(door, keys);
    if (keys.keys.empty()) return std::move(sums).Finish();
    if (AccessOf(door, keys) == KeyAccess::kJoined) statements_.Define(KeysTableOf(door, keys));
    if (const auto select = LowerGroupSums(door, keys, key_)) {
      TRY_DONE(Run(*select, [&](Row row) { sums.AddSums(row); }));
    }
    for (std::size_t s = 0; s < door.statistics.size(); ++s) {
      if (door.statistics[s].shape.kind != StatisticKind::kDistinct) continue;
      TRY_DONE(
          Run(LowerGroupClaims(door, keys, key_, s), [&](Row row) { sums.AddClaims(s, row); }));
    }
    return std::move(sums).Finish();
  }

  Status Add(const PublicTable& release) override {
    statements_.Define(release);
    return Done{};
  }

  Result<std::vector<PublicTable>> ReadPublic(const DpPlan& plan) override {
    std::vector<PublicTable> tables = PublicReads(plan);
    for (PublicTable& table : tables) {
      TRY_DONE(Run(LowerPublic(table), [&](Row row) {
        std::vector<Value>& values = table.rows.emplace_back();
        for (std::size_t i = 0; i < row.size(); ++i) {
          values.push_back(ValueOf(row[i], table.columns[i].type.family));
        }
      }));
    }
    return tables;
  }

 private:
  Status Run(const ast::Select& select, const std::function<void(Row)>& consume) {
    if (const auto failure = connection_->Run(statements_.Print(select), consume)) {
      return RunError(*failure, incidents_);
    }
    return Done{};
  }

  std::shared_ptr<SqlConnection> connection_;
  SqlStatements statements_;
  PriorityKey key_;
  IncidentLog& incidents_;
};

}  // namespace

Error RunError(const SqlFailure& failure, IncidentLog& incidents) {
  Error error = RunError(failure.interrupted, failure.text, incidents);
  return failure.changed && !failure.interrupted ? DataChanged() : error;
}

void SqlStatements::Define(const PublicTable& table) {
  std::erase_if(defined_, [&](const Table& old) { return old.name == table.name; });
  defined_.push_back({.name = table.name, .query = engine_.InlineTable(table)});
}

void SqlStatements::AddTable(const Table& table, const std::string& statement,
                             std::string& with) const {
  const std::string name = engine_.dialect().QuoteIdentifier(table.name);
  // A name that stands there for another reason reads a table too many.
  if (statement.find(name) == std::string::npos) return;
  with += (with.empty() ? "WITH " : ", ") + name + " " + std::string(engine_.as_in_with()) + " (" +
          table.query + ")";
}

std::string SqlStatements::Print(const ast::Select& select) const {
  const std::string statement = PrintSelect(select, engine_.dialect());
  std::string with;
  for (const SchemaTable& table : schema_.tables) {
    const bool read =
        statement.find(engine_.dialect().QuoteIdentifier(table.name)) != std::string::npos;
    if (read) AddTable({table.name, engine_.ReadTable(table)}, statement, with);
  }
  for (const Table& table : defined_) AddTable(table, statement, with);
  return with.empty() ? statement : with + " " + statement;
}

std::unique_ptr<SnapshotReader> MakeSqlSnapshot(std::shared_ptr<SqlConnection> connection,
                                                SqlStatements statements, PriorityKey key,
                                                IncidentLog& incidents) {
  return std::make_unique<SqlSnapshot>(std::move(connection), std::move(statements), key,
                                       incidents);
}

std::vector<ast::Select> StagesOf(const Door& door) {
  std::vector<ast::Select> stages;
  const PriorityKey key{};
  if (door.selects_keys()) stages.push_back(LowerGroupCounts(door, key));
  KeySet keys;
  for (const std::vector<Value>& known : door.known_keys) {
    keys.keys.push_back({.key = known, .cells = std::vector<bool>(door.classes.size(), true)});
  }
  if (auto select = LowerGroupSums(door, keys, key)) stages.push_back(*std::move(select));
  for (std::size_t s = 0; s < door.statistics.size(); ++s) {
    if (door.statistics[s].shape.kind != StatisticKind::kDistinct) continue;
    stages.push_back(LowerGroupClaims(door, keys, key, s));
  }
  return stages;
}

}  // namespace dpsql

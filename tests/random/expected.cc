#include "random/expected.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "random/known_keys.h"
#include "random/reference_greedy.h"

namespace dpsql {
namespace {

constexpr std::size_t kColumnsOfItem = 6;

using Key = std::vector<std::string>;

// One text per value, whichever type carries it. Words are quoted, so that none looks like NULL.
std::string TextOf(const Value& value) {
  if (IsNull(value)) return "NULL";
  if (const auto* text = std::get_if<std::string>(&value)) return "'" + *text + "'";
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "1" : "0";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  std::ostringstream text;
  text.precision(17);
  text << std::get<double>(value);
  return text.str();
}

std::string Join(const Key& key) {
  std::string text;
  for (const std::string& part : key) text += (text.empty() ? "" : ", ") + part;
  return "(" + text + ")";
}

// A value as answers show it.
std::string Shown(const std::string& name, Kind kind) {
  if (kind == Kind::kTruth) return name;
  return "CAST(" + name + (kind == Kind::kWhole ? " AS BIGINT)" : " AS VARCHAR)");
}

std::string ShownKeys(const Question& question) {
  std::string list;
  for (std::size_t i = 0; i < question.keys.size(); ++i) {
    list += Shown("k" + std::to_string(i), question.keys[i].kind) + ", ";
  }
  return list;
}

std::string GroupKeys(const Question& question, const std::string& tail) {
  std::string list;
  for (std::size_t i = 0; i < question.keys.size(); ++i) {
    list += (i == 0 ? "k" : ", k") + std::to_string(i) + tail;
  }
  return list;
}

std::string SortTail(SortOrder order) {
  return order == SortOrder::kDown ? " DESC NULLS FIRST" : " ASC NULLS LAST";
}

// The columns of one item: kColumnsOfItem of them, in the order of Moments.
std::string ItemColumns(const Item& item, std::size_t number) {
  const MeasureInfo& info = InfoOf(item.measure);
  const std::string x = "x" + std::to_string(number);
  const std::string y = "y" + std::to_string(number);
  const bool distinct =
      item.measure == Measure::kCountUnits || item.measure == Measure::kCountDistinct;
  const std::string count = "count(" + std::string(distinct ? "DISTINCT " : "") + x + ")";
  if (info.is_count()) return ", " + count + ", 0, 0, 0, 0, 0";
  const std::string arguments = info.is_pair() ? y + ", " + x : x;
  const std::string function = info.function;
  return ", " + count + ", " + function + "(" + arguments + "), avg(" + x + "), " +
         (info.is_pair() ? "avg(" + y + ")" : "0") + ", var_pop(" + x + "), " +
         (info.is_pair() ? "var_pop(" + y + ")" : "0");
}

std::string KeyedRows(const Question& question) {
  const auto known = question.PlainKeys();
  if (!known) return question.PlainRows();
  return RowsUnderKeys(question.PlainRows(), *known, question.keys.size());
}

// Rows are counted by their owners, because a known key without rows has one line without an owner.
std::string PlainSql(const Question& question) {
  std::string sql = "SELECT " + ShownKeys(question) + "count(u)";
  std::size_t number = 0;
  for (const Item* item : question.items()) sql += ItemColumns(*item, number++);
  sql += " FROM (" + KeyedRows(question) + ") r";
  if (!question.keys.empty()) sql += " GROUP BY " + GroupKeys(question, "");
  if (question.least_rows) sql += " HAVING count(u) >= " + std::to_string(*question.least_rows);
  if (!question.is_sorted()) return sql;
  sql += " ORDER BY ";
  if (question.by_count != SortOrder::kNone) sql += "count(u)" + SortTail(question.by_count) + ", ";
  sql += GroupKeys(question, SortTail(question.by_keys));
  return question.limit ? sql + " LIMIT " + std::to_string(*question.limit) : sql;
}

// Who has which values, by group.
std::map<Key, UnitValues> PairsOf(const Question& question, std::size_t number,
                                  PlainDuckDb& plain) {
  const std::string x = "x" + std::to_string(number);
  const Expression& argument = question.items()[number]->x;
  // A column has its own value, which an expression has as text: their bytes give them their order.
  const bool column = argument.asked.find_first_of(" (") == std::string::npos;
  const std::string value = Shown(x, column ? argument.kind : Kind::kText);
  const std::string columns = ShownKeys(question) + "CAST(u AS VARCHAR), " + value;
  std::map<Key, UnitValues> pairs;
  for (const auto& row : plain.Rows("SELECT DISTINCT " + columns + " FROM (" +
                                    question.PlainRows() + ") r WHERE " + x + " IS NOT NULL")) {
    Key key;
    for (std::size_t i = 0; i < question.keys.size(); ++i) key.push_back(TextOf(row[i]));
    pairs[key].emplace_back(std::get<std::string>(row[row.size() - 2]), row.back());
  }
  return pairs;
}

double NumberOf(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  const auto* real = std::get_if<double>(&value);
  return real != nullptr ? *real : std::nan("");
}

class Expecting {
 public:
  Expecting(const Question& question, PlainDuckDb& plain)
      : question_(question),
        plain_(plain),
        items_(question.items()),
        known_(question.keys.empty() || question.PlainKeys()) {}

  std::vector<ExpectedRow> Run() {
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (items_[i]->measure == Measure::kCountDistinct) pairs_[i] = PairsOf(question_, i, plain_);
    }
    std::vector<ExpectedRow> expected;
    for (const auto& row : plain_.Rows(PlainSql(question_))) expected.push_back(ReadRow(row));
    return expected;
  }

 private:
  ExpectedRow ReadRow(const std::vector<Value>& row) {
    ExpectedRow expected;
    for (std::size_t i = 0; i < question_.keys.size(); ++i) {
      expected.key.push_back(TextOf(row[i]));
    }
    std::size_t number = 0;
    bool any = known_ || question_.least_rows || question_.is_sorted();
    for (const Output& output : question_.outputs) {
      Cell sum = Exactly(output.constant);
      for (const Output::Term& term : output.terms) {
        const Cell cell = ReadItem(row, expected.key, number++);
        any = any || cell.kind != Cell::Kind::kNull;
        sum = Weighted(cell, term.factor, sum);
      }
      expected.cells.push_back(sum);
    }
    expected.may_be_absent = !any;
    return expected;
  }

  Cell ReadItem(const std::vector<Value>& row, const Key& key, std::size_t number) {
    const std::size_t at = question_.keys.size() + 1 + kColumnsOfItem * number;
    const Moments moments{.count = NumberOf(row[at]),
                          .value = NumberOf(row[at + 1]),
                          .mean_x = NumberOf(row[at + 2]),
                          .mean_y = NumberOf(row[at + 3]),
                          .variance_x = NumberOf(row[at + 4]),
                          .variance_y = NumberOf(row[at + 5])};
    const Item& item = *items_[number];
    const unsigned bits = InfoOf(item.measure).is_count() ? 0 : question_.ValueBits(item);
    const Cell cell = CellOf(item, moments, {.value_bits = bits, .known_group = known_});
    if (item.measure != Measure::kCountDistinct || moments.count == 0) return cell;
    return Claimed(pairs_[number][key]);
  }

  static Cell Claimed(const UnitValues& pairs) {
    constexpr std::size_t kMostMatched = 1000;  // more pairs would take minutes
    const std::int64_t greedy = ReferenceGreedy(pairs);
    if (!UnitsTakeTurns()) {
      // Whoever has one value only speaks for it.
      std::map<std::string, std::set<std::string>> own;
      for (const auto& [unit, value] : pairs) own[unit].insert(ToText(value));
      std::set<std::string> only;
      for (const auto& [unit, values] : own) {
        if (values.size() == 1) only.insert(*values.begin());
      }
      const auto least = static_cast<double>(std::max<std::size_t>(1, only.size()));
      const auto most =
          static_cast<double>(pairs.size() > kMostMatched ? 2 * greedy : LargestMatching(pairs));
      return {.kind = Cell::Kind::kBetween, .low = least, .high = most};
    }
    if (pairs.size() > kMostMatched) return Exactly(static_cast<double>(greedy));
    const std::int64_t most = LargestMatching(pairs);
    if (greedy <= most && most <= 2 * greedy) return Exactly(static_cast<double>(greedy));
    throw std::logic_error("the reference greedy is none");
  }

  const Question& question_;
  PlainDuckDb& plain_;
  std::vector<const Item*> items_;
  bool known_;  // every group is shown, even without rows
  std::map<std::size_t, std::map<Key, UnitValues>> pairs_;
};

Key KeyOf(const std::vector<Value>& row, std::size_t keys) {
  Key key;
  for (std::size_t i = 0; i < keys; ++i) key.push_back(TextOf(row[i]));
  return key;
}

// Whether the interval of an estimate holds it. That of what is computed above a door is mirrored
// at a rounded answer, and so need only come as near as twice the rounding.
bool Holds(const std::optional<NoiseInterval>& interval, const Value& shown, const Cell& cell,
           bool plain) {
  if (!interval || IsNull(shown)) return true;
  const double value = NumberOf(shown);
  if (plain) return interval->low <= value && value <= interval->high;
  const double width = cell.high - cell.low;
  return cell.kind != Cell::Kind::kBetween ||
         (interval->low <= cell.high + width && cell.low - width <= interval->high);
}

}  // namespace

std::vector<ExpectedRow> Expect(const Question& question, PlainDuckDb& plain) {
  return Expecting(question, plain).Run();
}

std::optional<std::string> Difference(const Question& question,
                                      const std::vector<ExpectedRow>& expected,
                                      const Answer& answer) {
  const std::size_t keys = question.keys.size();
  std::map<Key, std::size_t> shown;
  std::vector<Key> order;
  for (const auto& row : answer.rows) {
    if (row.size() != keys + question.outputs.size()) return "a row has other columns";
    order.push_back(KeyOf(row, keys));
    const bool first = shown.emplace(order.back(), order.size() - 1).second;
    if (!first) return "two rows of " + Join(order.back());
  }
  std::vector<Key> wanted;
  for (const ExpectedRow& row : expected) {
    const auto found = shown.find(row.key);
    if (found == shown.end()) {
      if (row.may_be_absent) continue;
      return "no row of " + Join(row.key);
    }
    wanted.push_back(row.key);
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      const Value& value = answer.rows[found->second][keys + i];
      const auto& interval = answer.intervals[found->second][keys + i];
      const std::string place = "column " + std::to_string(keys + i) + " of " + Join(row.key);
      if (!Fits(row.cells[i], value)) {
        return place + " is " + TextOf(value) + " in place of " + Describe(row.cells[i]);
      }
      if (!Holds(interval, value, row.cells[i], question.outputs[i].is_plain())) {
        const Cell own{Cell::Kind::kBetween, interval->low, interval->high};
        return place + " is " + TextOf(value) + " with the interval " + Describe(own);
      }
    }
    shown.erase(found);
  }
  if (!shown.empty()) return "a row that should not be: " + Join(shown.begin()->first);
  if (question.is_sorted() && wanted != order) return "rows in another order";
  return std::nullopt;
}

std::optional<std::string> Difference(const std::vector<std::vector<Value>>& expected,
                                      const Answer& answer) {
  const auto texts = [](const std::vector<std::vector<Value>>& rows) {
    std::multiset<Key> all;
    for (const auto& row : rows) all.insert(KeyOf(row, row.size()));
    return all;
  };
  const auto want = texts(expected);
  const auto have = texts(answer.rows);
  if (want == have) return std::nullopt;
  std::string words = "rows differ; plain DuckDB has";
  for (const Key& row : want) words += " " + Join(row);
  words += "; the answer has";
  for (const Key& row : have) words += " " + Join(row);
  return words;
}

}  // namespace dpsql

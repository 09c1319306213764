#include "neighbours/neighbour_case.h"

#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

namespace dpsql {
namespace {

constexpr std::string_view kPolicyMark = "--| ";
constexpr std::string_view kKeyMark = "-- verified ";
constexpr std::string_view kRefusalMark = "-- refused ";
constexpr std::string_view kMannerMark = "-- manner ";
constexpr std::string_view kTableMark = "CREATE TABLE ";
constexpr std::string_view kRowMark = "INSERT INTO ";
constexpr std::string_view kValuesMark = " VALUES (";
constexpr std::string_view kOwnerMark = "); -- ";
constexpr std::string_view kNobody = "nobody";
constexpr std::string_view kQuestionMark = "-- question";

std::string InsertText(const CaseTable& table, const CaseRow& row) {
  return std::string(kRowMark) + table.name + std::string(kValuesMark) + row.values;
}

std::string CreateText(const CaseTable& table) {
  return std::string(kTableMark) + table.name + " (" + table.columns + ");\n";
}

CaseTable ReadTable(const std::string& line) {
  const std::size_t open = line.find(" (");
  const std::size_t close = line.rfind(");");
  if (open == std::string::npos || close == std::string::npos) {
    throw std::runtime_error("no table: " + line);
  }
  return {.name = line.substr(kTableMark.size(), open - kTableMark.size()),
          .columns = line.substr(open + 2, close - open - 2),
          .rows = {}};
}

CaseRow ReadRow(const std::string& line) {
  const std::size_t values = line.find(kValuesMark);
  const std::size_t owner = line.rfind(kOwnerMark);
  if (values == std::string::npos || owner == std::string::npos) {
    throw std::runtime_error("no row with its owner: " + line);
  }
  const std::size_t begin = values + kValuesMark.size();
  const std::string name = line.substr(owner + kOwnerMark.size());
  return {.values = line.substr(begin, owner - begin), .owner = name == kNobody ? "" : name};
}

CaseKey ReadKey(const std::string& line) {
  std::istringstream words(line.substr(kKeyMark.size()));
  CaseKey key;
  words >> key.table;
  for (std::string column; words >> column;) key.columns.push_back(column);
  return key;
}

}  // namespace

std::vector<std::string> NeighbourCase::Units() const {
  std::set<std::string> units;
  for (const CaseTable& table : tables) {
    for (const CaseRow& row : table.rows) units.insert(row.owner);
  }
  units.erase("");
  return {units.begin(), units.end()};
}

std::string NeighbourCase::Sql(const std::string& without) const {
  std::string sql;
  for (const CaseTable& table : tables) {
    sql += CreateText(table);
    for (const CaseRow& row : table.rows) {
      const bool gone = !without.empty() && row.owner == without;
      if (!gone) sql += InsertText(table, row) + ");\n";
    }
  }
  return sql;
}

std::string NeighbourCase::ToFile(const std::string& finding) const {
  std::string text;
  std::istringstream words(finding);
  // Set in behind the first line, so that no word of a finding is a mark.
  for (std::string line; std::getline(words, line);) {
    text += (text.empty() ? "-- " : "--   ") + line + "\n";
  }
  if (!manner.empty()) text += std::string(kMannerMark) + manner + "\n";
  std::istringstream lines(policy);
  for (std::string line; std::getline(lines, line);) text += std::string(kPolicyMark) + line + "\n";
  for (const CaseKey& key : verified) {
    text += std::string(kKeyMark) + key.table;
    for (const std::string& column : key.columns) text += " " + column;
    text += "\n";
  }
  for (const CaseTable& table : tables) {
    text += CreateText(table);
    for (const CaseRow& row : table.rows) {
      const std::string owner = row.owner.empty() ? std::string(kNobody) : row.owner;
      text += InsertText(table, row) + std::string(kOwnerMark) + owner + "\n";
    }
  }
  return text + std::string(kQuestionMark) + "\n" + question + "\n";
}

NeighbourCase NeighbourCase::FromFile(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  NeighbourCase made;
  bool asks = false;
  for (std::string line; std::getline(file, line);) {
    if (asks) {
      made.question += (made.question.empty() ? "" : "\n") + line;
    } else if (line.starts_with(kPolicyMark)) {
      made.policy += line.substr(kPolicyMark.size()) + "\n";
    } else if (line.starts_with(kKeyMark)) {
      made.verified.push_back(ReadKey(line));
    } else if (line.starts_with(kRefusalMark)) {
      made.refusal = line.substr(kRefusalMark.size());
    } else if (line.starts_with(kMannerMark)) {
      made.manner = line.substr(kMannerMark.size());
    } else if (line.starts_with(kTableMark)) {
      made.tables.push_back(ReadTable(line));
    } else if (line.starts_with(kRowMark) && !made.tables.empty()) {
      made.tables.back().rows.push_back(ReadRow(line));
    } else {
      asks = line == kQuestionMark;
    }
  }
  if (made.question.empty()) throw std::runtime_error(path + " asks nothing");
  return made;
}

}  // namespace dpsql

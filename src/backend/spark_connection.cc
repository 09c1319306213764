#include "backend/spark_connection.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "backend/spark_settings.h"

namespace dpsql {
namespace {

constexpr const char* kMark = "`(session)`";

}  // namespace

SparkConnection::SparkConnection(AdbcTarget target, SparkTables tables,
                                 std::optional<std::vector<std::string>> state)
    : tables_(std::move(tables)), state_(std::move(state)), connection_(std::move(target)) {}

void SparkConnection::Stop() { connection_.Stop(); }

std::optional<SqlFailure> SparkConnection::Ask(const std::string& sql, Cells& rows) {
  return connection_.Run(sql, [&](Row row) {
    std::vector<std::string>& cells = rows.emplace_back();
    for (const std::optional<std::string>& cell : row) cells.push_back(cell.value_or(""));
  });
}

std::optional<SqlFailure> SparkConnection::ApplySettings() {
  Cells rows;
  if (auto failure = Ask("SET", rows)) return failure;
  std::map<std::string, std::string> listed;
  for (const auto& row : rows) listed.emplace(row.at(0), row.at(1));
  if (const auto unknown = UnknownSetting(listed)) {
    refusal_ = "the server sets " + *unknown + ", which could change what a query means";
    return SqlFailure{.text = refusal_};
  }
  rows.clear();
  if (auto failure = Ask("SELECT version()", rows)) return failure;
  const std::string version = rows.empty() ? "" : rows.front().at(0);
  if (std::atoi(version.c_str()) < 4) {
    refusal_ = "the server is older than Spark 4";
    return SqlFailure{.text = refusal_};
  }
  for (const std::string& statement : NeededSettings(listed, version.starts_with("4.1."))) {
    if (auto failure = Ask(statement, rows)) return failure;
  }
  return std::nullopt;
}

std::optional<SqlFailure> SparkConnection::SetUp() {
  Cells rows;
  const std::string mark = std::string("CREATE TEMPORARY VIEW ") + kMark + " AS SELECT 1";
  if (auto failure = Ask(mark, rows)) return failure;
  if (auto failure = ApplySettings()) return failure;
  for (const SparkTable& table : tables_.tables) {
    if (auto failure = Ask(SparkView(table), rows)) return failure;
  }
  if (auto failure = FindMark()) return failure;
  ready_ = true;
  return std::nullopt;
}

std::optional<SqlFailure> SparkConnection::FindMark() {
  Cells rows;
  return Ask(std::string("DESCRIBE TABLE ") + kMark, rows);
}

std::optional<SqlFailure> SparkConnection::Describe(const SparkTable& table,
                                                    Description& description) {
  Cells rows;
  if (auto failure = Ask("DESCRIBE TABLE EXTENDED " + table.stored, rows)) return failure;
  // Columns end where a name has no type: at an empty line or a heading.
  const auto is_heading = [](const std::vector<std::string>& row) { return row.at(1).empty(); };
  const auto end = std::find_if(rows.begin(), rows.end(), is_heading);
  for (auto row = rows.begin(); row != end; ++row) {
    description.columns.emplace_back(row->at(0), row->at(1));
  }
  bool partitions = false;
  for (auto row = end; row != rows.end(); ++row) {
    description.facts[row->at(0)] = row->at(1);
    if (is_heading(*row)) {
      partitions = row->at(0) == "# Partition Information";
    } else if (partitions && row->at(0) != "# col_name") {
      description.partitions.push_back(row->at(0));
    }
  }
  return std::nullopt;
}

std::optional<SqlFailure> SparkConnection::ReadState(std::vector<std::string>& state,
                                                     std::map<std::string, std::size_t>& found) {
  constexpr char kBetween = '\x1f';
  Cells files;
  const std::string list = SparkFileList(tables_.tables);
  if (!list.empty()) {
    if (auto failure = Ask(list, files)) return failure;
  }
  for (const SparkTable& table : tables_.tables) {
    if (!table.path.empty()) continue;
    Cells none;
    if (auto failure = Ask("REFRESH TABLE " + table.stored, none)) return failure;
    Description description;
    if (auto failure = Describe(table, description)) return failure;
    for (const auto& [name, type] : description.columns) {
      state.push_back(table.name + kBetween + name + kBetween + type);
    }
    if (auto failure = Ask(SparkCatalogFileList(table, description.partitions), files))
      return failure;
  }
  for (const auto& file : files) {
    ++found[file.at(0)];
    std::string line;
    for (const std::string& cell : file) line += cell + kBetween;
    state.push_back(std::move(line));
  }
  std::sort(state.begin(), state.end());
  return std::nullopt;
}

std::optional<SqlFailure> SparkConnection::CheckState() {
  if (!state_) return std::nullopt;
  const SqlFailure changed{.changed = true,
                           .text = "the files of a table are not those of its schema"};
  if (!Unchanged(tables_.stamps)) return changed;
  // First, since a server that has just started takes its time for a list of files.
  if (auto lost = FindMark()) return lost;
  std::vector<std::string> now;
  std::map<std::string, std::size_t> found;
  if (auto failure = ReadState(now, found)) return failure;
  if (now != *state_) return changed;
  return std::nullopt;
}

std::optional<SqlFailure> SparkConnection::Run(const std::string& sql,
                                               const std::function<void(Row)>& consume) {
  std::optional<SqlFailure> failure;
  if (!ready_) failure = SetUp();
  if (!failure) failure = connection_.Run(sql, consume);
  if (failure && failure->interrupted) return failure;
  // Data that changed explains every other failure.
  std::optional<SqlFailure> changed = CheckState();
  return failure && !(changed && changed->changed) ? failure : changed;
}

}  // namespace dpsql

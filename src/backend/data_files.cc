#include "backend/data_files.h"

#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include "base/names.h"
#include "base/try.h"

namespace dpsql {
namespace {

namespace fs = std::filesystem;

Error SourceError(const Policy& policy, const TablePolicy& table, std::string message,
                  std::string hint) {
  return ToError({.code = ErrorCode::kPolicyTable,
                  .line = table.source->line,
                  .message = "the source of " + table.name + std::move(message),
                  .hint = std::move(hint)},
                 policy.file);
}

// Sorted by bytes, not by the locale of who asks.
std::vector<std::string> Expand(const std::string& pattern) {
  glob_t found{};
  std::vector<std::string> paths;
  if (glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found) == 0) {
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  }
  globfree(&found);
  std::sort(paths.begin(), paths.end());
  return paths;
}

// A link and what it leads to, or two names of one file, are the same rows: read twice, a unit
// would weigh twice what the policy's caps and the owner's keys say.
bool SameFile(const FileStamp& a, const FileStamp& b) {
  return a.device == b.device && a.inode == b.inode;
}

// DuckDB's own signs of a pattern.
bool LooksLikePattern(const std::string& path) {
  return path.find_first_of("*?[\\") != std::string::npos;
}

Result<TableFiles> FindFiles(const Policy& policy, const TablePolicy& table) {
  const fs::path folder = fs::path(policy.file).parent_path();
  const std::string pattern = (folder / table.source->pattern).string();
  TableFiles found{.table = &table, .format = table.source->format, .files = {}, .shown = {}};
  for (const std::string& path : Expand(pattern)) {
    std::error_code failed;
    const std::string real = fs::canonical(path, failed).string();
    const std::optional<FileStamp> stamp = failed ? std::nullopt : StampOf(real);
    if (!stamp) {
      return SourceError(policy, table, " matches " + path + ", which is no file",
                         "write a pattern for the files in it, such as  \"" +
                             table.source->pattern + "/*.parquet\"");
    }
    if (LooksLikePattern(real)) {
      return SourceError(policy, table, " matches " + path + ", a name with one of  * ? [ \\",
                         "rename it: databases take such names for patterns");
    }
    const auto same = [&](const FileStamp& other) { return SameFile(other, *stamp); };
    if (std::any_of(found.files.begin(), found.files.end(), same)) continue;
    found.files.push_back(*stamp);
    found.shown.push_back(path);
  }
  if (found.files.empty()) {
    return SourceError(policy, table, " matches no file: " + pattern,
                       "write a path or a pattern from the policy's folder on");
  }
  return found;
}

}  // namespace

Result<std::vector<TableFiles>> FindTableFiles(const Policy& policy) {
  std::vector<TableFiles> all;
  for (const TablePolicy& table : policy.tables) {
    if (!table.source) continue;
    TRY(TableFiles found, FindFiles(policy, table));
    all.push_back(std::move(found));
  }
  return all;
}

namespace {

// Reads one field from `at` on, up to its comma or the end. None where a quote is not closed or
// text follows it.
std::optional<std::string> ReadField(std::string_view line, std::size_t& at) {
  std::string field;
  if (at >= line.size() || line[at] != '"') {
    const std::size_t end = std::min(line.find(',', at), line.size());
    field = line.substr(at, end - at);
    at = end;
    return field;
  }
  for (++at; at < line.size(); ++at) {
    if (line[at] != '"') {
      field += line[at];
    } else if (at + 1 < line.size() && line[at + 1] == '"') {
      field += line[at++];
    } else {
      ++at;
      if (at < line.size() && line[at] != ',') return std::nullopt;
      return field;
    }
  }
  return std::nullopt;
}

}  // namespace

Result<std::vector<std::string>> ReadCsvHeader(const std::string& path) {
  constexpr std::size_t kLongestHeader = 1 << 20;
  std::ifstream file(path, std::ios::binary);
  std::string text(kLongestHeader, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  std::string_view line = std::string_view(text).substr(0, text.find_first_of("\r\n"));
  if (line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  const Error bad =
      MakeError(ErrorCode::kPolicyTable, "its first line is no list of different names", {},
                "write the names of the columns there, separated by commas");
  std::vector<std::string> names;
  for (std::size_t at = 0;; ++at) {
    const std::optional<std::string> name = ReadField(line, at);
    if (!name || name->empty()) return bad;
    const auto same = [&](const std::string& other) { return SameName(other, *name); };
    if (std::any_of(names.begin(), names.end(), same)) return bad;
    names.push_back(*name);
    if (at >= line.size()) return names;
  }
}

}  // namespace dpsql

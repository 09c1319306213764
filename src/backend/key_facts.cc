#include "backend/key_facts.h"

#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <utility>

#include "base/error_codes.h"
#include "base/names.h"

namespace dpsql {
namespace {

toml::array ArrayOf(const std::vector<std::string>& texts) {
  toml::array array;
  for (const std::string& text : texts) array.push_back(text);
  return array;
}

toml::array ArrayOf(const std::vector<FileStamp>& stamps) {
  toml::array files;
  for (const FileStamp& file : stamps) {
    files.push_back(toml::table{{"path", file.path},
                                {"device", file.device},
                                {"inode", file.inode},
                                {"size", file.size},
                                {"modified_ns", file.modified_ns},
                                {"changed_ns", file.changed_ns}});
  }
  return files;
}

toml::table TableOf(const KeyFact& fact) {
  return toml::table{{"table", fact.table},
                     {"columns", ArrayOf(fact.columns)},
                     {"types", ArrayOf(fact.types)},
                     {"files", ArrayOf(fact.files)}};
}

std::vector<std::string> TextsOf(const toml::node_view<const toml::node>& node) {
  std::vector<std::string> texts;
  const toml::array* array = node.as_array();
  if (array == nullptr) return texts;
  for (const toml::node& item : *array) texts.push_back(item.value_or(std::string()));
  return texts;
}

// A stamp that lacks anything equals no file's.
FileStamp StampFrom(const toml::table& table) {
  return {.path = table["path"].value_or(std::string()),
          .device = table["device"].value_or(std::int64_t{-1}),
          .inode = table["inode"].value_or(std::int64_t{-1}),
          .size = table["size"].value_or(std::int64_t{-1}),
          .modified_ns = table["modified_ns"].value_or(std::int64_t{-1}),
          .changed_ns = table["changed_ns"].value_or(std::int64_t{-1})};
}

std::vector<FileStamp> StampsFrom(const toml::node_view<const toml::node>& node) {
  std::vector<FileStamp> stamps;
  const toml::array* files = node.as_array();
  if (files == nullptr) return stamps;
  for (const toml::node& file : *files) {
    stamps.push_back(file.is_table() ? StampFrom(*file.as_table()) : FileStamp{});
  }
  return stamps;
}

KeyFact KeyFrom(const toml::table& table) {
  return {.table = table["table"].value_or(std::string()),
          .columns = TextsOf(table["columns"]),
          .types = TextsOf(table["types"]),
          .files = StampsFrom(table["files"])};
}

FileFact FilesFrom(const toml::table& table) {
  return {.table = table["table"].value_or(std::string()), .files = StampsFrom(table["files"])};
}

// What `read` makes of each table of an array; nothing where there is none.
template <typename Fact>
std::vector<Fact> FactsFrom(const toml::node_view<const toml::node>& node,
                            Fact (*read)(const toml::table&)) {
  std::vector<Fact> facts;
  const toml::array* array = node.as_array();
  if (array == nullptr) return facts;
  for (const toml::node& item : *array) {
    if (item.is_table()) facts.push_back(read(*item.as_table()));
  }
  return facts;
}

}  // namespace

KeyFacts ReadKeyFacts(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  KeyFacts facts;
  try {
    const toml::table tree = toml::parse(file, path);
    facts.version = tree["version"].value_or(std::string());
    facts.keys = FactsFrom(tree["keys"], KeyFrom);
    facts.files = FactsFrom(tree["files"], FilesFrom);
  } catch (const toml::parse_error&) {
    return {};
  }
  return facts;
}

Status WriteKeyFacts(const KeyFacts& facts, const std::string& path) {
  toml::array keys;
  for (const KeyFact& fact : facts.keys) keys.push_back(TableOf(fact));
  toml::array files;
  for (const FileFact& fact : facts.files) {
    files.push_back(toml::table{{"table", fact.table}, {"files", ArrayOf(fact.files)}});
  }
  const toml::table tree{
      {"version", facts.version}, {"keys", std::move(keys)}, {"files", std::move(files)}};
  const std::string draft = path + ".new";
  std::ofstream file(draft, std::ios::binary);
  file << "# Written by dpsql check --verify; believed while the files below stay as they are.\n"
       << tree << "\n";
  file.close();
  std::error_code failed;
  if (file) std::filesystem::rename(draft, path, failed);
  if (file && !failed) return Done{};
  return MakeError(ErrorCode::kPolicyFile, "the facts cannot be written to " + path, {},
                   "choose another place with  facts = \"…\"  under [data]");
}

std::vector<std::string> TypesOf(const SchemaTable& table,
                                 const std::vector<std::string>& columns) {
  std::vector<std::string> types;
  for (const std::string& name : columns) {
    const auto found =
        std::find_if(table.columns.begin(), table.columns.end(),
                     [&](const SchemaColumn& column) { return SameName(column.name, name); });
    if (found == table.columns.end()) return {};
    types.push_back(found->type.name);
  }
  return types;
}

}  // namespace dpsql

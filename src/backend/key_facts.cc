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

toml::table TableOf(const KeyFact& fact) {
  toml::array files;
  for (const FileStamp& file : fact.files) {
    files.push_back(toml::table{{"path", file.path},
                                {"device", file.device},
                                {"inode", file.inode},
                                {"size", file.size},
                                {"modified_ns", file.modified_ns},
                                {"changed_ns", file.changed_ns}});
  }
  return toml::table{{"table", fact.table},
                     {"columns", ArrayOf(fact.columns)},
                     {"types", ArrayOf(fact.types)},
                     {"files", std::move(files)}};
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

KeyFact FactFrom(const toml::table& table) {
  KeyFact fact{.table = table["table"].value_or(std::string()),
               .columns = TextsOf(table["columns"]),
               .types = TextsOf(table["types"]),
               .files = {}};
  const toml::array* files = table["files"].as_array();
  if (files == nullptr) return fact;
  for (const toml::node& file : *files) {
    fact.files.push_back(file.is_table() ? StampFrom(*file.as_table()) : FileStamp{});
  }
  return fact;
}

}  // namespace

KeyFacts ReadKeyFacts(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  KeyFacts facts;
  try {
    const toml::table tree = toml::parse(file, path);
    facts.version = tree["version"].value_or(std::string());
    const toml::array* keys = tree["keys"].as_array();
    if (keys == nullptr) return {};
    for (const toml::node& key : *keys) {
      if (key.is_table()) facts.keys.push_back(FactFrom(*key.as_table()));
    }
  } catch (const toml::parse_error&) {
    return {};
  }
  return facts;
}

Status WriteKeyFacts(const KeyFacts& facts, const std::string& path) {
  toml::array keys;
  for (const KeyFact& fact : facts.keys) keys.push_back(TableOf(fact));
  const toml::table tree{{"version", facts.version}, {"keys", std::move(keys)}};
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

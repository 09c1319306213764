#include "catalog/read_table.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/names.h"
#include "catalog/source_format.h"
#include "catalog/toml_section.h"

namespace dpsql {
namespace {

constexpr NumberRange kBoundRange{.low = -1e100, .high = 1e100};

// Other words for the types that base/type.h knows.
constexpr auto kTypeNames = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"BOOL", "BOOLEAN"},
    {"INT", "INTEGER"},
    {"INT4", "INTEGER"},
    {"INT8", "BIGINT"},
    {"TEXT", "VARCHAR"},
    {"STRING", "VARCHAR"},
    {"REAL", "FLOAT"},
    {"DOUBLEPRECISION", "DOUBLE"},
});

constexpr auto kSourceFormats = std::to_array<std::pair<std::string_view, SourceFormat>>({
    {".parquet", SourceFormat::kParquet},
    {".csv", SourceFormat::kCsv},
    {".json", SourceFormat::kJsonLines},
    {".jsonl", SourceFormat::kJsonLines},
    {".ndjson", SourceFormat::kJsonLines},
});

Type ReadType(std::string_view text) {
  std::string name = ToUpper(text);
  std::erase(name, ' ');
  if (name.starts_with("NUMERIC(")) name.replace(0, 7, "DECIMAL");
  for (const auto& [other, known] : kTypeNames) {
    if (name == other) return ParseType(known);
  }
  return ParseType(name);
}

class TableReader {
 public:
  TableReader(const toml::table& entry, std::string_view key, PolicyProblems& problems)
      : section_(entry, "tables." + std::string(key)), problems_(problems) {
    table_.name = std::string(key);
    table_.line = section_.line();
    if (table_.name.starts_with('(')) {  // as ours are that stand beside it
      section_.Fail(nullptr, "[" + section_.name() + "] begins with a bracket",
                    "give the table another name");
    }
  }

  TablePolicy Read(const std::string& unit_kind) {
    table_.is_public = section_.Boolean("public").value_or(false);
    table_.kind = section_.Text("kind").value_or(unit_kind);
    table_.max_rows_per_unit = section_.Integer("max_rows_per_unit", 1, 1'000'000);
    ReadSource();
    ReadUnit();
    ReadKeys("primary_key");
    ReadKeys("unique");
    ReadColumns();
    RequireTypes();
    if (section_.Has("unit") == table_.is_public) {
      section_.Fail(nullptr, "[" + section_.name() + "] is either public or has a unit",
                    "add  unit = \"column\"  for a private table, or  public = true");
    }
    section_.Finish(problems_);
    return std::move(table_);
  }

 private:
  void ReadSource() {
    const auto text = section_.Text("source");
    if (!text) return;
    const toml::node* node = section_.Node("source");
    if (text->find("://") != std::string::npos) {
      section_.Unavailable("source", "a table behind an address");
      return;
    }
    if (const auto format = SourceFormatOf(*text)) {
      const int line = static_cast<int>(node->source().begin.line);
      table_.source = SourcePolicy{.pattern = *text, .format = *format, .line = line};
    }
    if (table_.source && text->find("**") == std::string::npos) return;
    section_.Fail(node,
                  "[" + section_.name() + "] source is a file or a pattern such as \"x/*.parquet\"",
                  "let it end in .parquet, .csv, .json, .jsonl or .ndjson; ** is not known");
  }

  // A column of a text file has the type that is declared here: what stands in one row never
  // changes it. Columns without one are left out.
  void RequireTypes() {
    if (!table_.source || !table_.source->is_text()) return;
    std::vector<std::string> needed;
    if (table_.unit_column) needed.push_back(*table_.unit_column);
    if (table_.link) Append(table_.link->columns, needed);
    for (const std::vector<std::string>& key : table_.declared_keys) Append(key, needed);
    for (const ColumnPolicy& column : table_.columns) needed.push_back(column.name);
    std::erase_if(table_.columns, [](const ColumnPolicy& column) { return !column.type; });
    for (const std::string& name : needed) {
      const auto same = [&](const ColumnPolicy& column) { return SameName(column.name, name); };
      if (std::any_of(table_.columns.begin(), table_.columns.end(), same)) continue;
      section_.Fail(
          nullptr, "[" + section_.name() + "] comes from text and does not say the type of " + name,
          "write  " + name + " = { type = \"VARCHAR\" }  under [" + section_.name() +
              ".columns], or what it is");
      break;
    }
    if (!table_.columns.empty()) return;
    if (needed.empty()) {
      section_.Fail(nullptr, "[" + section_.name() + "] comes from text and names no column",
                    "write  x = { type = \"VARCHAR\" }  under [" + section_.name() + ".columns]");
    }
    table_.source.reset();
  }

  static void Append(const std::vector<std::string>& names, std::vector<std::string>& all) {
    all.insert(all.end(), names.begin(), names.end());
  }

  void ReadUnit() {
    const toml::node* unit = section_.Node("unit");
    if (unit == nullptr) return;
    if (const auto column = unit->value_exact<std::string>()) {
      table_.unit_column = *column;
    } else if (const toml::table* link = unit->as_table()) {
      ReadLink(*link);
    } else {
      section_.Fail(
          unit, "[" + section_.name() + "] unit is a column's name or { through, references }",
          "write  unit = \"column\"  or  unit = { through = \"child_column\", references = "
          "\"parent.column\" }");
    }
  }

  void ReadLink(const toml::table& entry) {
    TomlSection section(entry, section_.name());
    LinkPolicy link;
    link.columns = section.Texts("through");
    const std::vector<std::string> references = section.Texts("references");
    bool good = !link.columns.empty() && link.columns.size() == references.size();
    if (!good) {
      section.Fail(
          &entry, "[" + section.name() + "] unit names as many columns in through as in references",
          "write  unit = { through = \"child_column\", references = \"parent.column\" }");
    }
    for (const std::string& reference : references) {
      const std::size_t dot = reference.find('.');
      const std::string parent = reference.substr(0, dot);
      const bool same_parent = link.parent_table.empty() || link.parent_table == parent;
      if (dot == std::string::npos || !same_parent) {
        section.Fail(
            &entry,
            "[" + section.name() + "] references are columns of one table, \"parent.column\"",
            "write the table's name before each column, and a dot between them");
        good = false;
        break;
      }
      link.parent_table = parent;
      link.parent_columns.push_back(reference.substr(dot + 1));
    }
    section.Finish(problems_);
    if (good) table_.link = std::move(link);
  }

  // "a", ["a", "b"] as one key, or [["a"], ["b", "c"]] as several.
  void ReadKeys(std::string_view name) {
    const toml::node* node = section_.Node(name);
    const toml::array* list = node != nullptr ? node->as_array() : nullptr;
    if (list == nullptr || list->empty() || !(*list)[0].is_array()) {
      std::vector<std::string> key = section_.Texts(name);
      if (!key.empty()) table_.declared_keys.push_back(std::move(key));
      return;
    }
    for (const toml::node& item : *list) {
      std::vector<std::string> key = KeyColumns(item);
      if (key.empty()) {
        section_.Fail(&item,
                      "[" + section_.name() + "] " + std::string(name) +
                          " is a column, a list of columns, or a list of such lists",
                      "write  " + std::string(name) + " = [[\"a\"], [\"b\", \"c\"]]");
        return;
      }
      table_.declared_keys.push_back(std::move(key));
    }
  }

  static std::vector<std::string> KeyColumns(const toml::node& item) {
    std::vector<std::string> key;
    const toml::array* columns = item.as_array();
    if (columns == nullptr) return {};
    for (const toml::node& column : *columns) {
      const auto text = column.value_exact<std::string>();
      if (!text) return {};
      key.push_back(*text);
    }
    return key;
  }

  void ReadColumns() {
    const toml::table* columns = section_.Table("columns");
    if (columns == nullptr) return;
    for (const auto& [key, node] : *columns) {
      if (const toml::table* entry = node.as_table()) {
        ReadColumn(*entry, key.str());
      } else {
        section_.Fail(&node,
                      "[" + section_.name() + ".columns] " + std::string(key.str()) +
                          " is written as { lower = …, upper = … }",
                      "write  " + std::string(key.str()) + " = { hidden = true }  or the like");
      }
    }
  }

  void ReadColumn(const toml::table& entry, std::string_view key) {
    TomlSection section(entry, section_.name() + ".columns." + std::string(key));
    ColumnPolicy column{.name = std::string(key), .line = section.line()};
    column.nullable = section.Boolean("nullable");
    column.hidden = section.Boolean("hidden").value_or(false);
    column.lower = section.Number("lower", kBoundRange);
    column.upper = section.Number("upper", kBoundRange);
    ReadValues(section, column);
    ReadColumnType(section, column);
    if (section.Has("lower") != section.Has("upper")) {
      section.Fail(nullptr, "[" + section.name() + "] lower and upper come together",
                   "write  { lower = …, upper = … }  with both, or neither");
    }
    if (column.lower && column.upper && !(*column.lower < *column.upper)) {
      section.Fail(nullptr, "[" + section.name() + "] lower is not below upper",
                   "write the smaller number as  lower ; for a constant there is nothing to sum");
    }
    if (!column.lower || !column.upper) column.lower = column.upper = std::nullopt;
    section.Finish(problems_);
    table_.columns.push_back(std::move(column));
  }

  static void ReadColumnType(TomlSection& section, ColumnPolicy& column) {
    const auto text = section.Text("type");
    if (!text) return;
    column.type = ReadType(*text);
    if (column.type->family != TypeFamily::kOther) return;
    section.Fail(section.Node("type"), "[" + section.name() + "] type is not known: " + *text,
                 "use one of BOOLEAN, SMALLINT, INTEGER, BIGINT, DECIMAL(p,s), DOUBLE, VARCHAR, "
                 "UUID, DATE, TIMESTAMP");
  }

  static void ReadValues(TomlSection& section, ColumnPolicy& column) {
    const toml::node* node = section.Node("values");
    if (node == nullptr) return;
    const toml::array* array = node->as_array();
    if (array == nullptr || array->empty()) {
      section.Fail(node, "[" + section.name() + "] values is a list with at least one value",
                   "write  values = [\"a\", \"b\"] , or leave it out");
      return;
    }
    for (const toml::node& item : *array) {
      if (const auto text = item.value_exact<std::string>()) {
        column.values.emplace_back(*text);
      } else if (const auto integer = item.value_exact<std::int64_t>()) {
        column.values.emplace_back(*integer);
      } else if (const auto flag = item.value_exact<bool>()) {
        column.values.emplace_back(*flag);
      } else {
        section.Fail(&item, "[" + section.name() + "] values are texts, whole numbers or booleans",
                     "write texts in quotes; other columns have no list");
      }
    }
  }

  TomlSection section_;
  TablePolicy table_;
  PolicyProblems& problems_;
};

}  // namespace

std::optional<SourceFormat> SourceFormatOf(std::string_view path) {
  const std::string lower = ToLower(path);
  for (const auto& [ending, format] : kSourceFormats) {
    if (lower.ends_with(ending)) return format;
  }
  return std::nullopt;
}

TablePolicy ReadTable(const toml::table& entry, std::string_view key, const std::string& unit_kind,
                      PolicyProblems& problems) {
  return TableReader(entry, key, problems).Read(unit_kind);
}

}  // namespace dpsql

#include "support/file_policy.h"

#include <algorithm>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "base/names.h"

namespace dpsql {
namespace {

// A [section] with its lines, as they are written.
struct Section {
  std::string table;    // "item" of [tables.item] and [tables.item.columns]
  bool is_own = false;  // [tables.item] itself
  std::string text;
};

std::vector<Section> SectionsOf(const std::string& policy) {
  constexpr std::string_view kTables = "[tables.";
  std::vector<Section> sections(1);
  std::istringstream lines(policy);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('[')) sections.emplace_back();
    Section& section = sections.back();
    if (line.starts_with(kTables)) {
      const std::string name = line.substr(kTables.size(), line.find(']') - kTables.size());
      section.table = name.substr(0, name.find('.'));
      section.is_own = section.table == name;
    }
    section.text += line + "\n";
  }
  return sections;
}

bool IsKey(const std::string& column, const CopiedTable& table) {
  return std::any_of(table.keys.begin(), table.keys.end(),
                     [&](const auto& key) { return key.size() == 1 && SameName(key[0], column); });
}

// "id" of a line  unit = "id" ; nothing where there is none.
std::string UnitOf(const std::string& section) {
  static const std::regex kUnit("\nunit = \"([^\"]*)\"");
  std::smatch found;
  return std::regex_search(section, found, kUnit) ? found[1].str() : "";
}

const CopiedTable* Find(const CopiedDatabase& database, const std::string& name) {
  for (const CopiedTable& table : database.tables) {
    if (SameName(table.name, name)) return &table;
  }
  return nullptr;
}

// The values of a column, without NULL.
std::set<std::string> ValuesOf(const CopiedTable& table, const std::string& column) {
  std::set<std::string> values;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (!SameName(table.columns[i].name, column)) continue;
    for (const std::vector<Value>& row : table.rows) {
      if (!IsNull(row[i])) values.insert(ToText(row[i]));
    }
  }
  return values;
}

// A link, written as  unit = { through = "cid", references = "customer.id" } .
struct Link {
  std::string column;
  std::string parent;
  std::string parent_column;
};

std::optional<Link> LinkOf(const std::string& section) {
  static const std::regex kLink(
      "unit = \\{ through = \"([^\"]*)\", references = \"([^\"]*)\\.([^\"]*)\" \\}");
  std::smatch found;
  if (!std::regex_search(section, found, kLink)) return std::nullopt;
  return Link{found[1], found[2], found[3]};
}

class PolicyMaker {
 public:
  PolicyMaker(const std::string& policy, const CopiedDatabase& database, std::string folder)
      : sections_(SectionsOf(policy)), database_(database), folder_(std::move(folder)) {}

  std::string Make() {
    for (Section& section : sections_) {
      if (section.is_own) Change(section);
    }
    std::string text;
    for (const Section& section : sections_) {
      if (!left_out_.contains(section.table)) text += section.text;
    }
    return text;
  }

 private:
  void Change(Section& section) {
    if (section.text.find("\nunit = {") != std::string::npos && !Unlink(section)) {
      left_out_.insert(section.table);
    }
    section.text += "source = \"" + folder_ + "/" + section.table + ".parquet\"\n";
    const CopiedTable* const table = Find(database_, section.table);
    const bool capped = section.text.find("max_rows_per_unit") != std::string::npos;
    if (!capped && table != nullptr && IsKey(UnitOf(section.text), *table)) {
      section.text += "max_rows_per_unit = 1\n";
    }
  }

  // A link to the unit itself says no more than its column, where it leads every row somewhere.
  bool Unlink(Section& section) const {
    const auto link = LinkOf(section.text);
    if (!link || UnitOfTable(link->parent) != link->parent_column) return false;
    const CopiedTable* const child = Find(database_, section.table);
    const CopiedTable* const parent = Find(database_, link->parent);
    if (child == nullptr || parent == nullptr) return false;
    const std::set<std::string> known = ValuesOf(*parent, link->parent_column);
    const std::set<std::string> used = ValuesOf(*child, link->column);
    if (!std::includes(known.begin(), known.end(), used.begin(), used.end())) return false;
    const std::size_t at = section.text.find("unit = {");
    section.text.replace(at, section.text.find('}', at) + 1 - at,
                         "unit = \"" + link->column + "\"");
    return true;
  }

  std::string UnitOfTable(const std::string& name) const {
    for (const Section& section : sections_) {
      if (section.is_own && SameName(section.table, name)) return UnitOf(section.text);
    }
    return "";
  }

  std::vector<Section> sections_;
  const CopiedDatabase& database_;
  std::string folder_;
  std::set<std::string> left_out_;
};

}  // namespace

std::string FilePolicy(const std::string& policy, const CopiedDatabase& database,
                       const std::string& folder) {
  return PolicyMaker(policy, database, folder).Make();
}

}  // namespace dpsql

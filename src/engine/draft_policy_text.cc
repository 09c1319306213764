#include "engine/draft_policy_text.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>
#include <utility>

#include "base/display.h"
#include "base/names.h"
#include "catalog/column_words.h"

namespace dpsql {
namespace {

// What one unit may add where no key says it. Enforced whatever the data is, so a wrong one costs
// accuracy and no privacy.
constexpr int kRowsPerUnit = 20;
constexpr int kLinkedRowsPerUnit = 100;

struct Line {
  std::string left;
  std::string remark;
};

// Lines with their remarks below each other, as far as that is possible.
std::string Aligned(const std::vector<Line>& lines) {
  constexpr std::size_t kWidest = 44;
  std::size_t width = 0;
  for (const Line& line : lines) {
    const std::size_t own = TextWidth(line.left);
    if (!line.remark.empty() && own <= kWidest) width = std::max(width, own);
  }
  std::string text;
  for (const Line& line : lines) {
    text += line.left;
    if (!line.remark.empty()) {
      const std::size_t own = TextWidth(line.left);
      text += std::string(own < width ? width - own : 0, ' ') + "  # " + line.remark;
    }
    text += "\n";
  }
  return text;
}

bool Holds(const std::vector<std::string>& names, const std::string& name) {
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& other) { return SameName(other, name); });
}

std::string List(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + TomlKey(name);
  return text;
}

std::string TomlTexts(const std::vector<std::string>& texts) {
  if (texts.size() == 1) return TomlText(texts[0]);
  std::string list;
  for (const std::string& text : texts) list += (list.empty() ? "" : ", ") + TomlText(text);
  return "[" + list + "]";
}

bool IsText(const DraftSource& table) { return table.source && table.source->is_text(); }

std::string Heading(const DraftHeading& heading) {
  std::string text =
      "# A draft, written by `dpsql init` from names, types and constraints; no row was read.\n"
      "# Look at each GUESS and DECIDE, and at the lines that are comments now. Then run\n"
      "#   " +
      Printable(heading.check) + "\n\n";
  if (!heading.macros.empty()) {
    text +=
        "# DECIDE the database defines macros, which could change what a question means. Drop\n"
        "# them, or ask a copy without them: " +
        List(heading.macros) + "\n\n";
  }
  const std::string guess = heading.guessed ? "GUESS: " : "";
  text += "[dataset]\n" + Aligned({{"name = " + TomlText(heading.dataset), ""},
                                   {"unit = " + TomlText(heading.kind),
                                    guess + "who is protected: all rows of one together"}});
  text +=
      "\n[data]\n"
      "# version = \"1\"      # names this state of the data: then the same question is paid once\n"
      "\n[budget]             # of all questions together, over the life of the data\n"
      "epsilon = 4.0        # smaller protects more: 1 is strong, above 10 promises little\n"
      "delta = 1e-6         # a chance of failure: far below one in the number of people\n"
      "\n[query]\n"
      "epsilon = 0.5        # of a question that names none: about 55 of them fit above\n"
      "min_frequency = 10   # k: a group of fewer people is never shown\n"
      "max_groups_per_unit = " +
      std::string(heading.one_row ? "1" : "3") +
      "  # enforced: one person counts in so many groups of a GROUP BY\n"
      "\n# With a name here only those who are listed may ask.\n"
      "# [budget.analysts.alice]\n"
      "# epsilon = 1.0\n"
      "# delta = 1e-7\n";
  return text;
}

// Why a person has one row here: his own table, or rows that are numbered and nothing else.
bool HasOwnRows(const DraftTable& table) {
  const std::string kind = PersonNamedBy(table.unit_column);
  return table.is_home && (kind.empty() || PeopleOf(table.table->name) == kind);
}

bool IsDeclared(const DraftTable& table) {
  return table.standing == TableStanding::kUnit || table.standing == TableStanding::kLinked;
}

bool HasOneRow(const DraftTable& table) {
  return table.standing == TableStanding::kUnit &&
         (IsKey(*table.table, table.unit_column) || HasOwnRows(table));
}

Line RowCap(const DraftTable& table) {
  if (table.standing == TableStanding::kLinked) {
    return {"max_rows_per_unit = " + std::to_string(kLinkedRowsPerUnit),
            "enforced: rows beyond it weigh less; noise grows with it"};
  }
  if (HasOwnRows(table)) {
    return {"max_rows_per_unit = 1", "GUESS: one row each; enforced: rows beyond it weigh less"};
  }
  return {"max_rows_per_unit = " + std::to_string(kRowsPerUnit),
          "enforced: rows beyond it weigh less; noise grows with it"};
}

std::vector<Line> UnitLines(const DraftTable& table) {
  if (table.standing == TableStanding::kLinked) {
    std::vector<std::string> references;
    for (const std::string& column : table.link.parent_columns) {
      references.push_back(table.link.parent_table + "." + column);
    }
    return {{"unit = { through = " + TomlTexts(table.link.columns) +
                 ", references = " + TomlTexts(references) + " }",
             table.guessed ? "GUESS: the names are alike" : "a foreign key"},
            RowCap(table)};
  }
  if (table.standing != TableStanding::kUnit) {
    return {
        {"unit = \"DECIDE\"", "DECIDE the column that tells whose row it is"},
        {"max_rows_per_unit = " + std::to_string(kRowsPerUnit), "enforced whatever the data is"}};
  }
  std::vector<Line> lines = {{"unit = " + TomlText(table.unit_column),
                              table.guessed ? "GUESS: tells whose row it is" : "whose row it is"}};
  if (!IsKey(*table.table, table.unit_column)) lines.push_back(RowCap(table));
  return lines;
}

bool IsUnit(const DraftTable& table, const SchemaColumn& column) {
  return !table.unit_column.empty() && SameName(table.unit_column, column.name);
}

// What stands behind a column of the database, which has its own type.
Line ColumnLine(const DraftTable& table, const SchemaColumn& column) {
  const std::string key = TomlKey(column.name);
  const std::string type = Printable(column.type.name);
  if (IsUnit(table, column)) return {"# " + key, type + ", the unit"};
  if (Holds(table.link.columns, column.name)) return {"# " + key, type + ", leads to the unit"};
  if (column.type.family == TypeFamily::kOther) return {"# " + key, type + ", cannot be asked"};
  if (LooksPersonal(column.name)) {
    return {key + " = { hidden = true }", type + ", looks personal: cannot be asked"};
  }
  if (LooksLikeIdentifier(column.name)) {
    return {"# " + key + " = { hidden = true }", type + ", looks like an identifier"};
  }
  if (column.type.is_numeric()) return {"# " + key + " = { lower = ?, upper = ? }", type};
  if (column.type.family == TypeFamily::kText) return {"# " + key + " = { values = [?] }", type};
  return {"# " + key, type};
}

// A text file has the columns that are declared, and no other.
Line TextColumnLine(const DraftTable& table, const SchemaColumn& column) {
  const std::string key = TomlKey(column.name);
  if (IsUnit(table, column)) {
    return {key + " = { type = \"VARCHAR\" }", "the unit"};
  }
  if (LooksPersonal(column.name)) {
    return {key + " = { type = \"VARCHAR\", hidden = true }", "looks personal: cannot be asked"};
  }
  if (LooksLikeIdentifier(column.name)) {
    return {key + " = { type = \"VARCHAR\" }", "an identifier? then add  hidden = true"};
  }
  return {key + " = { type = \"VARCHAR\" }", ""};
}

const SchemaColumn* Plain(const SchemaTable& table, const std::string& unit) {
  for (const SchemaColumn& column : table.columns) {
    const bool special = SameName(column.name, unit) || LooksPersonal(column.name) ||
                         LooksLikeIdentifier(column.name);
    if (!special) return &column;
  }
  return nullptr;
}

std::string ColumnRemarks(const DraftSource& source) {
  const DraftTable& table = source.table;
  if (IsText(source)) {
    const SchemaColumn* example = Plain(*table.table, table.unit_column);
    if (example == nullptr) return "";
    return "# Names are those of the first line or object: is it a header, and no person's row?\n"
           "# A file of text has no types: all is text until you say more. A number for SUM and "
           "AVG is\n#   " +
           TomlKey(example->name) +
           " = { type = \"INTEGER\", lower = ?, upper = ? }\n"
           "# with bounds that the meaning of the column allows, not those that the data holds.\n";
  }
  const auto numeric = [&](const SchemaColumn& column) {
    return ColumnLine(table, column).left.find("lower") != std::string::npos;
  };
  const auto& columns = table.table->columns;
  if (std::none_of(columns.begin(), columns.end(), numeric)) return "";
  return "# SUM and AVG need bounds: write what the meaning of a column allows, not what the data "
         "holds.\n";
}

std::string PrivateTable(const DraftSource& source) {
  const DraftTable& table = source.table;
  const std::string name = "tables." + TomlKey(table.table->name);
  std::vector<Line> lines;
  if (source.source) lines.push_back({"source = " + TomlText(source.source->pattern), ""});
  for (Line& line : UnitLines(table)) lines.push_back(std::move(line));
  std::string text = "[" + name + "]\n" + Aligned(lines);
  const bool own_key = source.source && table.standing == TableStanding::kUnit && HasOwnRows(table);
  if (own_key) {
    text += "# primary_key = " + TomlText(table.unit_column) +
            "  # where it is one, and `dpsql check --verify` has found it so\n";
  }
  text += ColumnRemarks(source) + "[" + name + ".columns]\n";
  std::vector<Line> columns;
  for (const SchemaColumn& column : table.table->columns) {
    columns.push_back(IsText(source) ? TextColumnLine(table, column) : ColumnLine(table, column));
  }
  return text + Aligned(columns);
}

// A table that is left out of the policy: what is known of it is a comment.
std::string AbsentTable(const DraftTable& table) {
  const std::string section = "# [tables." + TomlKey(table.table->name) + "]\n";
  if (table.standing == TableStanding::kUnusable) {
    return section + "# left out: " + table.reason + "\n";
  }
  if (table.standing == TableStanding::kUnclear) {
    return section + "# DECIDE more than one column leads to the unit: " + Printable(table.reason) +
           ".\n# A row counts for the one that is named here; the others are not protected.\n"
           "# unit = \"?\"\n";
  }
  return section +
         "# unit = \"?\"     # DECIDE the column that tells whose row it is, none was found; or\n"
         "# public = true  # only if everybody may see all its rows\n";
}

}  // namespace

std::string TomlText(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      std::array<char, 8> escape{};
      std::snprintf(escape.data(), escape.size(), "\\u%04X", byte);
      quoted += escape.data();
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

std::string TomlKey(const std::string& name) {
  const bool bare = !name.empty() && name.find_first_not_of(
                                         "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                         "0123456789_-") == std::string::npos;
  return bare ? name : TomlText(name);
}

std::string DraftText(DraftHeading heading, const std::vector<DraftSource>& tables) {
  heading.one_row = std::all_of(tables.begin(), tables.end(), [](const DraftSource& source) {
    return !IsDeclared(source.table) || HasOneRow(source.table);
  });
  std::string text = Heading(heading);
  const bool no_unit = std::none_of(tables.begin(), tables.end(), [](const DraftSource& source) {
    return source.table.standing == TableStanding::kUnit;
  });
  if (no_unit) {
    text +=
        "\n# DECIDE no column looks like a person. Run `dpsql init` again with --unit "
        "TABLE.COLUMN,\n"
        "# or name it below; a table that is about nobody is  public = true  in place of unit.\n";
  }
  for (const DraftSource& source : tables) {
    const bool declared =
        IsDeclared(source.table) || (no_unit && source.table.standing == TableStanding::kNone);
    text += "\n" + (declared ? PrivateTable(source) : AbsentTable(source.table));
  }
  return text;
}

}  // namespace dpsql

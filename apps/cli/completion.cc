#include "completion.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <set>

#include "sql_tokens.h"

namespace dpsql::cli {
namespace {

constexpr std::array<std::string_view, 62> kKeywords = {
    "ALL",     "AND",     "AS",        "ASC",      "BETWEEN",   "BY",      "CASE",   "CAST",
    "CROSS",   "DESC",    "DISTINCT",  "ELSE",     "END",       "EXCEPT",  "EXISTS", "EXPLAIN",
    "EXTRACT", "FALSE",   "FILTER",    "FROM",     "FULL",      "GROUP",   "HAVING", "ILIKE",
    "IN",      "INNER",   "INTERSECT", "INTERVAL", "IS",        "JOIN",    "LEFT",   "LIKE",
    "LIMIT",   "NATURAL", "NOT",       "NULL",     "NULLS",     "OFFSET",  "ON",     "OPTIONS",
    "OR",      "ORDER",   "OUTER",     "OVER",     "PARTITION", "PRIVACY", "RIGHT",  "ROLLUP",
    "SELECT",  "SET",     "SIMILAR",   "THEN",     "TO",        "TRUE",    "UNION",  "UNIT",
    "USING",   "VALUES",  "WHEN",      "WHERE",    "WINDOW",    "WITH"};

std::string Lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

bool IsKeyword(std::string_view word) {
  const std::string lower = Lower(word);
  return std::any_of(kKeywords.begin(), kKeywords.end(),
                     [&](std::string_view keyword) { return Lower(keyword) == lower; });
}

// As it must be written: in quotes where the bare word would mean another name, or none.
std::string Written(const std::string& name) {
  const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return (std::isalnum(c) != 0 && std::isupper(c) == 0) || c == '_' || c >= 0x80;
  });
  const bool digit_first = !name.empty() && std::isdigit(static_cast<unsigned char>(name[0])) != 0;
  if (plain && !name.empty() && !digit_first && !IsKeyword(name)) return name;
  std::string quoted = "\"";
  for (const char c : name) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

// The name that a word or a quoted name means, in lower case; quotes may be missing at its end.
std::string Meant(std::string_view text) {
  if (text.starts_with('"')) text.remove_prefix(1);
  if (text.ends_with('"')) text.remove_suffix(1);
  return Lower(text);
}

bool IsName(const Token& token) {
  return token.kind == TokenKind::kWord || token.kind == TokenKind::kQuotedName;
}

// Tokens without white space and comments.
std::vector<Token> Words(std::string_view text) {
  std::vector<Token> tokens = Tokenize(text);
  std::erase_if(tokens, [](const Token& token) {
    return token.kind == TokenKind::kSpace || token.kind == TokenKind::kComment;
  });
  return tokens;
}

// The word under the cursor, what was written before it, and the statement as a whole.
struct Place {
  std::string typed;             // of the last name, as written
  std::string qualifier;         // before its dot, in lower case
  std::vector<Token> earlier;    // before the word
  std::vector<Token> statement;  // with what comes after the cursor
};

std::string LastWord(const std::vector<Token>& tokens) {
  return tokens.empty() ? "" : Lower(tokens.back().text);
}

Place FindPlace(const std::vector<Token>& before, std::string_view after) {
  Place place;
  std::size_t end = before.size();
  if (end > 0 && IsName(before[end - 1])) place.typed = std::string(before[--end].text);
  const bool dotted = end > 1 && before[end - 1].text == "." && IsName(before[end - 2]);
  if (dotted) {
    place.qualifier = Meant(before[end - 2].text);
    end -= 2;
  }
  const auto blank = [](const Token& token) {
    return token.kind == TokenKind::kSpace || token.kind == TokenKind::kComment;
  };
  std::copy_if(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(end),
               std::back_inserter(place.earlier), [&](const Token& t) { return !blank(t); });
  place.statement = place.earlier;
  const std::vector<Token> rest = Words(after);
  place.statement.insert(place.statement.end(), rest.begin(), rest.end());
  return place;
}

// The tables that a statement names, or the one of an alias.
std::vector<const TableInfo*> NamedTables(const Place& place, const Vocabulary& vocabulary) {
  std::vector<const TableInfo*> named;
  const std::vector<Token>& tokens = place.statement;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!IsName(tokens[i])) continue;
    const std::string name = Meant(tokens[i].text);
    const auto table =
        std::find_if(vocabulary.tables.begin(), vocabulary.tables.end(),
                     [&](const TableInfo& candidate) { return Lower(candidate.name) == name; });
    if (table == vocabulary.tables.end()) continue;
    std::size_t alias = i + 1;
    if (alias < tokens.size() && Lower(tokens[alias].text) == "as") ++alias;
    const bool has_alias =
        alias < tokens.size() && IsName(tokens[alias]) && !IsKeyword(tokens[alias].text);
    const std::string known = has_alias ? Meant(tokens[alias].text) : name;
    if (place.qualifier.empty() || place.qualifier == known || place.qualifier == name) {
      named.push_back(&*table);
    }
  }
  return named;
}

// Collects the candidates that go on from what was typed.
class Candidates {
 public:
  explicit Candidates(std::string_view typed) : typed_(typed), meant_(Meant(typed)) {}

  void AddName(const std::string& name) {
    if (Lower(name).starts_with(meant_)) found_.insert(Written(name));
  }
  void AddWord(const std::string& word) {
    if (Lower(word).starts_with(Lower(typed_))) found_.insert(word);
  }
  // In the case in which it was begun.
  void AddKeyword(std::string_view keyword) {
    const bool lower = std::any_of(typed_.begin(), typed_.end(),
                                   [](unsigned char c) { return std::islower(c) != 0; });
    AddWord(lower ? Lower(keyword) : std::string(keyword));
  }
  void AddColumns(const TableInfo& table) {
    for (const ColumnInfo& column : table.columns) AddName(column.name);
  }

  std::vector<std::string> Sorted() const { return {found_.begin(), found_.end()}; }

 private:
  std::string typed_;
  std::string meant_;
  std::set<std::string> found_;
};

void AddAnything(const Place& place, const Vocabulary& vocabulary, Candidates& candidates) {
  const std::vector<const TableInfo*> named = NamedTables(place, vocabulary);
  for (const TableInfo* table : named) candidates.AddColumns(*table);
  for (const TableInfo& table : vocabulary.tables) {
    if (named.empty()) candidates.AddColumns(table);
    candidates.AddName(table.name);
  }
  for (const std::string& function : vocabulary.functions) candidates.AddWord(function + "(");
  for (const std::string_view keyword : kKeywords) candidates.AddKeyword(keyword);
}

Completion CompleteSql(std::string_view before, std::string_view after,
                       const Vocabulary& vocabulary) {
  const std::vector<Token> tokens = Tokenize(before);
  const bool in_name = !tokens.empty() && tokens.back().kind == TokenKind::kQuotedName;
  if (!tokens.empty() && tokens.back().open && !in_name) return {};
  const Place place = FindPlace(tokens, after);
  Completion completion{.replaced = place.typed.size(), .candidates = {}};
  const std::string previous = LastWord(place.earlier);
  Candidates candidates(place.typed);
  const bool setting = place.qualifier == "dp" || (place.qualifier.empty() && previous == "set");
  if (setting) {
    const std::size_t skipped = place.qualifier.empty() ? 0 : std::string_view("dp.").size();
    for (const std::string& name : vocabulary.settings) candidates.AddWord(name.substr(skipped));
  } else if (!place.qualifier.empty()) {
    for (const TableInfo* table : NamedTables(place, vocabulary)) candidates.AddColumns(*table);
  } else if (previous == "from" || previous == "join") {
    for (const TableInfo& table : vocabulary.tables) candidates.AddName(table.name);
  } else if (!place.typed.empty()) {
    AddAnything(place, vocabulary, candidates);
  }
  completion.candidates = candidates.Sorted();
  return completion;
}

// `.schema cus`: the command, or what it is about.
Completion CompleteCommand(std::string_view line, const Vocabulary& vocabulary) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos) {
    Candidates commands(line);
    for (const std::string& command : vocabulary.commands) commands.AddWord(command);
    return {.replaced = line.size(), .candidates = commands.Sorted()};
  }
  const std::string_view command = line.substr(0, space);
  std::string_view typed = line.substr(space);
  typed.remove_prefix(std::min(typed.find_first_not_of(' '), typed.size()));
  if (command == ".explain") return CompleteSql(typed, "", vocabulary);
  Candidates candidates(typed);
  if (command == ".schema" || command == "\\d") {
    for (const TableInfo& table : vocabulary.tables) candidates.AddWord(table.name);
  } else if (command == ".mode") {
    for (const std::string& format : vocabulary.formats) candidates.AddWord(format);
  } else if (command == ".timer") {
    for (const char* choice : {"on", "off"}) candidates.AddWord(choice);
  }
  return {.replaced = typed.size(), .candidates = candidates.Sorted()};
}

}  // namespace

Completion Complete(std::string_view before, std::string_view after, const Vocabulary& vocabulary) {
  return IsCommandLine(before) ? CompleteCommand(before, vocabulary)
                               : CompleteSql(before, after, vocabulary);
}

}  // namespace dpsql::cli

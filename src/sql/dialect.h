#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace dpsql {

// The schema of the tables in the trees that we lower; each database has its own name for it.
inline constexpr std::string_view kTablesSchema = "main";

// Who searches for a regular expression; see sql/regex.h.
enum class RegexStyle {
  kAsWritten,   // the database, which reads all of them as we mean them
  kOwn,         // a function of ours, which knows the cases of some letters
  kPostgreSql,  // PostgreSQL, which gets another text, with the same letters' cases
  kJava,        // Java, which gets another text and not all of them
};

// How names, strings and patterns are written, a quote inside is doubled; and what is asked of the
// database.
struct DialectTraits {
  char identifier_quote = '"';
  bool backslash_escapes = false;                  // a backslash in a string escapes, itself too
  std::string_view tables_schema = kTablesSchema;  // empty: a table's name stands alone
  // UNION and its like stand between whole queries in brackets; else a query that stands there
  // reads from one, and INTERSECT and EXCEPT have no ALL.
  bool set_brackets = true;
  // What joins without a condition; some databases read CROSS JOIN as an order of reading.
  std::string_view cross_join = "CROSS JOIN ";
  RegexStyle regexes = RegexStyle::kAsWritten;
  bool group_frames = true;      // GROUPS BETWEEN … in a window
  std::size_t most_columns = 0;  // of one SELECT; 0: as many as a statement has room for
  // It bounds units itself and gives groups (backend/lower_groups.h); else it gives cells of units.
  bool gives_groups = false;
  bool enforces_keys = true;  // a PRIMARY KEY or UNIQUE there holds for every row
};

// Behind the name of a function: its arguments are such that it needs no guard against overflow and
// NaN. A dialect without a form of that name uses the guarded one.
inline constexpr std::string_view kUnguarded = " unguarded";

// How one database spells what the printer writes. One static instance per database.
class Dialect {
 public:
  // A function or operator by our name, and its text: $1, $2 … stand for the printed arguments,
  // `$*` for all of them joined by commas. A name may stand several times, for different numbers
  // of arguments: "-" is `(- $1)` and `($1 - $2)`.
  struct Function {
    std::string_view name;
    std::string_view text;
  };

  // A type by the grammar's name ("int8") and its text; a modifier list such as (12,2) follows the
  // text where the tree has one.
  struct Type {
    std::string_view name;
    std::string_view text;
  };

  // A function by our name that this database cannot do as we mean it, for every value, and why.
  struct Refusal {
    std::string_view name;
    std::string_view reason;
  };

  constexpr Dialect(std::string_view name, std::span<const Function> functions,
                    std::span<const Type> types, std::span<const Refusal> refusals = {},
                    DialectTraits traits = {})
      : name_(name), functions_(functions), types_(types), refusals_(refusals), traits_(traits) {}

  std::string_view name() const { return name_; }

  // What stands for kTablesSchema.
  std::string_view tables_schema() const { return traits_.tables_schema; }

  bool set_brackets() const { return traits_.set_brackets; }
  std::string_view cross_join() const { return traits_.cross_join; }
  RegexStyle regexes() const { return traits_.regexes; }
  bool group_frames() const { return traits_.group_frames; }
  std::size_t most_columns() const { return traits_.most_columns; }
  bool gives_groups() const { return traits_.gives_groups; }
  bool enforces_keys() const { return traits_.enforces_keys; }

  // The text of a function that takes so many arguments, or an empty view where this database has
  // none. A text with `$*` takes any number that no other entry of its name takes.
  std::string_view FindFunction(std::string_view function, std::size_t arguments) const;

  // Why this database cannot do a function, or an empty view.
  std::string_view FindRefusal(std::string_view function) const;

  // The text of a type, or an empty view.
  std::string_view FindType(std::string_view type) const;

  std::string QuoteIdentifier(std::string_view identifier) const;
  std::string QuoteString(std::string_view text) const;

 private:
  std::string_view name_;
  std::span<const Function> functions_;
  std::span<const Type> types_;
  std::span<const Refusal> refusals_;
  DialectTraits traits_;
};

const Dialect& DuckDbDialect();
const Dialect& PostgreSqlDialect();
const Dialect& SqliteDialect();
const Dialect& SparkDialect();

// All of them, in this order.
std::span<const Dialect* const> AllDialects();

}  // namespace dpsql

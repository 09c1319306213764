#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace dpsql {

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

  constexpr Dialect(std::string_view name, std::span<const Function> functions,
                    std::span<const Type> types)
      : name_(name), functions_(functions), types_(types) {}

  std::string_view name() const { return name_; }

  // The text of a function that takes so many arguments, or an empty view where this database has
  // none. A text with `$*` takes any number that no other entry of its name takes.
  std::string_view FindFunction(std::string_view function, std::size_t arguments) const;

  // The text of a type, or an empty view.
  std::string_view FindType(std::string_view type) const;

  std::string QuoteIdentifier(std::string_view identifier) const;
  std::string QuoteString(std::string_view text) const;

 private:
  std::string_view name_;
  std::span<const Function> functions_;
  std::span<const Type> types_;
};

const Dialect& DuckDbDialect();

}  // namespace dpsql

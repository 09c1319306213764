#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dpsql/parameters.h"
#include "dpsql/result.h"
#include "sql/ast.h"

namespace dpsql {

class Tokens;

// One $name of a text and the value that it stands for.
struct ParameterUse {
  SourceSpan span;
  std::string name;
  Parameter value;

  // The literal that the value is, with the span of `$name`.
  ast::Expr Literal() const;

  // What the grammar sees in its place: as long as `$name` is.
  std::string Blanked() const;

  // What an option or a setting reads in its place.
  std::string SettingText() const;
};

// PostgreSQL numbers its parameters; ours have names. The grammar sees `$low` as `$000`, as long as
// it was, so that all offsets stay, and the tree reader asks here what stood at a place. Values are
// never part of a text that any grammar sees.
class ParameterUses {
 public:
  // Finds each dollar sign with a name directly behind it, outside of strings, quoted names and
  // comments, as PostgreSQL's scanner sees them; `$tag$ … $tag$` is a string.
  // Ensures: each use has a value, and each value is one of its type; together they are no longer
  // than a statement may be.
  static Result<ParameterUses> Find(const Tokens& tokens, const Parameters& parameters);

  bool empty() const { return uses_.empty(); }

  // The use that begins at a byte; null where there is none.
  const ParameterUse* At(std::uint32_t begin) const;

  // The text that the grammar sees, of the same length.
  std::string Blank(std::string sql) const;

  // A syntax error at a parameter, told with its name instead of what the grammar saw.
  Error Restore(Error error) const;

 private:
  std::vector<ParameterUse> uses_;  // in the order of the text
};

}  // namespace dpsql

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dpsql/result.h"

namespace dpsql {

class Tokens;

// What PostgreSQL's grammar answers: a scalar, a list, or an object whose children have keys.
// Values that are zero, false or empty are absent, and so is every negative integer constant (a
// defect of the library): numbers are read from the tokens.
struct GrammarNode {
  enum class Kind { kNone, kBool, kInteger, kText, kList, kObject };

  Kind kind = Kind::kNone;
  std::string_view key;  // the name by which the parent holds it
  std::int64_t integer = 0;
  std::string_view text;
  std::vector<GrammarNode> children;

  const GrammarNode* Find(std::string_view name) const;
  std::string_view Text(std::string_view name) const;
  std::int64_t Integer(std::string_view name) const;
  bool Bool(std::string_view name) const;
  // The items of a list by name; none where it is absent.
  const std::vector<GrammarNode>& List(std::string_view name) const;
};

struct GrammarTree {
  GrammarNode root;
  std::shared_ptr<const void> memory;  // of the texts to which the nodes point
};

// Runs the grammar over a text and reads its answer, no deeper than kMaxTreeDepth.
// Requires: `tokens` are those of `sql` and passed CheckTokens; enough stack for the grammar.
Result<GrammarTree> RunGrammar(const std::string& sql, const Tokens& tokens);

}  // namespace dpsql

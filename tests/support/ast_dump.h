#pragma once

#include <string>
#include <vector>

#include "sql/ast.h"

namespace dpsql {

// A tree as one line of brackets, without spans: two trees are the same iff their dumps are.
std::string Dump(const ast::Expr& expr);
std::string Dump(const ast::Select& select);
std::string Dump(const ast::Statement& statement);

// One construct of a tree, the place it claims, and its dump.
struct Place {
  std::string kind;  // "Expr", "From", "Select", "Cte", "Window", "Group", "Type", "Name"
  SourceSpan span;
  int depth = 0;
  std::string dump;
};

// Every construct with a span, an outer one before those inside it.
std::vector<Place> Places(const ast::Statement& statement);

}  // namespace dpsql

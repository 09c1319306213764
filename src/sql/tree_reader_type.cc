#include <charconv>
#include <memory>
#include <utility>

#include "base/check.h"
#include "base/error_codes.h"
#include "base/try.h"
#include "sql/spans.h"
#include "sql/tree_reader.h"

namespace dpsql {

// Three spellings: `x::t` points at the colons, `CAST(x AS t)` at its first word, and `t 'x'`
// nowhere. A cast that the grammar adds has no type in the text either.
Result<ast::Expr> TreeReader::ReadCast(const GrammarNode& body) {
  TRY_DONE(Allow(body, {"arg", "typeName", "location"}));
  ast::Cast cast;
  TRY(cast.operand, ReadExprPtr(*body.Find("arg")));
  const GrammarNode& type = *body.Find("typeName");
  TRY(cast.type, ReadType(type));
  const SourceSpan operand = cast.operand->span;
  const std::size_t at = TokenOf(body);
  const std::size_t type_first = TokenOf(type);
  ast::Expr expr;
  if (type_first == Tokens::kNone) {
    expr.span = operand;
    cast.type.span = operand;
  } else if (at == Tokens::kNone) {
    const std::size_t value = FirstToken(tokens_, operand);
    cast.type.span = tokens_.SpanOf(type_first, value - 1);
    const bool units = cast.type.name == "interval" && !cast.type.modifiers.empty();
    const std::size_t last = units ? EndOfIntervalUnits(tokens_, value) : value;
    expr.span = tokens_.SpanOf(type_first, last);
  } else if (tokens_.Is(at, "::")) {
    cast.type.span = tokens_.SpanOf(type_first, EndOfType(tokens_, type_first));
    expr.span = {WithBrackets(tokens_, operand).begin, cast.type.span.end};
  } else {
    const std::size_t close = tokens_.Partner(at + 1);
    cast.type.span = tokens_.SpanOf(type_first, close - 1);
    expr.span = tokens_.SpanOf(at, close);
  }
  expr.node = std::move(cast);
  return expr;
}

Result<ast::TypeName> TreeReader::ReadType(const GrammarNode& body) {
  TRY_DONE(Allow(body, {"names", "typmods", "typemod", "arrayBounds", "location"}));
  TRY(std::vector<std::string> names, ReadNames(body.List("names")));
  const bool built_in = names.size() == 2 && names[0] == "pg_catalog";
  if (names.size() != 1 && !built_in) return Unsupported("a type of a schema", here_);
  if (body.List("arrayBounds").size() > 1) return Unsupported("an array of arrays", here_);
  ast::TypeName type;
  type.name = std::move(names.back());
  type.array = !body.List("arrayBounds").empty();
  for (const GrammarNode& item : body.List("typmods")) {
    TRY(const std::int64_t modifier, ReadModifier(item));
    type.modifiers.push_back(modifier);
  }
  return type;
}

// numeric(12, 2) holds numbers of the text; INTERVAL '1' DAY a mask that the grammar made.
Result<std::int64_t> TreeReader::ReadModifier(const GrammarNode& wrapper) const {
  const GrammarNode& body = Unwrap(wrapper);
  if (body.key != "A_Const" || body.Find("ival") == nullptr) {
    return Unsupported("this modifier of a type", here_);
  }
  const std::size_t at = TokenOf(body);
  const bool typed =
      at != Tokens::kNone && (tokens_[at].kind == TokenKind::kNumber || tokens_.Is(at, "-"));
  if (!typed) return body.Find("ival")->Integer("ival");
  std::size_t last = at;
  const std::string text = NumberAt(at, last);
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  Check(failure == std::errc() && end == text.data() + text.size(), "a modifier is an integer");
  return value;
}

}  // namespace dpsql

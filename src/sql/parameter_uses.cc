#include "sql/parameter_uses.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "base/error_codes.h"
#include "base/suggest.h"
#include "base/try.h"
#include "sql/limits.h"
#include "sql/tokens.h"

namespace dpsql {
namespace {

// Whether a name without quotes, or a keyword, stands directly behind the dollar sign at `i`.
bool IsUse(const Tokens& tokens, std::size_t i) {
  if (!tokens.Is(i, "$") || i + 1 >= tokens.size()) return false;
  const Token& name = tokens[i + 1];
  const bool plain = name.kind == TokenKind::kName || name.kind == TokenKind::kWord;
  const auto first = static_cast<unsigned char>(tokens.text(i + 1).front());
  const bool letter = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') ||
                      first == '_' || first >= 0x80;
  return plain && letter && name.span.begin == tokens[i].span.end;
}

Error Unknown(const std::string& name, SourceSpan span, const Parameters& parameters) {
  std::vector<std::string> names;
  for (const auto& [known, value] : parameters) names.push_back(known);
  const auto nearest = Suggest(name, names);
  return MakeError(
      ErrorCode::kUnknownParameter, "parameter $" + name + " has no value", span,
      nearest ? "did you mean  $" + *nearest + " ?" : "give it one:  --param " + name + "=value");
}

ast::Expr Cast(ast::Expr operand, std::string type) {
  ast::Expr expr;
  expr.span = operand.span;
  ast::TypeName name{.name = std::move(type), .modifiers = {}, .array = false, .span = expr.span};
  expr.node = ast::Cast{.operand = std::make_unique<ast::Expr>(std::move(operand)),
                        .type = std::move(name)};
  return expr;
}

// A number without a point would be read as an integer.
std::string WithPoint(const std::string& number) {
  return number.find_first_of(".eE") == std::string::npos ? number + ".0" : number;
}

}  // namespace

ast::Expr ParameterUse::Literal() const {
  ast::Expr expr;
  expr.span = span;
  switch (value.type) {
    case ParameterType::kNull:
      expr.node = ast::Null{};
      break;
    case ParameterType::kBoolean:
      expr.node = ast::Boolean{value.text == "true"};
      break;
    case ParameterType::kInteger:
      expr.node = ast::Number{value.text};
      break;
    case ParameterType::kDecimal:
    case ParameterType::kDouble:
      expr.node = ast::Number{WithPoint(value.text)};
      break;
    default:
      expr.node = ast::String{value.text};
  }
  if (value.type == ParameterType::kDate) return Cast(std::move(expr), "date");
  if (value.type == ParameterType::kTimestamp) return Cast(std::move(expr), "timestamp");
  return expr;
}

std::string ParameterUse::SettingText() const {
  return value.type == ParameterType::kNull ? "null" : value.text;
}

std::string ParameterUse::Blanked() const { return "$" + std::string(name.size(), '0'); }

Result<ParameterUses> ParameterUses::Find(const Tokens& tokens, const Parameters& parameters) {
  ParameterUses found;
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!IsUse(tokens, i)) continue;
    const SourceSpan span = tokens.SpanOf(i, i + 1);
    const std::string name(tokens.text(i + 1));
    const auto value = parameters.find(name);
    if (value == parameters.end()) return Unknown(name, span, parameters);
    if (const Status checked = CheckParameter(name, value->second); !checked) {
      Error error = checked.error();
      error.span = span;
      return error;
    }
    // A short text could otherwise say a long value thousands of times.
    bytes += value->second.text.size();
    if (bytes > kMaxTextBytes) {
      return MakeError(
          ErrorCode::kTooLarge,
          "values of parameters are longer than " + std::to_string(kMaxTextBytes) + " bytes in all",
          span);
    }
    found.uses_.push_back({.span = span, .name = name, .value = value->second});
  }
  return found;
}

const ParameterUse* ParameterUses::At(std::uint32_t begin) const {
  const auto at = std::lower_bound(
      uses_.begin(), uses_.end(), begin,
      [](const ParameterUse& use, std::uint32_t byte) { return use.span.begin < byte; });
  return at != uses_.end() && at->span.begin == begin ? &*at : nullptr;
}

std::string ParameterUses::Blank(std::string sql) const {
  for (const ParameterUse& use : uses_) {
    sql.replace(use.span.begin, use.span.end - use.span.begin, use.Blanked());
  }
  return sql;
}

Error ParameterUses::Restore(Error error) const {
  const ParameterUse* use = error.span.empty() ? nullptr : At(error.span.begin);
  if (use == nullptr || error.code != CodeOf(ErrorCode::kSyntax)) return error;
  const auto near = [](const std::string& text) {
    return "syntax error at or near \"" + text + "\"";
  };
  if (error.message != near(use->Blanked())) return error;  // an open end is shown here, too
  error.message = near("$" + use->name);
  if (error.hint.empty()) error.hint = "a parameter is a value, never a name, a type or a keyword";
  return error;
}

}  // namespace dpsql

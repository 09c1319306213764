#include "validate/literals.h"

#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <regex>
#include <utility>

#include "base/error_codes.h"
#include "base/try.h"
#include "validate/interval_literal.h"

namespace dpsql {
namespace {

BoundExprPtr MakeLiteral(Value value, Type type, SourceSpan span) {
  return std::make_shared<const BoundExpr>(BoundExpr{.kind = BoundKind::kLiteral,
                                                     .type = std::move(type),
                                                     .nullable = false,
                                                     .span = span,
                                                     .literal = std::move(value)});
}

BoundExprPtr MakeNumber(Value value, Interval interval, const char* type, SourceSpan span) {
  return std::make_shared<const BoundExpr>(BoundExpr{.kind = BoundKind::kLiteral,
                                                     .type = ParseType(type),
                                                     .nullable = false,
                                                     .interval = interval,
                                                     .interval_origin = "literal",
                                                     .span = span,
                                                     .literal = std::move(value)});
}

bool IsDate(const std::string& text) {
  static const std::regex kPattern(R"((\d{4})-(\d{2})-(\d{2}))");
  std::smatch part;
  if (!std::regex_match(text, part, kPattern)) return false;
  // PostgreSQL has no year 0, which DuckDB reads as 1 BC.
  if (part[1] == "0000") return false;
  return std::chrono::year_month_day(std::chrono::year(std::stoi(part[1])),
                                     std::chrono::month(static_cast<unsigned>(std::stoi(part[2]))),
                                     std::chrono::day(static_cast<unsigned>(std::stoi(part[3]))))
      .ok();
}

bool IsTimestamp(const std::string& text) {
  static const std::regex kPattern(
      R"((\d{4}-\d{2}-\d{2})( ([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?)?)");
  std::smatch part;
  return std::regex_match(text, part, kPattern) && IsDate(part[1]);
}

bool IsUuid(const std::string& text) {
  static const std::regex kPattern(R"([0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})");
  return std::regex_match(text, kPattern);
}

}  // namespace

BoundExprPtr BooleanLiteral(bool value, SourceSpan span) {
  return MakeLiteral(value, ParseType("BOOLEAN"), span);
}

BoundExprPtr TextLiteral(std::string value, SourceSpan span) {
  return MakeLiteral(std::move(value), ParseType("VARCHAR"), span);
}

Result<BoundExprPtr> NumberLiteral(const std::string& text, SourceSpan span) {
  const char* const end = text.data() + text.size();
  std::int64_t whole = 0;
  if (const auto [stop, error] = std::from_chars(text.data(), end, whole);
      error == std::errc() && stop == end) {
    return WholeLiteral(whole, span);
  }
  double number = 0;
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end || !std::isfinite(number)) {
    return MakeError(ErrorCode::kTypeMismatch, "this number cannot be read", span,
                     "write a number such as 12, 0.5 or 1e6");
  }
  return RealLiteral(number, span);
}

BoundExprPtr WholeLiteral(std::int64_t value, SourceSpan span) {
  const auto number = static_cast<double>(value);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  Interval interval{number, number};
  // Beyond 2^53 the literal lies beside the double that is nearest to it.
  if (value > kExact || value < -kExact) {
    interval = {std::nextafter(number, -kInfinity), std::nextafter(number, kInfinity)};
  }
  return MakeNumber(value, interval, "BIGINT", span);
}

BoundExprPtr RealLiteral(double value, SourceSpan span) {
  return MakeNumber(value, Interval{value, value}, "DOUBLE", span);
}

Result<BoundExprPtr> TypedLiteral(const std::string& text, const Type& type, SourceSpan span) {
  if (type.family == TypeFamily::kDate && IsDate(text)) return MakeLiteral(text, type, span);
  if (type.family == TypeFamily::kTimestamp && IsTimestamp(text)) {
    return MakeLiteral(text, type, span);
  }
  if (type.family == TypeFamily::kUuid && IsUuid(text)) return MakeLiteral(text, type, span);
  if (type.family == TypeFamily::kInterval) return IntervalLiteral(text, {}, span);
  return MakeError(ErrorCode::kTypeMismatch, "this literal is not a " + type.name, span,
                   "write  'YYYY-MM-DD'  for a date and  'YYYY-MM-DD HH:MM:SS'  for a timestamp");
}

Result<BoundExprPtr> IntervalLiteral(const std::string& text, const ast::TypeName& type,
                                     SourceSpan span) {
  const std::int64_t mask = type.modifiers.empty() ? 0 : type.modifiers[0];
  const std::optional<std::string> value = ReadInterval(text, mask);
  if (value) return MakeLiteral(*value, ParseType("INTERVAL"), span);
  return MakeError(ErrorCode::kTypeMismatch, "this literal is not an INTERVAL", span,
                   "write  INTERVAL '1 year 2 months 3 days 4 hours 5 minutes 6.5 seconds'  or a "
                   "part of it");
}

BoundExprPtr NullLiteral(const Type& type, SourceSpan span) {
  return std::make_shared<const BoundExpr>(
      BoundExpr{.kind = BoundKind::kLiteral, .type = type, .nullable = true, .span = span});
}

bool IsUntypedNull(const BoundExpr& expr) {
  return expr.kind == BoundKind::kLiteral && expr.type.name.empty();
}

bool IsTextLiteral(const BoundExpr& expr) {
  return expr.kind == BoundKind::kLiteral && expr.type.family == TypeFamily::kText &&
         std::holds_alternative<std::string>(expr.literal);
}

Result<BoundExprPtr> ConvertLiteral(BoundExprPtr expr, const Type& type) {
  if (IsUntypedNull(*expr)) return NullLiteral(type, expr->span);
  const bool readable = type.family == TypeFamily::kDate || type.family == TypeFamily::kTimestamp ||
                        type.family == TypeFamily::kUuid || type.family == TypeFamily::kInterval;
  if (!IsTextLiteral(*expr) || !readable) return expr;
  return TypedLiteral(std::get<std::string>(expr->literal), type, expr->span);
}

}  // namespace dpsql

#include "backend/magnitude.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>
#include <variant>

namespace dpsql {
namespace {

// Far below the largest DOUBLE, so that the roundings of a formula do not matter.
constexpr double kFarFromInfinity = 1e300;
constexpr double kWholeEnd = 9223372036854775808.0;  // 2^63

double SizeOfWhole(std::string_view type) {
  constexpr std::array<std::pair<std::string_view, double>, 6> kNarrow = {{
      {"TINYINT", 128.0},
      {"SMALLINT", 32768.0},
      {"INTEGER", 2147483648.0},
      {"UTINYINT", 255.0},
      {"USMALLINT", 65535.0},
      {"UINTEGER", 4294967295.0},
  }};
  for (const auto& [name, size] : kNarrow) {
    if (name == type) return size;
  }
  return type == "BIGINT" ? kWholeEnd : std::ldexp(1.0, 128);  // HUGEINT and its like
}

std::optional<double> SizeOfType(const Type& type) {
  if (type.family == TypeFamily::kInteger) return SizeOfWhole(type.name);
  if (type.family != TypeFamily::kDecimal) return std::nullopt;
  const std::optional<DecimalDigits> digits = DigitsOf(type);
  if (!digits) return std::nullopt;
  return std::pow(10.0, digits->precision - digits->scale);
}

std::optional<double> SizeOfLiteral(const Value& literal) {
  if (std::holds_alternative<std::monostate>(literal)) return 0;
  if (const auto* whole = std::get_if<std::int64_t>(&literal)) {
    return std::abs(static_cast<double>(*whole));
  }
  const auto* real = std::get_if<double>(&literal);
  if (real == nullptr || !std::isfinite(*real)) return std::nullopt;
  return std::abs(*real);
}

std::optional<double> NumberOf(const BoundExpr& expr) {
  if (expr.kind != BoundKind::kLiteral) return std::nullopt;
  if (std::holds_alternative<std::monostate>(expr.literal)) return std::nullopt;
  return SizeOfLiteral(expr.literal);
}

// Of + - * on numbers, and of / by a literal that is not 0.
std::optional<double> SizeOfArithmetic(const BoundExpr& call) {
  if (call.arguments.size() != 2) return std::nullopt;
  const std::optional<double> left = MostSize(*call.arguments[0]);
  const std::optional<double> right = MostSize(*call.arguments[1]);
  if (!left || !right) return std::nullopt;
  const std::string_view key = call.overload->key;
  if (key == "+" || key == "-" || key == "+ real" || key == "- real") return *left + *right;
  if (key == "*" || key == "* real") return *left * *right;
  if (key != "/ real") return std::nullopt;
  const std::optional<double> divisor = NumberOf(*call.arguments[1]);
  if (!divisor || *divisor == 0) return std::nullopt;
  return *left / *divisor;
}

}  // namespace

std::optional<double> MostSize(const BoundExpr& expr) {
  if (expr.kind == BoundKind::kLiteral) return SizeOfLiteral(expr.literal);
  if (expr.kind == BoundKind::kCall && expr.overload != nullptr) {
    const std::optional<double> size = SizeOfArithmetic(expr);
    const bool whole = expr.type.family == TypeFamily::kInteger;
    // A whole result that does not fit is NULL.
    if (whole) return std::min(size.value_or(kWholeEnd), kWholeEnd);
    if (size && *size < kFarFromInfinity) return size;
    return std::nullopt;
  }
  return expr.kind == BoundKind::kColumn ? SizeOfType(expr.type) : std::nullopt;
}

bool IsHarmless(const BoundExpr& call) {
  const std::optional<double> size = SizeOfArithmetic(call);
  if (!size) return false;
  // Sizes are computed with rounding: a whole result keeps a distance from the end of its type.
  const bool whole = call.type.family == TypeFamily::kInteger;
  return *size < (whole ? 0.99 * kWholeEnd : kFarFromInfinity);
}

}  // namespace dpsql

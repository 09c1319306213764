#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dpsql {

// What a type can be used for. Exact families compare and group without rounding.
enum class TypeFamily {
  kBoolean,
  kInteger,  // fits in 64 signed bits
  kDecimal,  // DECIMAL, HUGEINT, UBIGINT: exact, but wider than a machine integer
  kFloat,
  kText,
  kUuid,
  kDate,
  kTimestamp,
  kInterval,  // 1 month and 30 days are equal and yet two values: never a key
  kOther
};

struct Type {
  TypeFamily family = TypeFamily::kOther;
  std::string name;  // as the database spells it: "DECIMAL(15,2)"

  bool is_numeric() const {
    return family == TypeFamily::kInteger || family == TypeFamily::kDecimal ||
           family == TypeFamily::kFloat;
  }
  friend bool operator==(const Type&, const Type&) = default;
};

// The type with this whole SQL name, in any case; family kOther where we do not know it. A name
// that merely starts like a known one is unknown: what we take for a number must be one, or a cast
// could fail on a row. Of such a type nothing in brackets is kept.
Type ParseType(std::string_view name);

// Whether columns with this name have one type. Of most that are none of ours what stands in
// brackets is lost: STRUCT(a DATE) and STRUCT(a TIMESTAMP) are both STRUCT here, and where they
// meet the database casts each row, which one row can make fail.
bool IsWholeName(const Type& type);

// The digits of DECIMAL(p,s): how many there are, and how many of them are behind the point.
struct DecimalDigits {
  int precision = 0;
  int scale = 0;
};
std::optional<DecimalDigits> DigitsOf(const Type& type);

}  // namespace dpsql

#include "random/expression.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace dpsql {
namespace {

bool IsNumber(Kind kind) {
  return kind == Kind::kWhole || kind == Kind::kDecimal || kind == Kind::kDouble;
}

// Both texts at once: f applied to the operands' asked and to their plain texts.
template <typename Write>
Expression Both(Kind kind, const Expression& x, const Expression& y, Write write) {
  return {.asked = write(x.asked, y.asked), .plain = write(x.plain, y.plain), .kind = kind};
}

std::string Call(std::string_view function, const std::string& arguments) {
  return std::string(function) + "(" + arguments + ")";
}

struct Operator {
  const char* sign;
  const char* plain;
};
constexpr auto kWholeOperators = std::to_array<Operator>({{" + ", "whole_add"},
                                                          {" - ", "whole_subtract"},
                                                          {" * ", "whole_multiply"},
                                                          {" / ", "whole_divide"},
                                                          {" % ", "whole_modulo"}});
constexpr auto kComparisons = std::to_array<const char*>(
    {" = ", " <> ", " < ", " <= ", " > ", " >= ", " IS DISTINCT FROM ", " IS NOT DISTINCT FROM "});

}  // namespace

std::vector<std::string> ConjunctsOf(const Expression& condition) {
  if (condition.conjuncts.empty()) return {condition.plain};
  return condition.conjuncts;
}

Expression And(const Expression& x, const Expression& y) {
  Expression both{.asked = x.asked + " AND " + y.asked,
                  .plain = x.plain + " AND " + y.plain,
                  .kind = Kind::kTruth,
                  .conjuncts = ConjunctsOf(x)};
  for (const std::string& more : ConjunctsOf(y)) both.conjuncts.push_back(more);
  return both;
}

std::string AsDouble(const Expression& number) {
  return number.kind == Kind::kDouble ? number.plain : "CAST(" + number.plain + " AS DOUBLE)";
}

std::string NumberText(double number) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.15g", number);
  return number < 0 ? "(" + std::string(text.data()) + ")" : text.data();
}

const Expression* ExpressionMaker::Column(Kind kind) {
  std::vector<const Expression*> fitting;
  for (const Expression& column : columns_) {
    if (column.kind == kind) fitting.push_back(&column);
  }
  return fitting.empty() ? nullptr : dice_.Pick(fitting);
}

Expression ExpressionMaker::Leaf(Kind kind) {
  const Expression* column = dice_.In16(3) ? nullptr : Column(kind);
  return column != nullptr ? *column : Literal(kind);
}

Expression ExpressionMaker::Literal(Kind kind) {
  static constexpr std::array kWholes = {"0", "1", "2", "3", "10", "(-1)", "9223372036854775807"};
  static constexpr std::array kNumbers = {"0.5", "2.5", "1e3", "(-0.25)", "0.0"};
  static constexpr std::array kTexts = {"'a'", "'rome'", "''", "'\u00e9'", "'it''s'"};
  static constexpr std::array kDates = {"DATE '2000-01-01'", "DATE '2024-02-29'"};
  static constexpr std::array kTruths = {"TRUE", "FALSE"};
  std::string text;
  switch (kind) {
    case Kind::kWhole:
      text = dice_.Pick(kWholes);
      break;
    case Kind::kText:
      text = dice_.Pick(kTexts);
      break;
    case Kind::kDate:
      text = dice_.Pick(kDates);
      break;
    case Kind::kTruth:
      text = dice_.Pick(kTruths);
      break;
    default:
      text = dice_.Pick(kNumbers);
  }
  const bool number = kind == Kind::kDecimal || kind == Kind::kDouble;
  return {.asked = text,
          .plain = number ? "CAST(" + text + " AS DOUBLE)" : text,
          .kind = number ? Kind::kDouble : kind};
}

Expression ExpressionMaker::OfKind(Kind kind, int depth) {
  switch (kind) {
    case Kind::kWhole:
      return Whole(depth);
    case Kind::kText:
      return Text(depth);
    case Kind::kTruth:
      return Condition(depth);
    case Kind::kDate:
      return Leaf(kind);
    default:
      return Double(depth);
  }
}

// What is written alike in both.
Expression ExpressionMaker::Chosen(Kind kind) {
  const Expression x = OfKind(kind, 0);
  const Expression y = OfKind(kind, 0);
  const Expression when = Comparison(0);
  switch (dice_.Below(5)) {
    case 0:
      return Both(kind, x, y, [](auto& a, auto& b) { return Call("coalesce", a + ", " + b); });
    case 1:
      return Both(kind, x, y, [](auto& a, auto& b) { return Call("nullif", a + ", " + b); });
    case 2:
      return Both(kind, x, y, [](auto& a, auto& b) { return Call("greatest", a + ", " + b); });
    case 3:
      return Both(kind, x, y, [](auto& a, auto& b) { return Call("least", a + ", " + b); });
    default:
      return {.asked = "CASE WHEN " + when.asked + " THEN " + x.asked + " ELSE " + y.asked + " END",
              .plain = "CASE WHEN " + when.plain + " THEN " + x.plain + " ELSE " + y.plain + " END",
              .kind = kind};
  }
}

Expression ExpressionMaker::WholeOperator(int depth) {
  const Operator& sign = dice_.Pick(kWholeOperators);
  const Expression x = Whole(depth);
  const Expression y = Whole(depth);
  return {.asked = "(" + x.asked + sign.sign + y.asked + ")",
          .plain = Call(sign.plain, x.plain + ", " + y.plain),
          .kind = Kind::kWhole};
}

Expression ExpressionMaker::WholeOfOther() {
  static constexpr std::array kParts = {"year", "quarter", "month", "day", "isodow", "doy"};
  if (const Expression* day = Column(Kind::kDate); day != nullptr && dice_.In16(7)) {
    const std::string part = dice_.Pick(kParts);
    return {.asked = "extract(" + part + " FROM " + day->asked + ")",
            .plain = (part == "doy" ? "dayofyear(" : part + "(") + day->plain + ")",
            .kind = Kind::kWhole};
  }
  if (dice_.In16(4)) {
    const Expression x = Whole(1);
    return {.asked = "CAST(" + x.asked + " AS smallint)",
            .plain = "TRY_CAST(" + x.plain + " AS SMALLINT)",
            .kind = Kind::kWhole};
  }
  if (dice_.In16(6)) {
    const Expression x = Double(0);
    return {.asked = "CAST(" + x.asked + " AS bigint)",
            .plain = "TRY_CAST(round(" + x.plain + ") AS BIGINT)",
            .kind = Kind::kWhole};
  }
  if (dice_.In16(5)) {
    const Expression x = Condition(0);
    return Both(Kind::kWhole, x, x, [](auto& a, auto&) { return "CAST(" + a + " AS integer)"; });
  }
  const Expression x = Text(0);
  return Both(Kind::kWhole, x, x, [](auto& a, auto&) { return Call("length", a); });
}

Expression ExpressionMaker::Whole(int depth) {
  if (depth <= 0 || dice_.In16(4)) return Leaf(Kind::kWhole);
  if (dice_.In16(3)) return WholeOfOther();
  if (dice_.In16(3)) return Chosen(Kind::kWhole);
  if (dice_.In16(2)) {
    const Expression x = Whole(depth - 1);
    return {
        .asked = Call("abs", x.asked), .plain = Call("whole_abs", x.plain), .kind = Kind::kWhole};
  }
  return WholeOperator(depth - 1);
}

Expression ExpressionMaker::Double(int depth) {
  if (depth <= 0 || dice_.In16(4)) {
    const Expression leaf = Leaf(dice_.In16(6) ? Kind::kDecimal : Kind::kDouble);
    return {.asked = leaf.asked, .plain = AsDouble(leaf), .kind = Kind::kDouble};
  }
  if (dice_.In16(3)) return Chosen(Kind::kDouble);
  const Expression x = Double(depth - 1);
  if (dice_.In16(6)) {
    static constexpr std::array kFunctions = {"abs", "floor", "ceil", "round", "sign"};
    const std::string function = dice_.Pick(kFunctions);
    return {.asked = Call(function, x.asked),
            .plain = "CAST(" + Call(function, x.plain) + " AS DOUBLE)",
            .kind = Kind::kDouble};
  }
  const Expression y = dice_.In16(5) ? Whole(depth - 1) : Double(depth - 1);
  static constexpr std::array kSigns = {" + ", " - ", " * ", " / "};
  const std::string sign = dice_.Pick(kSigns);
  return {.asked = "(" + x.asked + sign + y.asked + ")",
          .plain = sign == " / " ? Call("number_divide", x.plain + ", " + AsDouble(y))
                                 : Call("no_nan", x.plain + sign + AsDouble(y)),
          .kind = Kind::kDouble};
}

Expression ExpressionMaker::Text(int depth) {
  if (depth <= 0 || dice_.In16(4)) return Leaf(Kind::kText);
  if (dice_.In16(4)) return Chosen(Kind::kText);
  const Expression x = Text(depth - 1);
  const Expression y = dice_.In16(4) ? Whole(0) : Text(0);
  switch (dice_.Below(5)) {
    case 0:
      return Both(Kind::kText, x, x, [](auto& a, auto&) { return Call("lower", a); });
    case 1:
      return Both(Kind::kText, x, x, [](auto& a, auto&) { return Call("upper", a); });
    case 2:
      return Both(Kind::kText, x, x,
                  [](auto& a, auto&) { return Call("substring", a + ", 1, 1"); });
    case 3:
      return Both(Kind::kText, y, y, [](auto& a, auto&) { return "CAST(" + a + " AS text)"; });
    default:
      return Both(Kind::kText, x, y,
                  [](auto& a, auto& b) { return "(" + a + " || CAST(" + b + " AS text))"; });
  }
}

Expression ExpressionMaker::Comparison(int depth) {
  static constexpr std::array kKinds = {Kind::kWhole, Kind::kWhole, Kind::kDouble,
                                        Kind::kText,  Kind::kDate,  Kind::kDecimal};
  const Kind kind = dice_.Pick(kKinds);
  const Expression x = kind == Kind::kDecimal ? Leaf(kind) : OfKind(kind, depth);
  const Expression y = IsNumber(kind) && dice_.In16(4) ? Double(0) : OfKind(kind, 0);
  const std::string sign = dice_.Pick(kComparisons);
  // Numbers of two types are compared as DOUBLE.
  const bool mixed = x.kind != y.kind;
  return {
      .asked = "(" + x.asked + sign + y.asked + ")",
      .plain = "(" + (mixed ? AsDouble(x) + sign + AsDouble(y) : x.plain + sign + y.plain) + ")",
      .kind = Kind::kTruth};
}

Expression ExpressionMaker::Test(int depth) {
  const Expression x = Any();
  const Expression whole = Whole(depth);
  const Expression text = Text(0);
  const Expression truth = Leaf(Kind::kTruth);
  const std::string negated = dice_.In16(6) ? "NOT " : "";
  const auto alike = [](const Expression& of, const std::string& tail) {
    return Both(Kind::kTruth, of, of, [&](auto& a, auto&) { return "(" + a + tail + ")"; });
  };
  switch (dice_.Below(6)) {
    case 0:
      return alike(x, " IS " + negated + "NULL");
    case 1:
      return alike(whole, " " + negated + "IN (0, 1, 3, 10)");
    case 2:
      return alike(whole, " " + negated + "BETWEEN 0 AND 5");
    case 3:
      return alike(text, " " + negated + "LIKE '%a%'");
    case 4:
      return alike(text, " " + negated + "IN ('a', 'rome', '')");
    default:
      return alike(truth, " IS " + negated + "TRUE");
  }
}

Expression ExpressionMaker::Condition(int depth) {
  if (depth <= 0 || dice_.In16(7)) {
    return dice_.In16(8) ? Comparison(std::max(depth, 0)) : Test(std::max(depth, 0));
  }
  const Expression x = Condition(depth - 1);
  const Expression y = Condition(depth - 1);
  const bool all = dice_.In16(8);
  if (dice_.In16(4)) {
    return Both(Kind::kTruth, x, x, [](auto& a, auto&) { return "(NOT " + a + ")"; });
  }
  if (!all) {
    return Both(Kind::kTruth, x, y, [](auto& a, auto& b) { return "(" + a + " OR " + b + ")"; });
  }
  Expression both = And(x, y);
  both.asked = "(" + both.asked + ")";
  both.plain = "(" + both.plain + ")";
  return both;
}

Expression ExpressionMaker::Key() {
  static constexpr std::array kKinds = {Kind::kWhole, Kind::kText,  Kind::kText,
                                        Kind::kDate,  Kind::kTruth, Kind::kDecimal};
  const Kind kind = dice_.Pick(kKinds);
  const Expression* column = Column(kind);
  if (column != nullptr && (kind == Kind::kDecimal || dice_.In16(11))) return *column;
  return kind == Kind::kTruth ? Condition(1) : dice_.In16(8) ? Whole(2) : Text(2);
}

Expression ExpressionMaker::Any() {
  if (dice_.In16(10)) return dice_.Pick(columns_);
  switch (dice_.Below(4)) {
    case 0:
      return Whole(2);
    case 1:
      return Double(2);
    case 2:
      return Text(1);
    default:
      return Condition(0);
  }
}

std::optional<Expression> ExpressionMaker::Bounded() {
  std::vector<const Expression*> fitting;
  for (const Expression& column : columns_) {
    if (column.range) fitting.push_back(&column);
  }
  if (fitting.empty()) return std::nullopt;
  const Expression& x = *dice_.Pick(fitting);
  if (dice_.In16(12)) return x;
  const int factor = dice_.Pick(std::array{2, -1, 3});
  const int shift = dice_.Between(-2, 10);
  const bool whole = x.kind == Kind::kWhole;
  const std::string f = NumberText(factor);
  const std::string s = NumberText(shift);
  const double a = factor * x.range->low + shift;
  const double b = factor * x.range->high + shift;
  return Expression{
      .asked = "(" + f + " * " + x.asked + " + " + s + ")",
      .plain = whole ? "whole_add(whole_multiply(" + f + ", " + x.plain + "), " + s + ")"
                     : "no_nan(" + f + " * " + AsDouble(x) + " + " + s + ")",
      .kind = whole ? Kind::kWhole : Kind::kDouble,
      .range = Range{std::min(a, b), std::max(a, b)}};
}

}  // namespace dpsql

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "random/question.h"

namespace dpsql {
namespace {

class QuestionMaker {
 public:
  QuestionMaker(Dice& dice, const RandomDatabase& database)
      : dice_(dice), relations_(dice, database) {}

  Question Make() {
    question_.relation = relations_.Make();
    if (dice_.In16(6)) question_.where = relations_.Condition(question_.relation);
    if (dice_.In16(6)) AddNarrowing();
    AddKeys();
    // What is computed above a door takes ten times as long as the door.
    above_ = dice_.In16(2);
    for (int i = dice_.Between(1, 3); i > 0; --i) question_.outputs.push_back(MakeOutput());
    if (above_ && !question_.keys.empty()) AddTail();
    return std::move(question_);
  }

 private:
  ExpressionMaker Maker() { return {dice_, question_.relation.columns}; }

  // A condition that tells where a column lies, from which the engine may conclude its bounds. What
  // is counted as a bound otherwise then no longer exists, so the answer must be the same. The
  // column is asked about more often than others.
  void AddNarrowing() {
    const bool counted = dice_.In16(8);  // a whole number lies between two others
    std::vector<Expression> numbers;
    for (const Expression& column : question_.relation.columns) {
      const bool whole = column.kind == Kind::kWhole;
      const bool real = column.kind == Kind::kDecimal || column.kind == Kind::kDouble;
      if (whole || (real && !counted)) numbers.push_back(column);
    }
    if (numbers.empty()) return;
    Expression column = dice_.Pick(numbers);
    const Range range = column.range.value_or(Range{-3, 13});
    const double step = (range.high - range.low) / 8;
    const int first = dice_.Between(0, 6);
    Range part{range.low + step * first, range.low + step * dice_.Between(first + 1, 8)};
    if (dice_.In16(counted ? 12 : 4))
      part = {std::floor(part.low) - 0.5, std::floor(part.high) + 0.5};
    const Expression condition = Narrowing(column, part);
    question_.where = question_.where ? And(condition, *question_.where) : condition;
    for (int i = 0; i < 8; ++i) question_.relation.columns.push_back(column);
  }

  // Gives the column its bounds where the condition alone tells both.
  Expression Narrowing(Expression& column, Range part) {
    static constexpr std::array kSigns = {" < ", " <= ", " > ", " >= ", " = ", " < ", " > "};
    const std::string sign = dice_.Pick(kSigns);
    const std::string low = NumberText(part.low);
    const std::string high = NumberText(part.high);
    const std::string x = column.asked;
    const std::string y = AsDouble(column);
    const auto both = [](const std::string& asked, const std::string& plain) {
      return Expression{.asked = asked, .plain = plain, .kind = Kind::kTruth};
    };
    switch (dice_.Below(5)) {
      case 0:
        return both(low + sign + x, low + sign + y);
      case 1: {
        const std::string list = " IN (" + low + ", " + high + ")";
        if (column.unbounded) column.range = part;
        return both(x + list, y + list);
      }
      case 2: {
        const std::string ends = " BETWEEN " + low + " AND " + high;
        if (column.unbounded) column.range = part;
        return both(x + ends, y + ends);
      }
      default:
        return both(x + sign + high, y + sign + high);
    }
  }

  void AddKeys() {
    constexpr std::array<int, 16> kCounts = {0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 3};
    constexpr std::array kStyles = {GroupStyle::kWritten, GroupStyle::kPlaces, GroupStyle::kNames};
    bool any_literal = false;
    for (int i = dice_.Pick(kCounts); i > 0; --i) {
      question_.keys.push_back(Maker().Key());
      any_literal = any_literal || question_.keys.back().asked.find('.') == std::string::npos;
    }
    // A whole number in GROUP BY is a place.
    question_.group_style = any_literal ? GroupStyle::kNames : dice_.Pick(kStyles);
  }

  void AddTail() {
    if (dice_.In16(8)) question_.least_rows = dice_.Between(1, 4);
    if (!dice_.In16(8)) return;
    question_.by_keys = dice_.In16(8) ? SortOrder::kUp : SortOrder::kDown;
    constexpr std::array kOrders = {SortOrder::kNone, SortOrder::kUp, SortOrder::kDown};
    question_.by_count = dice_.Pick(kOrders);
    if (dice_.In16(8)) question_.limit = dice_.Between(1, 4);
    // Every group is shown then, and the first ones are the same.
    question_.outputs.push_back({.terms = {{.item = CountRows()}}});
  }

  Output MakeOutput() {
    constexpr std::array<int, 4> kFactors = {1, -1, 2, -3};
    Output output{.terms = {{.item = MakeItem()}}};
    if (!above_ || !dice_.In16(8)) return output;
    output.terms[0].factor = dice_.Pick(kFactors);
    output.constant = dice_.Between(0, 2);
    if (dice_.In16(8)) output.terms.push_back({.factor = dice_.Pick(kFactors), .item = MakeItem()});
    return output;
  }

  static Item CountRows() {
    return {.measure = Measure::kCountRows, .x = {.asked = "*", .plain = "1"}};
  }

  Item MakeItem() {
    Item item = CountRows();
    item.measure = static_cast<Measure>(dice_.Below(kMeasures));
    if (item.measure == Measure::kCountValues) item.x = Maker().Any();
    if (item.measure == Measure::kCountDistinct) item.x = Maker().Key();
    if (item.measure == Measure::kCountUnits) {
      if (!question_.relation.asked_unit) return CountRows();
      item.x = {.asked = *question_.relation.asked_unit, .plain = question_.relation.owner};
    }
    if (!InfoOf(item.measure).is_count() && !AddArguments(item)) return CountRows();
    if (dice_.In16(3)) item.filter = Maker().Condition(1);
    return item;
  }

  // Numbers with bounds: known ones, narrower ones, or some for an expression that has none.
  bool AddArguments(Item& item) {
    const auto x = Maker().Bounded();
    const auto y = Maker().Bounded();
    const bool pair = InfoOf(item.measure).is_pair();
    if (pair || (x && dice_.In16(9))) {
      if (!x || !y) return false;
      item.x = *x;
      item.y = *y;
      item.x_range = *x->range;
      item.y_range = *y->range;
      item.inline_bounds = pair && dice_.In16(4);
      if (item.inline_bounds) item.x_range = PartOf(*x->range);
      if (item.inline_bounds) item.y_range = PartOf(*y->range);
      return true;
    }
    item.inline_bounds = true;
    item.x = x && dice_.In16(9) ? *x : dice_.In16(8) ? Maker().Whole(2) : Maker().Double(2);
    if (item.x.asked.find('.') == std::string::npos) return false;
    item.x_range = PartOf(item.x.range.value_or(Range{-4, 12}));
    return true;
  }

  Range PartOf(Range whole) {
    const double quarter = (whole.high - whole.low) / 4;
    const int low = dice_.Between(0, 3);
    const int high = dice_.Between(low + 1, 4);
    return {whole.low + quarter * low, whole.low + quarter * high};
  }

  Dice& dice_;
  RelationMaker relations_;
  Question question_;
  bool above_ = false;
};

}  // namespace

Question DrawQuestion(Dice& dice, const RandomDatabase& database) {
  return QuestionMaker(dice, database).Make();
}

}  // namespace dpsql

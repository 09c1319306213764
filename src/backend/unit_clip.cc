#include "backend/unit_clip.h"

#include <utility>

#include "backend/encode.h"
#include "backend/tree.h"
#include "base/check.h"

namespace dpsql {
namespace {

using tree::Call;
using tree::Column;
using tree::Numbered;
using tree::When;
using tree::Whole;

constexpr std::int64_t kCoordinateMax = (std::int64_t{1} << 62) - 1;
// Below this L1 norm a sum of weighted squares has 38 digits at most: weights are below 2^6 and
// 2^126 < 10^38.
constexpr std::int64_t kFineNorm = std::int64_t{1} << 60;
constexpr std::uint64_t kMostWeight = std::uint64_t{1} << 6;
constexpr std::int64_t kCoarseStep = std::int64_t{1} << 32;

ast::ExprPtr Own(const char* letter, const ClippedStatistic& own) {
  return Column("r", Numbered(letter, own.number));
}

// Summed over the cells of the unit.
ast::ExprPtr OverUnit(const ClippedStatistic& own, const char* sum, ast::ExprPtr term) {
  if (own.one_cell) return term;
  std::vector<ast::ExprPtr> unit;
  unit.push_back(Column("r", "u"));
  return tree::Over(Call(sum, std::move(term)), std::move(unit));
}

ast::ExprPtr Sum(std::vector<ast::ExprPtr> terms) {
  ast::ExprPtr sum;
  for (ast::ExprPtr& term : terms) {
    sum = sum ? Call("wide +", std::move(sum), std::move(term)) : std::move(term);
  }
  return sum;
}

// The weight of each class's rows and each sum in a coordinate.
struct LinearTerms {
  std::vector<Int128> rows;  // of each class
  std::vector<Int128> sums;
};

LinearTerms TermsOf(const ClippedStatistic& own, std::size_t coordinate) {
  const Statistic& statistic = *own.statistic;
  const std::size_t classes = std::max(statistic.cell_class, statistic.row_class) + 1;
  const std::size_t sums = SummedPowers(statistic.shape).size();
  LinearTerms terms{.rows = {}, .sums = {}};
  for (std::size_t i = 0; i < classes + sums; ++i) {
    std::vector<Int128> one(classes + sums, 0);
    one[i] = 1;
    const std::span<const Int128> all(one);
    const Int128 weight =
        Coordinates(statistic, all.first(classes), all.subspan(classes)).at(coordinate);
    (i < classes ? terms.rows : terms.sums).push_back(weight);
  }
  return terms;
}

void AddTerm(Int128 weight, std::string column, std::vector<ast::ExprPtr>& terms) {
  if (weight == 0) return;
  Check(weight <= kCoordinateMax && weight >= -kCoordinateMax, "a weight is a BIGINT");
  ast::ExprPtr number = Call("wide", Column("r", std::move(column)));
  terms.push_back(
      weight == 1 ? std::move(number)
                  : Call("wide *", std::move(number), Whole(static_cast<std::int64_t>(weight))));
}

// A coordinate of the cell, cut to 62 bits; 0 where it is not released.
ast::ExprPtr CutCoordinate(const ClippedStatistic& own, std::size_t coordinate) {
  const LinearTerms linear = TermsOf(own, coordinate);
  const auto whole = [&] {
    std::vector<ast::ExprPtr> terms;
    for (std::size_t c = 0; c < linear.rows.size(); ++c) {
      AddTerm(linear.rows[c], Numbered("n", c), terms);
    }
    for (std::size_t s = 0; s < linear.sums.size(); ++s) {
      AddTerm(linear.sums[s], Numbered("s", own.first_sum + s), terms);
    }
    // Sums over no row of the class are NULL.
    return Call("coalesce", Sum(std::move(terms)), Call("wide", Whole(0)));
  };
  ast::ExprPtr cut =
      When(Call(">", whole(), Whole(kCoordinateMax)), Call("wide", Whole(kCoordinateMax)),
           When(Call("<", whole(), Whole(-kCoordinateMax)), Call("wide", Whole(-kCoordinateMax)),
                whole()));
  if (!own.shown_in_some) return cut;
  return When(Own("f", own), std::move(cut), Call("wide", Whole(0)));
}

std::string CoordinateName(const ClippedStatistic& own, std::size_t coordinate) {
  return Numbered("v", own.number) + Numbered("_", coordinate);
}

ast::ExprPtr CoordinateOf(const ClippedStatistic& own, std::size_t coordinate) {
  return Column("r", CoordinateName(own, coordinate));
}

ast::ExprPtr SizeOf(const ClippedStatistic& own, std::size_t coordinate) {
  return Call("wide abs", CoordinateOf(own, coordinate));
}

std::size_t WidthOf(const ClippedStatistic& own) { return Coordinates(own.statistic->shape); }

bool IsL1(const ClippedStatistic& own) { return own.statistic->mechanism == Mechanism::kLaplace; }

ast::ExprPtr Times(ast::ExprPtr number, std::uint64_t weight) {
  if (weight == 1) return number;
  return Call("wide *", std::move(number), Whole(static_cast<std::int64_t>(weight)));
}

ast::ExprPtr Square(const std::function<ast::ExprPtr()>& number) {
  return Call("wide *", number(), number());
}

// v<number>_<c> of units that are not inside; NULL for the others, which need none.
void AddCoordinates(const ClippedStatistic& own, Levels& levels) {
  for (std::size_t c = 0; c < WidthOf(own); ++c) {
    levels.Add(CoordinateName(own, c), When(Own("i", own), tree::Null(), CutCoordinate(own, c)));
  }
}

// The L1 norm of a cell.
ast::ExprPtr CellNorm(const ClippedStatistic& own) {
  std::vector<ast::ExprPtr> sizes;
  for (std::size_t c = 0; c < WidthOf(own); ++c) sizes.push_back(SizeOf(own, c));
  return Sum(std::move(sizes));
}

// a<number>: the L1 norm. b<number>: the weighted sum of squares, without cells that are too long
// for one; of no use where there is such a cell. c<number>: that of coordinates in coarse steps,
// rounded up.
void AddNorms(const ClippedStatistic& own, Levels& levels) {
  levels.Add(Numbered("a", own.number), OverUnit(own, "wide sum", CellNorm(own)));
  if (IsL1(own)) return;
  const ClipWeights weights = WeightsOf(own.statistic->shape);
  std::vector<ast::ExprPtr> fine;
  std::vector<ast::ExprPtr> coarse;
  for (std::size_t c = 0; c < WidthOf(own); ++c) {
    const std::uint64_t weight = weights.weight[c % weights.weight.size()];
    Check(weight < kMostWeight && weights.whole < kMostWeight, "weights leave room for squares");
    fine.push_back(Times(Square([&] { return CoordinateOf(own, c); }), weight));
    const auto rounded_up = [&] {
      return Call("wide +", Call("wide", Call("wide div", SizeOf(own, c), Whole(kCoarseStep))),
                  Whole(1));
    };
    coarse.push_back(When(Call(">", SizeOf(own, c), Whole(0)), Times(Square(rounded_up), weight),
                          Call("wide", Whole(0))));
  }
  // The cell as a whole decides: squares that fit one by one may be too long together.
  ast::ExprPtr squares =
      When(Call("<", CellNorm(own), Whole(kFineNorm)), Sum(std::move(fine)), tree::Null());
  levels.Add(Numbered("b", own.number), OverUnit(own, "wide sum or null", std::move(squares)));
  levels.Add(Numbered("c", own.number), OverUnit(own, "wide sum", Sum(std::move(coarse))));
}

ast::ExprPtr IsFine(const ClippedStatistic& own) {
  return Call("<", Own("a", own), Whole(kFineNorm));
}

// x<number>: the sum of squares whose root is asked for.
void AddSquare(const ClippedStatistic& own, Levels& levels) {
  levels.Add(Numbered("x", own.number), When(IsFine(own), Own("b", own), Own("c", own)));
}

// The square of a root, as the sum of squares is weighted.
ast::ExprPtr WeightedSquare(const ClippedStatistic& own,
                            const std::function<ast::ExprPtr()>& root) {
  return Times(Square(root), WeightsOf(own.statistic->shape).whole);
}

// y<number>: the root by a DOUBLE, at least 1.
void AddGuess(const ClippedStatistic& own, Levels& levels) {
  const auto whole = static_cast<double>(WeightsOf(own.statistic->shape).whole);
  levels.Add(Numbered("y", own.number),
             Call("greatest", Call("root guess", Own("x", own), tree::Real(whole)), Whole(1)));
}

// z<number>: one step of Newton's, which is not below the rounded-down root, whatever the guess.
// With a guess to 50 bits it is at most 1 above.
void AddNewton(const ClippedStatistic& own, Levels& levels) {
  const auto guess = [&] { return Call("wide", Own("y", own)); };
  ast::ExprPtr quotient =
      Call("wide div", Own("x", own), Times(guess(), WeightsOf(own.statistic->shape).whole));
  levels.Add(
      Numbered("z", own.number),
      Call("wide div", Call("wide +", guess(), Call("wide", std::move(quotient))), Whole(2)));
}

// m<number>: the first of z - 1, z and z + 1 whose square is not below, in steps of the norm; the
// last one never is. NULL where the vector is within the clip.
void AddLength(const ClippedStatistic& own, Levels& levels) {
  const auto clip = [&] { return Whole(static_cast<std::int64_t>(own.statistic->clip)); };
  const auto where_longer = [&](ast::ExprPtr condition, ast::ExprPtr length) {
    return When(std::move(condition), std::move(length), tree::Null());
  };
  const std::string name = Numbered("m", own.number);
  if (IsL1(own)) {
    levels.Add(name, where_longer(Call(">", Own("a", own), clip()), Own("a", own)));
    return;
  }
  const auto root = [&](std::int64_t moved) {
    return [&own, moved] { return Call("wide +", Call("wide", Own("z", own)), Whole(moved)); };
  };
  const auto least = [&] {
    const auto holds = [&](std::int64_t moved) {
      return Call(">=", WeightedSquare(own, root(moved)), Own("x", own));
    };
    ast::ExprPtr found = When(holds(-1), root(-1)(), When(holds(0), root(0)(), root(1)()));
    return Call("wide *", std::move(found), When(IsFine(own), Whole(1), Whole(kCoarseStep)));
  };
  levels.Add(name, where_longer(Call(">", least(), clip()), least()));
}

}  // namespace

void Levels::Next() {
  ast::Select next;
  for (const std::string& column : columns_) tree::AddItem(next, Column("r", column), column);
  for (ast::SelectItem& item : added_) {
    columns_.push_back(item.alias);
    next.items.push_back(std::move(item));
  }
  added_.clear();
  // PostgreSQL writes what a query computes in the place of each of its names, level after level,
  // so that the last one has millions of terms. It leaves a query with an OFFSET alone.
  next.offset = Whole(0);
  next.from.push_back(tree::AsTable(std::exchange(query_, {})));
  query_ = std::move(next);
}

void AddInside(const ClippedStatistic& own, Levels& levels) {
  const Statistic& statistic = *own.statistic;
  const std::size_t row_class =
      statistic.shape.counts_missing ? statistic.row_class : statistic.cell_class;
  ast::ExprPtr rows = Column("r", Numbered("n", row_class));
  if (own.shown_in_some) rows = When(Own("f", own), std::move(rows), Whole(0));
  levels.Add(Numbered("i", own.number),
             Call("<=", OverUnit(own, "sum", std::move(rows)), Whole(own.rows_inside)));
}

void AddLengths(const std::vector<ClippedStatistic>& all, Levels& levels) {
  using Step = void (*)(const ClippedStatistic&, Levels&);
  const auto each = [&](Step step, bool of_l1) {
    for (const ClippedStatistic& own : all) {
      if (of_l1 || !IsL1(own)) step(own, levels);
    }
    levels.Next();
  };
  each(AddCoordinates, true);
  each(AddNorms, true);
  each(AddSquare, false);
  each(AddGuess, false);
  each(AddNewton, false);
  each(AddLength, true);
}

ast::ExprPtr ClippedCoordinate(const ClippedStatistic& own, std::size_t coordinate) {
  const auto clip = static_cast<std::int64_t>(own.statistic->clip);
  ast::ExprPtr scaled = Call(
      "wide",
      Call("wide div", Call("wide *", CoordinateOf(own, coordinate), Whole(clip)), Own("m", own)));
  return When(tree::IsNotNull(Own("m", own)), std::move(scaled), CoordinateOf(own, coordinate));
}

}  // namespace dpsql

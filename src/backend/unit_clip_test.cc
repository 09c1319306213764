#include "backend/unit_clip.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <functional>
#include <map>
#include <random>
#include <string>

#include "backend/duckdb_handles.h"
#include "backend/encode.h"
#include "backend/tree.h"
#include "backend/unit_bounding.h"
#include "sql/dialect.h"
#include "sql/printer.h"

namespace dpsql {
namespace {

using boost::multiprecision::cpp_int;

// DuckDB with the numbers of a database whose widest have 38 digits: a longer one is an error.
constexpr Dialect::Function kDecimalFunctions[] = {
    {"wide", "CAST($1 AS DECIMAL(38,0))"},
    {"wide div", "(CAST($1 AS HUGEINT) // CAST($2 AS HUGEINT))"},
    {"root guess", "CAST(floor(sqrt(CAST($1 AS DOUBLE) / $2)) AS HUGEINT)"},
};
constexpr Dialect::Type kNoTypes[] = {{"bool", "BOOLEAN"}};
constexpr Dialect kDecimals("38 digits", kDecimalFunctions, kNoTypes);

// So many rows with the steps X and Y.
struct EqualRows {
  std::int64_t rows = 0;
  std::int64_t x = 0;
  std::int64_t y = 0;
};

struct Cell {
  int unit = 0;
  std::vector<Int128> rows;  // of the class, and of all rows
  std::vector<Int128> sums;
};

std::string ToText(Int128 number) {
  return (number < 0 ? "-" : "") + cpp_int(number < 0 ? -number : number).str();
}

Int128 FromText(const std::string& text) { return static_cast<Int128>(cpp_int(text)); }

Int128 PowerOf(std::int64_t base, unsigned exponent) {
  Int128 power = 1;
  for (unsigned i = 0; i < exponent; ++i) power *= base;
  return power;
}

Cell CellOf(int unit, const StatisticShape& shape, const std::vector<EqualRows>& all,
            std::int64_t missing) {
  Cell cell{.unit = unit, .rows = {0, missing}, .sums = {}};
  for (const EqualRows& own : all) {
    cell.rows[0] += own.rows;
    cell.rows[1] += own.rows;
  }
  for (const Powers& powers : SummedPowers(shape)) {
    Int128 sum = 0;
    for (const EqualRows& own : all) {
      sum += PowerOf(own.x, powers.x) * PowerOf(own.y, powers.y) * own.rows;
    }
    cell.sums.push_back(sum);
  }
  return cell;
}

Statistic StatisticOf(StatisticShape shape, Mechanism mechanism, std::int64_t rows) {
  Statistic statistic{.shape = shape, .cell_class = 0, .row_class = 1};
  const unsigned degree = std::max(1U, TotalDegree(shape));
  statistic.step_bits = std::min(kMostStepBits, kMostGridBits / degree);
  statistic.clip = static_cast<std::uint64_t>(rows) << statistic.grid_bits();
  statistic.mechanism = mechanism;
  return statistic;
}

// The clipped vectors of units, cell after cell, as SQL computes them.
class SqlClip {
 public:
  SqlClip(const Statistic& statistic, const std::vector<Cell>& cells, bool one_cell)
      : statistic_(statistic), cells_(cells) {
    own_ = {.statistic = &statistic_, .number = 0, .one_cell = one_cell, .rows_inside = -1};
    EXPECT_EQ(database_.OpenEmpty(), "");
  }

  std::map<int, std::vector<Int128>> Run(const Dialect& dialect) const {
    DuckDbConnection connection(database_);
    std::map<int, std::vector<Int128>> vectors;
    const std::string sql = "WITH cells AS (" + Values() + ") SELECT CAST(COLUMNS(*) AS VARCHAR)" +
                            " FROM (" + PrintSelect(Clipped(), dialect) + ")";
    const auto failure = connection.Run(sql, [&](const DuckDbChunk& chunk) {
      for (std::size_t row = 0; row < chunk.size(); ++row) {
        std::vector<Int128>& vector = vectors[std::stoi(chunk.Text(0, row))];
        for (std::size_t c = 2; c < chunk.columns(); ++c) {
          vector.push_back(FromText(chunk.Text(c, row)));
        }
      }
    });
    EXPECT_FALSE(failure) << (failure ? failure->text : "");
    return vectors;
  }

 private:
  std::vector<std::string> Columns() const {
    std::vector<std::string> columns = {"u", "o", "n0", "n1"};
    for (std::size_t i = 0; i < SummedPowers(statistic_.shape).size(); ++i) {
      columns.push_back(tree::Numbered("s", i));
    }
    return columns;
  }

  std::string Values() const {
    std::string names;
    for (const std::string& column : Columns()) names += (names.empty() ? "" : ", ") + column;
    std::string rows;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      rows += (i == 0 ? "(" : ", (") + std::to_string(cells_[i].unit) + ", " + std::to_string(i);
      for (const Int128 number : cells_[i].rows) rows += ", " + ToText(number) + "::HUGEINT";
      for (const Int128 number : cells_[i].sums) rows += ", " + ToText(number) + "::HUGEINT";
      rows += ")";
    }
    return "SELECT * FROM (VALUES " + rows + ") v (" + names + ")";
  }

  ast::Select Clipped() const {
    ast::Select first;
    for (const std::string& name : Columns()) {
      tree::AddItem(first, tree::Column("r", name), name);
    }
    ast::From cells{.alias = "r", .column_aliases = {}, .span = {}};
    cells.node = ast::TableName{.parts = {"cells"}};
    first.from.push_back(std::move(cells));
    Levels levels(std::move(first), Columns());
    AddInside(own_, levels);
    levels.Next();
    AddLengths({own_}, levels);
    ast::Select clipped;
    tree::AddItem(clipped, tree::Column("r", "u"), "u");
    tree::AddItem(clipped, tree::Column("r", "o"), "o");
    for (std::size_t c = 0; c < Coordinates(statistic_.shape); ++c) {
      tree::AddItem(clipped, ClippedCoordinate(own_, c), tree::Numbered("t", c));
    }
    clipped.from.push_back(tree::AsTable(std::move(levels).Finish()));
    clipped.order_by.push_back({.expr = tree::Column("r", "o")});
    return clipped;
  }

  Statistic statistic_;
  std::vector<Cell> cells_;
  ClippedStatistic own_;
  DuckDbDatabase database_;
};

cpp_int SizeOf(Int128 number) { return cpp_int(number < 0 ? -number : number); }

cpp_int LengthL1(const std::vector<Int128>& vector) {
  cpp_int sum = 0;
  for (const Int128 number : vector) sum += SizeOf(number);
  return sum;
}

// That no unit is longer than the clip, and that those which are not huge are clipped as they are
// elsewhere.
void ExpectClipped(const Statistic& statistic, const std::vector<Cell>& cells,
                   const std::map<int, std::vector<Int128>>& clipped) {
  std::map<int, std::vector<Int128>> whole;
  for (const Cell& cell : cells) {
    for (const Int128 number : Coordinates(statistic, cell.rows, cell.sums)) {
      whole[cell.unit].push_back(number);
    }
  }
  ASSERT_EQ(clipped.size(), whole.size());
  const ClipWeights weights = WeightsOf(statistic.shape);
  for (auto& [unit, vector] : whole) {
    const std::vector<Int128>& own = clipped.at(unit);
    const bool huge = LengthL1(vector) >= cpp_int(1) << 60;
    Clip(statistic, vector);
    cpp_int length = 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
      length += SizeOf(own[i]) * SizeOf(own[i]) * weights.weight[i % weights.weight.size()];
      // A coarse norm is too long by one step a coordinate.
      const cpp_int moved = SizeOf(own[i] - vector[i]);
      EXPECT_LE(moved, huge ? SizeOf(vector[i]) / 1000 + 1 : cpp_int(0)) << "unit " << unit;
    }
    const cpp_int clip = statistic.clip;
    if (statistic.mechanism == Mechanism::kLaplace) {
      EXPECT_LE(LengthL1(own), clip) << "unit " << unit;
    } else {
      EXPECT_LE(length, clip * clip * weights.whole) << "unit " << unit;
    }
  }
}

std::vector<StatisticShape> Shapes() {
  std::vector<StatisticShape> shapes = {{.kind = StatisticKind::kRows},
                                        {.kind = StatisticKind::kValue},
                                        Moments(1),
                                        Moments(2),
                                        Moments(1, 1),
                                        Moments(2, 1),
                                        Moments(2, 2)};
  for (const StatisticShape& shape :
       std::vector<StatisticShape>(shapes.begin() + 2, shapes.end())) {
    shapes.push_back(shape);
    shapes.back().counts_missing = true;
  }
  return shapes;
}

void Check(const Statistic& statistic, const std::vector<Cell>& cells, bool one_cell) {
  const SqlClip clip(statistic, cells, one_cell);
  ExpectClipped(statistic, cells, clip.Run(DuckDbDialect()));
  ExpectClipped(statistic, cells, clip.Run(kDecimals));
}

// Every shape with either noise.
void ForEachStatistic(const std::function<void(const Statistic&)>& check) {
  for (const StatisticShape& shape : Shapes()) {
    for (const Mechanism mechanism : {Mechanism::kGaussian, Mechanism::kLaplace}) {
      SCOPED_TRACE(Name(shape));
      check(StatisticOf(shape, mechanism, 3));
    }
  }
}

class DrawnCells {
 public:
  DrawnCells(const Statistic& statistic, std::uint64_t seed)
      : shape_(statistic.shape), steps_(std::int64_t{1} << statistic.step_bits), random_(seed) {}

  // Rows of three kinds, and others without a value, less than 2^bits of each.
  void Add(int unit, int bits) {
    std::vector<EqualRows> rows;
    for (int kind = 0; kind < 3; ++kind) rows.push_back({Rows(bits), Step(), Step()});
    cells_.push_back(CellOf(unit, shape_, rows, Rows(bits)));
  }

  const std::vector<Cell>& cells() const { return cells_; }

 private:
  std::int64_t Rows(int bits) { return static_cast<std::int64_t>(random_() >> 1 >> (63 - bits)); }
  std::int64_t Step() { return static_cast<std::int64_t>(random_() % (steps_ + 1)); }

  StatisticShape shape_;
  std::uint64_t steps_;
  std::mt19937_64 random_;
  std::vector<Cell> cells_;
};

// From nothing to more rows than 62 bits can hold, around the L1 norm where the steps get coarse.
TEST(UnitClipTest, OneCellOfAnySize) {
  ForEachStatistic([](const Statistic& statistic) {
    DrawnCells drawn(statistic, 7);
    for (int unit = 0; unit < 240; ++unit) drawn.Add(unit, unit % 40);
    Check(statistic, drawn.cells(), true);
  });
}

TEST(UnitClipTest, CellsOfAUnitAreClippedTogether) {
  ForEachStatistic([](const Statistic& statistic) {
    DrawnCells drawn(statistic, 8);
    for (int cell = 0; cell < 120; ++cell) drawn.Add(cell / 4, cell % 16);
    Check(statistic, drawn.cells(), false);
  });
}

// Every coordinate is just below the size at which none is squared as it is. Each square fits into
// 38 digits then, and not all of them together.
TEST(UnitClipTest, SquaresOfALongCellFitInto38Digits) {
  StatisticShape shape = Moments(2, 2);
  const Statistic statistic = StatisticOf(shape, Mechanism::kGaussian, 3);
  const std::int64_t steps = std::int64_t{1} << statistic.step_bits;
  const std::int64_t most = (std::int64_t{1} << (60 - statistic.grid_bits())) - 1;
  // The middle of a value with X = S/2 has half of its rows, and its ends have a quarter each.
  std::vector<EqualRows> rows;
  for (const std::int64_t x : {std::int64_t{0}, steps / 2, steps}) {
    for (const std::int64_t y : {std::int64_t{0}, steps / 2, steps}) {
      const std::int64_t weight = (x == steps / 2 ? 4 : 1) * (y == steps / 2 ? 4 : 1);
      rows.push_back({.rows = most * weight / 4, .x = x, .y = y});
    }
  }
  Check(statistic, {CellOf(1, shape, rows, 0)}, true);
  Check(statistic, {CellOf(1, shape, rows, 0), CellOf(2, shape, {{.rows = 1}}, 0)}, false);
}

// See Levels::Next.
TEST(UnitClipTest, NoLevelIsWrittenIntoTheNext) {
  Levels levels({}, {"u"});
  for (const char* column : {"a", "b"}) {
    levels.Add(column, tree::Whole(1));
    levels.Next();
  }
  EXPECT_EQ(
      PrintSelect(std::move(levels).Finish(), PostgreSqlDialect()),
      "SELECT \"r\".\"u\" AS \"u\", \"r\".\"a\" AS \"a\", 1 AS \"b\" FROM (SELECT \"r\".\"u\" AS "
      "\"u\", 1 AS \"a\" FROM (SELECT) AS \"r\" OFFSET 0) AS \"r\" OFFSET 0");
}

}  // namespace
}  // namespace dpsql

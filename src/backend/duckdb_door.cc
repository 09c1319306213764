#include "backend/duckdb_door.h"

#include <algorithm>
#include <utility>

#include "backend/duckdb_cells.h"
#include "backend/encode.h"
#include "backend/lower.h"
#include "backend/lower_expr.h"
#include "backend/lower_node.h"
#include "backend/owner_rows.h"
#include "backend/tree.h"
#include "backend/unit_bounding.h"
#include "sql/dialect.h"
#include "sql/printer.h"

namespace dpsql {
namespace {

constexpr std::size_t kMostPlaces = 64;

// Whether a key is handed over as its place in the policy's list. DuckDB finds the places of a
// table's own texts once for each text of its dictionary, and a number reaches us sooner than a
// text; of joined rows it would find them one by one.
bool ComesAsPlace(const Door& door, const BoundKey& key) {
  const std::vector<Scan>& scans = door.query->relation.scans;
  return scans.size() == 1 && !scans[0].node && key.expr->kind == BoundKind::kColumn &&
         key.expr->type.family == TypeFamily::kText && !key.values.empty() &&
         key.values.size() <= kMostPlaces;
}

// What a pass reads of a row beside unit and keys, each once.
class RowInputs {
 public:
  explicit RowInputs(const Door& door) : door_(door) {
    for (const Statistic& statistic : door.statistics) {
      for (std::size_t i = 0; i < statistic.arguments.size(); ++i) AddArgument(statistic, i);
    }
    for (const CellClass& cell_class : door.classes) classes_.push_back(ClassOf(cell_class));
  }

  CellLayout Layout(Units units) const {
    std::vector<std::vector<Value>> listed;
    std::vector<bool> as_places;
    for (const BoundKey& key : door_.query->keys) {
      listed.push_back(key.values);
      as_places.push_back(ComesAsPlace(door_, key));
    }
    return {.rows_are_units = units == Units::kLeftOut,
            .keys = door_.query->keys.size(),
            .listed = std::move(listed),
            .as_places = std::move(as_places),
            .values = encodings_,
            .presences = presences_.size(),
            .classes = classes_};
  }

  const std::vector<const BoundExpr*>& values() const { return values_; }
  const std::vector<const BoundExpr*>& presences() const { return presences_; }

  // The input of a statistic's argument: among the values, or the presences for a distinct one.
  std::size_t InputOf(std::size_t statistic, std::size_t argument) const {
    return inputs_[statistic][argument];
  }

 private:
  void AddArgument(const Statistic& statistic, std::size_t argument) {
    if (argument == 0)
      inputs_.resize(static_cast<std::size_t>(&statistic - &door_.statistics[0]) + 1);
    const BoundExpr& expr = *statistic.arguments[argument].expr;
    if (statistic.shape.kind == StatisticKind::kDistinct) {
      inputs_.back().push_back(PresenceOf(expr));
      return;
    }
    if (CountsUnits(statistic.shape.kind)) return;
    inputs_.back().push_back(values_.size());
    values_.push_back(&expr);
    encodings_.push_back(EncodingOf(statistic, argument));
  }

  std::size_t PresenceOf(const BoundExpr& expr) {
    for (std::size_t i = 0; i < presences_.size(); ++i) {
      if (SameExpr(*presences_[i], expr)) return i;
    }
    presences_.push_back(&expr);
    return presences_.size() - 1;
  }

  RowClass ClassOf(const CellClass& cell_class) {
    RowClass found;
    for (const BoundExprPtr& expr : cell_class.present) {
      bool is_value = false;
      for (std::size_t i = 0; i < values_.size(); ++i) {
        if (!SameExpr(*values_[i], *expr)) continue;
        found.values.push_back(i);
        is_value = true;
      }
      if (!is_value) found.presences.push_back(PresenceOf(*expr));
    }
    return found;
  }

  const Door& door_;
  std::vector<const BoundExpr*> values_;
  std::vector<ValueEncoding> encodings_;
  std::vector<const BoundExpr*> presences_;
  std::vector<std::vector<std::size_t>> inputs_;  // per statistic, per argument
  std::vector<RowClass> classes_;
};

CellStatistic SumsOf(const Statistic& statistic, const std::vector<std::size_t>& sums,
                     std::int64_t rows) {
  CellStatistic cells{.kind = CellStatistic::Kind::kSums, .row_class = statistic.cell_class};
  if (statistic.shape.counts_missing) cells.missing_class = statistic.row_class;
  cells.sums = sums;
  cells.width = Coordinates(statistic.shape);
  cells.coordinates = [&statistic](std::span<const Int128> class_rows, std::span<const Int128> own,
                                   std::span<Int128> out) {
    const std::vector<Int128> found = Coordinates(statistic, class_rows, own);
    std::copy(found.begin(), found.end(), out.begin());
  };
  cells.clip = [&statistic](std::span<Int128> vector) { Clip(statistic, vector); };
  cells.rows_inside = rows;
  return cells;
}

}  // namespace

DoorCells CellsOf(const Door& door, Units units) {
  const RowInputs inputs(door);
  DoorCells cells{.layout = inputs.Layout(units), .statistics = {}};
  for (std::size_t s = 0; s < door.statistics.size(); ++s) {
    const Statistic& statistic = door.statistics[s];
    if (statistic.shape.kind == StatisticKind::kUnits) {
      cells.statistics.push_back(
          {.kind = CellStatistic::Kind::kUnits, .row_class = statistic.cell_class});
      continue;
    }
    if (statistic.shape.kind == StatisticKind::kDistinct) {
      cells.statistics.push_back({.kind = CellStatistic::Kind::kDistinct,
                                  .row_class = statistic.cell_class,
                                  .distinct = cells.layout.distincts.size()});
      cells.layout.distincts.push_back(
          {.row_class = statistic.cell_class, .presence = inputs.InputOf(s, 0)});
      continue;
    }
    std::vector<std::size_t> sums;
    for (const Powers& powers : SummedPowers(statistic.shape)) {
      MonomialSum sum{.row_class = statistic.cell_class};
      const bool has_x = powers.x > 0;
      sum.a = inputs.InputOf(s, has_x ? 0 : 1);
      sum.power_a = static_cast<int>(has_x ? powers.x : powers.y);
      if (has_x && powers.y > 0) {
        sum.b = inputs.InputOf(s, 1);
        sum.power_b = static_cast<int>(powers.y);
      }
      sums.push_back(cells.layout.sums.size());
      cells.layout.sums.push_back(sum);
    }
    cells.statistics.push_back(SumsOf(statistic, sums, door.rows_per_unit.value));
  }
  return cells;
}

namespace {

// A column as it is stored where the cells take its type, else as the slow path has it.
class PassPrinter {
 public:
  PassPrinter(const Door& door, Units units) : door_(door), scope_(ScopeOf(door)), units_(units) {}

  std::string Print(std::int64_t id) const {
    const RowInputs inputs(door_);
    std::vector<ast::ExprPtr> columns;
    columns.push_back(tree::Whole(id));
    if (units_ == Units::kRead) columns.push_back(Unit());
    for (const BoundKey& key : door_.query->keys) columns.push_back(Key(key));
    for (const BoundExpr* value : inputs.values()) columns.push_back(Number(*value));
    for (const BoundExpr* presence : inputs.presences()) columns.push_back(Presence(*presence));
    ast::Select pass;
    pass.items.push_back(
        {.expr = tree::CallOf("rows handed over", std::move(columns)), .alias = ""});
    pass.from = LowerFrom(scope_);
    pass.where = tree::Logic(ast::LogicOp::kAnd, LowerConditions(scope_));
    return PrintSelect(pass, DuckDbDialect());
  }

 private:
  bool Takes(CellColumn column, const BoundExpr& expr) const {
    return expr.kind == BoundKind::kColumn && CellsTake(column, expr.type.name);
  }

  ast::ExprPtr Unit() const {
    const BoundColumn owner = door_.query->relation.owner->column;
    const bool own = CellsTake(CellColumn::kUnit, door_.query->column(owner).type.name);
    return own ? LowerOwner(scope_) : tree::Cast(LowerOwner(scope_), "text");
  }

  ast::ExprPtr Key(const BoundKey& key) const {
    if (ComesAsPlace(door_, key)) {
      std::vector<ast::ExprPtr> list;
      for (const Value& value : key.values) list.push_back(tree::Literal(value));
      // What is not listed has the place 0: a column with NULLs would be copied bit by bit.
      return tree::Call("greatest",
                        tree::Call("place in list", tree::CallOf("list of values", std::move(list)),
                                   LowerExpr(*key.expr, scope_)),
                        tree::Whole(0));
    }
    return Takes(CellColumn::kKey, *key.expr) ? LowerExpr(*key.expr, scope_)
                                              : CanonicalKey(*key.expr, scope_);
  }

  ast::ExprPtr Number(const BoundExpr& value) const {
    return Takes(CellColumn::kValue, value) ? LowerExpr(value, scope_)
                                            : LowerArgument(value, scope_);
  }

  // Of a class only whether there is a value is read; a distinct value is read itself, and exact.
  ast::ExprPtr Presence(const BoundExpr& expr) const {
    if (Takes(CellColumn::kDistinct, expr)) return LowerExpr(expr, scope_);
    const bool has_nan = expr.type.family == TypeFamily::kFloat;
    return tree::Cast(has_nan ? LowerArgument(expr, scope_) : LowerExpr(expr, scope_), "text");
  }

  const Door& door_;
  LowerScope scope_;
  Units units_;
};

}  // namespace

std::string PrintPass(const Door& door, Units units, std::int64_t id) {
  return PassPrinter(door, units).Print(id);
}

Units UnitsOf(const Door& door, Keys keys) {
  return door.rows_are_units && keys == Keys::kEnforced ? Units::kLeftOut : Units::kRead;
}

namespace {

// The rows of a class of the door's cells, as one pass sees them.
DescribedRows RowsOf(const Door& door, std::size_t row_class) {
  const LowerScope scope = ScopeOf(door);
  ast::Select whose;
  whose.items.push_back({.expr = LowerOwner(scope), .alias = ""});
  whose.from = LowerFrom(scope);
  DescribedRows rows{.from = PrintSelect(whose, DuckDbDialect()), .conditions = {}};
  // Rows of groups that are not listed are left out of the cells.
  for (const ast::ExprPtr& condition : DoorConditions(door)) {
    rows.conditions.insert(PrintExpr(*condition, DuckDbDialect()));
  }
  for (const BoundExprPtr& present : door.classes[row_class].present) {
    rows.conditions.insert("a value in " + PrintExpr(*LowerExpr(*present, scope), DuckDbDialect()));
  }
  return rows;
}

}  // namespace

std::map<std::size_t, DescribedRows> ClippedRows(const Door& door) {
  std::map<std::size_t, DescribedRows> rows;
  if (door.selects_keys()) return rows;
  for (const Statistic& statistic : door.statistics) {
    if (CountsUnits(statistic.shape.kind)) return {};
    const std::size_t row_class =
        statistic.shape.counts_missing ? statistic.row_class : statistic.cell_class;
    if (!rows.contains(row_class)) rows.emplace(row_class, RowsOf(door, row_class));
  }
  return rows;
}

namespace {

bool HasOwnersBound(const Door& door) {
  const std::optional<std::int64_t> cap = door.query->relation.rows_per_unit;
  return cap && door.rows_per_unit.value >= *cap;
}

}  // namespace

bool RowsAreInside(const Door& door, const RowFacts& facts) {
  if (!HasOwnersBound(door)) return false;
  const std::map<std::size_t, DescribedRows> clipped = ClippedRows(door);
  return !clipped.empty() && std::all_of(clipped.begin(), clipped.end(), [&](const auto& one) {
    const std::optional<std::int64_t> most = facts.MostRows(one.second);
    return most && *most <= *door.query->relation.rows_per_unit;
  });
}

std::optional<OwnersRows> OwnersRowsOf(const Door& door) {
  if (!HasOwnersBound(door) || ClippedRows(door).empty()) return std::nullopt;
  std::optional<Door> whole = WithOwnersRows(door);
  if (!whole) return std::nullopt;
  whole->classes = {CellClass{}};
  return OwnersRows{.rows = RowsOf(*whole, 0),
                    .most = PrintSelect(LowerMostRows(*whole), DuckDbDialect())};
}

}  // namespace dpsql

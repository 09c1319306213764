#include "backend/duckdb_door.h"

#include <algorithm>
#include <utility>

#include "backend/duckdb_cells.h"
#include "backend/lower.h"
#include "backend/lower_expr.h"
#include "backend/lower_node.h"
#include "backend/owner_rows.h"
#include "backend/tree.h"
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

}  // namespace

DoorCells PassCells(const Door& door, Units units) {
  DoorCells cells = CellsOf(door, units);
  for (const BoundKey& key : door.query->keys) {
    cells.layout.as_places.push_back(ComesAsPlace(door, key));
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
    const CellLayout layout = CellsOf(door_, units_).layout;
    for (std::size_t i = 0; i < inputs.presences().size(); ++i) {
      columns.push_back(Presence(*inputs.presences()[i], layout.keeps_values(i)));
    }
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

  // Of a class only whether there is a value is read: a database can store values that it cannot
  // write as text, and a question may not fail for one. A distinct value is read itself, and exact.
  ast::ExprPtr Presence(const BoundExpr& expr, bool value_is_kept) const {
    if (Takes(CellColumn::kDistinct, expr)) return LowerExpr(expr, scope_);
    const bool has_nan = expr.type.family == TypeFamily::kFloat;
    ast::ExprPtr value = has_nan ? LowerArgument(expr, scope_) : LowerExpr(expr, scope_);
    if (value_is_kept) return tree::Cast(std::move(value), "text");
    return tree::When(tree::IsNotNull(std::move(value)), tree::Whole(1), nullptr);
  }

  const Door& door_;
  LowerScope scope_;
  Units units_;
};

}  // namespace

std::string PrintPass(const Door& door, Units units, std::int64_t id) {
  return PassPrinter(door, units).Print(id);
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

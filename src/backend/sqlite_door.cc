#include "backend/sqlite_door.h"

#include <utility>

#include "backend/lower.h"
#include "backend/lower_answer.h"
#include "backend/lower_expr.h"
#include "backend/lower_node.h"
#include "backend/tree.h"

namespace dpsql {
namespace {

// The first argument of the function that takes rows; on a connection of its own a query needs no
// number.
constexpr std::int64_t kOnlyPass = 1;

// Collects columns and their types side by side.
class PassColumns {
 public:
  explicit PassColumns(const Door& door) : door_(door), scope_(ScopeOf(door)) {
    columns_.push_back(tree::Whole(kOnlyPass));
  }

  void AddUnit() {
    const BoundColumn owner = door_.query->relation.owner->column;
    const bool whole = door_.query->column(owner).type.family == TypeFamily::kInteger;
    Add(whole ? LowerOwner(scope_) : tree::Cast(LowerOwner(scope_), "text"),
        whole ? Payload::kInt64 : Payload::kText);
  }

  void AddKey(const BoundExpr& key) { Add(CanonicalKey(key, scope_), PayloadOf(key.type)); }

  void AddValue(const BoundExpr& value) { Add(LowerArgument(value, scope_), Payload::kDouble); }

  // Of a class only whether there is a value is read; a distinct value is read itself, and exact,
  // in the form in which it comes from DuckDB, so that the same units claim it.
  void AddPresence(const BoundExpr& expr, bool keeps_value) {
    if (!keeps_value) return Add(LowerArgument(expr, scope_), Payload::kNone);
    if (expr.kind == BoundKind::kColumn) return AddKey(expr);
    Add(tree::Cast(LowerExpr(expr, scope_), "text"), Payload::kText);
  }

  SqlitePass Finish() && {
    SqlitePass pass{.select = {}, .types = std::move(types_)};
    pass.select.items.push_back(
        {.expr = tree::CallOf("rows handed over", std::move(columns_)), .alias = ""});
    pass.select.from = LowerFrom(scope_);
    pass.select.where = tree::Logic(ast::LogicOp::kAnd, LowerConditions(scope_));
    return pass;
  }

 private:
  static Payload PayloadOf(const Type& type) {
    if (type.family == TypeFamily::kBoolean) return Payload::kBool;
    return type.family == TypeFamily::kInteger ? Payload::kInt64 : Payload::kText;
  }

  void Add(ast::ExprPtr column, Payload payload) {
    columns_.push_back(std::move(column));
    types_.push_back({.payload = payload});
  }

  const Door& door_;
  LowerScope scope_;
  std::vector<ast::ExprPtr> columns_;
  std::vector<ColumnType> types_;
};

}  // namespace

SqlitePass LowerSqlitePass(const Door& door) {
  const RowInputs inputs(door);
  const CellLayout layout = CellsOf(door, Units::kRead).layout;
  PassColumns columns(door);
  columns.AddUnit();
  for (const BoundKey& key : door.query->keys) columns.AddKey(*key.expr);
  for (const BoundExpr* value : inputs.values()) columns.AddValue(*value);
  for (std::size_t i = 0; i < inputs.presences().size(); ++i) {
    columns.AddPresence(*inputs.presences()[i], layout.keeps_values(i));
  }
  return std::move(columns).Finish();
}

std::optional<LinkedDoor> LinkedForSqlite(const Door& door) {
  return WithoutParent(door, Keys::kEnforced);
}

SqliteStatements LowerForSqlite(const DpPlan& plan) {
  SqliteStatements statements;
  for (const Door& door : plan.doors()) {
    if (door.key_mode == KeyMode::kPublic) {
      for (ast::Select& list : LowerPublicKeys(door)) statements.run.push_back(std::move(list));
    }
    const std::optional<LinkedDoor> linked = LinkedForSqlite(door);
    if (linked) {
      statements.run.push_back(LowerLinks(*linked, kOnlyPass));
      statements.run.push_back(LowerSqlitePass(linked->door).select);
      statements.instead.push_back(LowerSqlitePass(door).select);
    } else {
      statements.run.push_back(LowerSqlitePass(door).select);
    }
  }
  for (const PublicTable& table : PublicReads(plan)) statements.run.push_back(LowerPublic(table));
  return statements;
}

}  // namespace dpsql

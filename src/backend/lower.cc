#include "backend/lower.h"

#include <utility>

#include "backend/encode.h"
#include "backend/lower_expr.h"
#include "backend/lower_node.h"
#include "backend/tree.h"
#include "plan/public_keys.h"

namespace dpsql {
namespace {

using tree::AddGroup;
using tree::AddItem;
using tree::AsTable;
using tree::Numbered;

ast::ExprPtr InClass(const CellClass& cell_class, const LowerScope& scope) {
  if (cell_class.present.empty()) return tree::True();
  std::vector<ast::ExprPtr> all;
  for (const BoundExprPtr& expr : cell_class.present) {
    all.push_back(tree::IsNotNull(LowerArgument(*expr, scope)));
  }
  return tree::When(tree::Logic(ast::LogicOp::kAnd, std::move(all)), tree::True(), tree::Null());
}

// The rows that a door reads. Columns: u, the unit as text; k0 … the keys; a0 … the arguments of
// its statistics, one after the other; p0 … one for each class of cells, NULL where the row is not
// in it.
ast::Select LowerRows(const Door& door) {
  const LowerScope scope = ScopeOf(door);
  ast::Select select;
  AddItem(select, tree::Cast(LowerOwner(scope), "text"), "u");
  for (std::size_t i = 0; i < door.query->keys.size(); ++i) {
    AddItem(select, CanonicalKey(*door.query->keys[i].expr, scope), Numbered("k", i));
  }
  std::size_t argument = 0;
  for (const Statistic& statistic : door.statistics) {
    for (const BoundedArgument& own : statistic.arguments) {
      AddItem(select, LowerArgument(*own.expr, scope), Numbered("a", argument++));
    }
  }
  for (std::size_t i = 0; i < door.classes.size(); ++i) {
    AddItem(select, InClass(door.classes[i], scope), Numbered("p", i));
  }
  select.from = LowerFrom(scope);
  select.where = tree::Logic(ast::LogicOp::kAnd, DoorConditions(door));
  return select;
}

// The rows with whole steps in place of the arguments: x0 … NULL where the row is in no class of
// the statistic, so that both values of a pair are there or neither.
ast::Select LowerSteps(const Door& door) {
  ast::Select select;
  AddItem(select, tree::Column("r", "u"), "u");
  for (std::size_t i = 0; i < door.query->keys.size(); ++i) {
    AddItem(select, tree::Column("r", Numbered("k", i)), Numbered("k", i));
  }
  for (std::size_t i = 0; i < door.classes.size(); ++i) {
    AddItem(select, tree::Column("r", Numbered("p", i)), Numbered("p", i));
  }
  std::size_t argument = 0;
  for (const Statistic& statistic : door.statistics) {
    for (std::size_t i = 0; i < statistic.arguments.size(); ++i, ++argument) {
      if (CountsUnits(statistic.shape.kind)) continue;
      const std::string name = Numbered("a", argument);
      ast::ExprPtr step =
          EncodeValue(EncodingOf(statistic, i), [&] { return tree::Column("r", name); });
      if (statistic.arguments.size() > 1) {
        step = tree::When(tree::IsNotNull(tree::Column("r", Numbered("p", statistic.cell_class))),
                          std::move(step), tree::Null());
      }
      AddItem(select, std::move(step), Numbered("x", argument));
    }
  }
  select.from.push_back(AsTable(LowerRows(door)));
  return select;
}

// X^a Y^b of steps; the arguments are numbered from `first` on.
ast::ExprPtr Power(std::size_t first, unsigned a, unsigned b) {
  ast::ExprPtr product;
  for (unsigned i = 0; i < a + b; ++i) {
    ast::ExprPtr factor = tree::Column("r", Numbered("x", first + (i < a ? 0 : 1)));
    product =
        product ? tree::Call("step *", std::move(product), std::move(factor)) : std::move(factor);
  }
  return product;
}

// The sums of all statistics, one after the other.
void AddSums(ast::Select& select, const Door& door) {
  std::size_t argument = 0;
  std::size_t sum = 0;
  for (const Statistic& statistic : door.statistics) {
    for (const auto& [a, b] : SummedPowers(statistic.shape)) {
      const char* const name = a + b > 1 ? "sum of powers" : "sum of steps";
      AddItem(select, tree::Call(name, Power(argument, a, b)), Numbered("s", sum++));
    }
    argument += statistic.arguments.size();
  }
}

ast::Select LowerKeyList(const Door& door, const Relation& list) {
  const std::vector<BoundKey>& keys = door.query->keys;
  const LowerScope scope{list, *door.query->catalog, *door.numbers};
  ast::Select select;
  select.distinct = true;
  for (const std::size_t i : KeysOf(list, keys)) {
    AddItem(select, CanonicalKey(*keys[i].expr, scope), Numbered("k", i));
  }
  select.from = LowerFrom(scope);
  std::vector<ast::ExprPtr> conditions = LowerConditions(scope);
  if (!conditions.empty()) select.where = tree::Logic(ast::LogicOp::kAnd, std::move(conditions));
  select.limit = tree::Whole(static_cast<std::int64_t>(MostPublicKeys(keys) + 1));
  return select;
}

}  // namespace

LowerScope ScopeOf(const Door& door) {
  return {door.query->relation, *door.query->catalog, *door.numbers};
}

namespace {

// That a key has one of its declared values. A list of thousands must stay one look-up: engines
// plan a chain of OR in more than linear time and test it one by one. Lists of other types than
// these could be compared as another type than a single value is.
ast::ExprPtr IsListed(const BoundKey& key, const LowerScope& scope) {
  const TypeFamily family = key.expr->type.family;
  const bool plain = family == TypeFamily::kText || family == TypeFamily::kInteger;
  std::vector<ast::ExprPtr> items;
  for (const Value& value : key.values) {
    items.push_back(plain ? tree::Literal(value)
                          : tree::Call("=", LowerExpr(*key.expr, scope), tree::Literal(value)));
  }
  if (plain) return tree::In(LowerExpr(*key.expr, scope), std::move(items));
  return tree::Logic(ast::LogicOp::kOr, std::move(items));
}

}  // namespace

std::vector<ast::ExprPtr> DoorConditions(const Door& door) {
  const LowerScope scope = ScopeOf(door);
  std::vector<ast::ExprPtr> conditions = LowerConditions(scope);
  for (const BoundKey& key : door.query->keys) {
    if (!key.values.empty()) conditions.push_back(IsListed(key, scope));
  }
  return conditions;
}

ast::ExprPtr CanonicalKey(const BoundExpr& key, const LowerScope& scope) {
  ast::ExprPtr expr = LowerExpr(key, scope);
  const TypeFamily family = key.type.family;
  if (family == TypeFamily::kBoolean) return expr;
  if (family == TypeFamily::kDate) return tree::Call("date text", std::move(expr));
  if (family == TypeFamily::kTimestamp) return tree::Call("timestamp text", std::move(expr));
  return tree::Cast(std::move(expr), family == TypeFamily::kInteger ? "int8" : "text");
}

std::vector<ast::Select> LowerPublicKeys(const Door& door) {
  std::vector<ast::Select> lists;
  for (const Relation& list : door.public_keys) lists.push_back(LowerKeyList(door, list));
  return lists;
}

ast::Select LowerCells(const Door& door) {
  ast::Select select = LowerGroups(door, {});
  select.order_by.push_back({.expr = tree::Column("r", "u")});
  return select;
}

ast::Select LowerGroups(const Door& door, CellColumns columns) {
  ast::Select select;
  const auto add_key = [&](const std::string& name) {
    AddItem(select, tree::Column("r", name), name);
    AddGroup(select, tree::Column("r", name));
  };
  if (columns.units) add_key("u");
  for (std::size_t i = 0; i < door.query->keys.size(); ++i) add_key(Numbered("k", i));
  for (std::size_t i = 0; i < door.classes.size(); ++i) {
    AddItem(select, tree::Call("count", tree::Column("r", Numbered("p", i))), Numbered("n", i));
  }
  if (columns.sums) AddSums(select, door);
  select.from.push_back(AsTable(LowerSteps(door)));
  return select;
}

ast::Select LowerMostRows(const Door& door) {
  const LowerScope scope = ScopeOf(door);
  ast::Select units;
  AddItem(units, tree::CountStar(), "n");
  units.from = LowerFrom(scope);
  std::vector<ast::ExprPtr> conditions = DoorConditions(door);
  if (!conditions.empty()) units.where = tree::Logic(ast::LogicOp::kAnd, std::move(conditions));
  AddGroup(units, LowerOwner(scope));
  ast::Select select;
  AddItem(select, tree::Call("max", tree::Column("r", "n")), "most");
  select.from.push_back(AsTable(std::move(units)));
  return select;
}

ast::Select LowerAnswer(const DpPlan& plan, std::size_t draws) {
  return LowerNode(plan.query().root(), plan.query().catalog(), plan.door_numbers(),
                   {.ends = Ends::kLeftOut, .draws = draws});
}

}  // namespace dpsql

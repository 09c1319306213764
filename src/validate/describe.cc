#include <algorithm>
#include <sstream>

#include "validate/bound_query.h"

namespace dpsql {
namespace {

std::string LiteralText(const Value& value) {
  struct Printer {
    std::string operator()(std::monostate) const { return "NULL"; }
    std::string operator()(bool flag) const { return flag ? "TRUE" : "FALSE"; }
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const {
      std::ostringstream text;
      text.precision(17);
      text << number;
      return text.str();
    }
    std::string operator()(const std::string& text) const {
      std::string quoted = "'";
      for (const char c : text) quoted += c == '\'' ? "''" : std::string(1, c);
      return quoted + "'";
    }
  };
  return std::visit(Printer{}, value);
}

}  // namespace

const CatalogTable& TableOf(const Scan& scan, const Catalog& catalog) {
  return scan.node ? scan.node->table : catalog.table(scan.table);
}

bool SameExpr(const BoundExpr& a, const BoundExpr& b) {
  return a.kind == b.kind && a.type == b.type && a.literal == b.literal && a.column == b.column &&
         a.function == b.function &&
         std::equal(a.arguments.begin(), a.arguments.end(), b.arguments.begin(), b.arguments.end(),
                    [](const BoundExprPtr& x, const BoundExprPtr& y) { return SameExpr(*x, *y); });
}

bool SameArgument(const BoundExprPtr& a, const BoundExprPtr& b) {
  if (!a || !b) return a == b;
  return SameExpr(*a, *b);
}

const Relation* RelationOf(const QueryNode& node) {
  if (const auto* projection = std::get_if<Projection>(&node.body)) return &projection->relation;
  if (const auto* grouping = std::get_if<Grouping>(&node.body)) return &grouping->relation;
  if (const auto* windowing = std::get_if<Windowing>(&node.body)) return &windowing->relation;
  return nullptr;
}

namespace {

using Doors = std::vector<std::shared_ptr<const BoundDoor>>;

void AddDoors(const QueryNode& node, Doors& doors);

void AddDoors(const Relation& relation, Doors& doors) {
  for (const Scan& scan : relation.scans) {
    if (scan.node) AddDoors(*scan.node, doors);
  }
}

void AddDoors(const QueryNode& node, Doors& doors) {
  if (const Relation* relation = RelationOf(node)) return AddDoors(*relation, doors);
  if (const auto* operation = std::get_if<SetOperation>(&node.body)) {
    AddDoors(*operation->left, doors);
    AddDoors(*operation->right, doors);
    return;
  }
  const std::shared_ptr<const BoundDoor>& door = std::get<Release>(node.body).door;
  if (std::find(doors.begin(), doors.end(), door) != doors.end()) return;
  AddDoors(door->relation, doors);
  doors.push_back(door);
}

}  // namespace

Doors DoorsOf(const QueryNode& node) {
  Doors doors;
  AddDoors(node, doors);
  return doors;
}

std::string Describe(const BoundExpr& expr, const RelationView& view) {
  if (expr.kind == BoundKind::kLiteral) return LiteralText(expr.literal);
  if (expr.kind == BoundKind::kExists) {
    return "exists(" + view.relation.scans.at(expr.column.scan).alias + ")";
  }
  if (expr.kind == BoundKind::kColumn) {
    if (expr.column.scan >= view.relation.scans.size()) return "(subquery)";
    const Scan& scan = view.relation.scans[expr.column.scan];
    return scan.alias + "." + view.table(scan).columns.at(expr.column.column).name;
  }
  std::vector<std::string> arguments;
  for (const BoundExprPtr& argument : expr.arguments) {
    arguments.push_back(Describe(*argument, view));
  }
  return WriteCall(expr.function, arguments);
}

}  // namespace dpsql

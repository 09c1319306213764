#include "support/unit_local_walk.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "support/unit_local_facts.h"

namespace dpsql {
namespace unit_local {
namespace {

constexpr int kMostExactDigits = 18;  // sums of wider decimals are not known to fit

bool SameTree(const BoundExpr& a, const BoundExpr& b) {
  if (a.kind != b.kind || a.type != b.type || a.function != b.function) return false;
  if (!(a.column == b.column) || a.literal != b.literal) return false;
  return std::equal(a.arguments.begin(), a.arguments.end(), b.arguments.begin(), b.arguments.end(),
                    [](const auto& x, const auto& y) { return SameTree(*x, *y); });
}

bool AddsExactly(const Type& type) {
  if (type.family == TypeFamily::kInteger) return true;
  const auto digits = DigitsOf(type);
  return digits && digits->precision <= kMostExactDigits;
}

bool IsAmong(const BoundExpr& expr, const std::vector<BoundExprPtr>& list) {
  return std::any_of(list.begin(), list.end(),
                     [&](const BoundExprPtr& other) { return SameTree(*other, expr); });
}

// From the root to the doors.
void CheckPublicTop(const QueryNode& node, const Catalog& catalog) {
  if (std::holds_alternative<Release>(node.body)) return;
  if (const auto* sides = std::get_if<SetOperation>(&node.body)) {
    CheckPublicTop(*sides->left, catalog);
    return CheckPublicTop(*sides->right, catalog);
  }
  for (const Scan& scan : RelationOf(node)->scans) {
    if (scan.node) {
      CheckPublicTop(*scan.node, catalog);
    } else {
      Promise(catalog.table(scan.table).is_public, "above the doors only public tables are read");
    }
  }
}

// Which part of a relation an expression stands in: everywhere, or in the conditions of one scan.
using Place = std::optional<std::size_t>;

class Placing {
 public:
  Placing(const Relation& relation, const std::vector<RowFacts>& scans)
      : relation_(relation), scans_(scans) {
    for (std::size_t s = 0; s < scans.size(); ++s) {
      const bool own = relation.scans[s].role != ScanRole::kInner;
      Promise(own || relation.scans[s].on.empty(), "an inner scan has no conditions of its own");
      for (const BoundExprPtr& condition : relation.scans[s].on) Expr(*condition, s);
    }
    for (const BoundExprPtr& condition : relation.conditions) Expr(*condition);
  }

  void Expr(const BoundExpr& expr, Place place = std::nullopt) const {
    if (expr.kind == BoundKind::kColumn) Column(expr, place);
    if (expr.kind == BoundKind::kExists) Exists(expr, place);
    for (const BoundExprPtr& argument : expr.arguments) Expr(*argument, place);
  }

 private:
  const Scan& ScanAt(const BoundExpr& expr) const {
    Promise(expr.column.scan < relation_.scans.size(), "an expression reads its own relation");
    return relation_.scans[expr.column.scan];
  }

  // A join sees the inner scans, and the optional ones before it.
  void Column(const BoundExpr& expr, Place place) const {
    const Scan& scan = ScanAt(expr);
    const RowFacts& facts = scans_[expr.column.scan];
    Promise(expr.column.column < facts.types.size(), "an expression reads columns that are there");
    Promise(expr.type == facts.types[expr.column.column], "a column has the type of its table");
    if (place == expr.column.scan) return;
    Promise(scan.role != ScanRole::kTested, "what is tested is not joined");
    const bool joins = place && relation_.scans[*place].role != ScanRole::kTested;
    Promise(!joins || scan.role == ScanRole::kInner || expr.column.scan < *place,
            "a join reads what is joined before it");
  }

  void Exists(const BoundExpr& expr, Place place) const {
    Promise(ScanAt(expr).role == ScanRole::kTested, "what is tested is a tested scan");
    Promise(!place || expr.column.scan < *place, "a test does not ask itself");
  }

  const Relation& relation_;
  const std::vector<RowFacts>& scans_;
};

class Walk {
 public:
  explicit Walk(const Catalog& catalog) : catalog_(catalog) {}

  // The facts of a node, after a look at everything below it. Shared nodes are looked at once.
  const RowFacts& Node(const QueryNode& node) {
    const auto seen = nodes_.find(&node);
    if (seen != nodes_.end()) return seen->second;
    RowFacts facts = std::visit([&](const auto& body) { return Body(body, node); }, node.body);
    CheckClaims(facts, node.table);
    return nodes_.emplace(&node, std::move(facts)).first->second;
  }

 private:
  // A relation that was looked at. The facts refer to the scans, so it stays where it is.
  struct Read {
    Read(const Relation& relation, std::vector<RowFacts> read)
        : scans(std::move(read)), placing(relation, scans), facts(relation, scans) {}
    Read(const Read&) = delete;
    Read& operator=(const Read&) = delete;

    std::vector<RowFacts> scans;
    Placing placing;
    RelationFacts facts;
  };

  std::vector<RowFacts> Scans(const Relation& relation) {
    std::vector<RowFacts> scans;
    for (const Scan& scan : relation.scans) {
      scans.push_back(scan.node ? Node(*scan.node) : FactsOfTable(catalog_, scan.table));
    }
    return scans;
  }

  // What the lowering and the planner believe of a relation.
  static void CheckRelation(const Relation& relation, const RelationFacts& facts) {
    if (facts.is_full()) return;
    Promise(relation.owner.has_value() == facts.is_private(), "private rows have an owner");
    if (relation.owner) {
      Promise(facts.HoldsOwnerAt(relation.owner->column),
              "the owner that was written down owns every row");
      Promise(relation.owner->kind == facts.kind(), "the owner is of its kind");
    }
    for (std::size_t s = 0; s < relation.determined.size(); ++s) {
      if (!relation.determined[s] || relation.scans[s].role == ScanRole::kTested) continue;
      Promise(facts.Single(s),
              "a unit has one row of a determined scan, which is the same for all "
              "its rows");
    }
  }

  static void CheckClaims(const RowFacts& facts, const CatalogTable& table) {
    Promise(facts.is_private != table.is_public, "private rows are not called public");
    Promise(facts.types.size() == table.columns.size(), "a node has its columns");
    for (std::size_t i = 0; i < facts.types.size(); ++i) {
      Promise(facts.types[i] == table.columns[i].type, "a column has the type of its value");
    }
    for (const std::vector<std::size_t>& claimed : table.unique_keys) {
      const bool known = std::any_of(facts.keys.begin(), facts.keys.end(), [&](const auto& key) {
        return std::all_of(key.begin(), key.end(), [&](std::size_t column) {
          return facts.owners.contains(column) ||
                 std::find(claimed.begin(), claimed.end(), column) != claimed.end();
        });
      });
      Promise(known, "a unique key of a query is unique");
    }
    if (!facts.is_private) return;
    Promise(!facts.owners.empty(), "a private query keeps the owner among its columns");
    Promise(table.unit_column && facts.owners.contains(*table.unit_column),
            "the unit column of a query holds the owner");
    Promise(table.kind == facts.kind, "a query is of its kind of unit");
  }

  static void CheckExact(const std::vector<Type>& types, const char* promise) {
    for (const Type& type : types) Promise(IsExact(type), promise);
  }

  RowFacts Body(const Projection& body, const QueryNode&) {
    const Read read(body.relation, Scans(body.relation));
    CheckRelation(body.relation, read.facts);
    for (const BoundExprPtr& column : body.columns) read.placing.Expr(*column);
    for (const BoundOrder& order : body.order_by) read.placing.Expr(*order.expr);
    RowFacts facts = read.facts.Project(body.columns);
    if (body.limit && *body.limit <= 1) facts.keys.emplace_back();
    if (body.distinct) facts.keys.push_back(AllBut({}, body.columns.size()));
    if (!facts.is_private) return facts;
    Promise(body.order_by.empty() && !body.limit && !body.offset,
            "rows of people are neither ordered nor limited");
    if (body.distinct) CheckExact(facts.types, "distinct private rows are exact");
    return facts;
  }

  RowFacts Body(const Grouping& body, const QueryNode&) {
    const Read read(body.relation, Scans(body.relation));
    CheckRelation(body.relation, read.facts);
    for (const BoundExprPtr& key : body.keys) read.placing.Expr(*key);
    RowFacts facts = read.facts.Project(body.keys);
    if (facts.is_private) {
      Promise(!facts.owners.empty(), "a grouping of private rows has the owner among its keys");
      CheckExact(facts.types, "keys of private groups are exact");
    }
    facts.keys.push_back(AllBut(facts.owners, body.keys.size()));
    for (const ExactAggregate& aggregate : body.aggregates) {
      if (aggregate.argument) read.placing.Expr(*aggregate.argument);
      if (facts.is_private) CheckAggregate(aggregate);
      if (aggregate.argument && read.facts.Tainted(*aggregate.argument)) {
        facts.tainted.insert(facts.types.size());
      }
      facts.types.push_back(aggregate.type);
    }
    return facts;
  }

  // Functions of the multiset of a unit's rows: no order of rows shows in them.
  static void CheckAggregate(const ExactAggregate& aggregate) {
    const bool counts = aggregate.function == "count";
    const bool adds = aggregate.function == "sum" || aggregate.function == "avg";
    const bool chooses = aggregate.function == "min" || aggregate.function == "max";
    Promise(counts || adds || chooses, "an aggregate of a unit's rows depends on no order");
    if (!aggregate.argument) return Promise(counts, "only count needs no argument");
    const Type& type = aggregate.argument->type;
    Promise(!adds || (AddsExactly(type) && !aggregate.distinct), "sums of a unit's rows are exact");
    Promise(!chooses || IsExact(type), "least and greatest of a unit's values are exact");
    Promise(!counts || !aggregate.distinct || IsExact(type), "distinct values of a unit are exact");
  }

  RowFacts Body(const Windowing& body, const QueryNode&) {
    const Read read(body.relation, Scans(body.relation));
    CheckRelation(body.relation, read.facts);
    for (const BoundExprPtr& input : body.inputs) read.placing.Expr(*input);
    RowFacts facts = read.facts.Project(body.inputs);
    for (const WindowCall& window : body.windows) {
      for (const BoundExprPtr& part : PartsOf(window)) read.placing.Expr(*part);
      if (facts.is_private) CheckWindow(window, body, read.facts);
      const auto taints = [&](const BoundExprPtr& part) { return read.facts.Tainted(*part); };
      if (std::any_of(window.arguments.begin(), window.arguments.end(), taints)) {
        facts.tainted.insert(facts.types.size());
      }
      facts.types.push_back(window.type);
    }
    return facts;
  }

  static std::vector<BoundExprPtr> PartsOf(const WindowCall& window) {
    std::vector<BoundExprPtr> parts = window.arguments;
    parts.insert(parts.end(), window.partition_by.begin(), window.partition_by.end());
    for (const BoundOrder& order : window.order_by) parts.push_back(order.expr);
    return parts;
  }

  static void CheckWindow(const WindowCall& window, const Windowing& body,
                          const RelationFacts& facts) {
    const auto holds = [&](const BoundExprPtr& expr) { return facts.HoldsOwner(*expr); };
    Promise(std::any_of(window.partition_by.begin(), window.partition_by.end(), holds),
            "a window over private rows is of one owner's rows");
    for (const BoundExprPtr& expr : window.partition_by) {
      Promise(IsExact(expr->type), "partitions of private rows are exact");
    }
    for (const BoundOrder& order : window.order_by) {
      Promise(IsExact(order.expr->type), "orders of private rows are exact");
    }
    // No frame changes a rank.
    constexpr auto kRanks =
        std::to_array<std::string_view>({"rank", "dense_rank", "percent_rank", "cume_dist"});
    constexpr auto kSums = std::to_array<std::string_view>({"count", "sum", "avg", "min", "max"});
    const auto among = [&](const auto& names) {
      return std::find(names.begin(), names.end(), window.function) != names.end();
    };
    const bool by_rows = window.frame == ast::FrameMode::kRows;
    const bool free = among(kRanks) || (among(kSums) && !by_rows);
    const bool adds = window.function == "sum" || window.function == "avg";
    const bool chooses = window.function == "min" || window.function == "max";
    for (const BoundExprPtr& argument : window.arguments) {
      Promise(!adds || AddsExactly(argument->type), "sums of a unit's rows are exact");
      Promise(!chooses || IsExact(argument->type), "least and greatest values are exact");
    }
    if (!free) CheckTotalOrder(window, body.inputs);
  }

  // Rows that the order leaves undecided are equal in all that the query goes on with.
  static void CheckTotalOrder(const WindowCall& window, const std::vector<BoundExprPtr>& inputs) {
    std::vector<BoundExprPtr> ordered;
    for (const BoundOrder& order : window.order_by) ordered.push_back(order.expr);
    for (const BoundExprPtr& input : inputs) {
      Promise(IsExact(input->type), "a window that shows an order reads exact values");
      Promise(IsAmong(*input, ordered), "a window that shows an order orders by all its inputs");
    }
    for (const BoundExprPtr& part : PartsOf(window)) {
      const bool beside =
          AnyLeaf(*part, [&](const BoundExpr& leaf) { return !IsAmong(leaf, inputs); });
      Promise(!beside, "a window reads its inputs");
    }
  }

  RowFacts Body(const SetOperation& body, const QueryNode& node) {
    const RowFacts& left = Node(*body.left);
    const RowFacts& right = Node(*body.right);
    Promise(left.is_private == right.is_private, "private and public rows are never mixed");
    Promise(left.kind == right.kind, "rows of two kinds of units are never mixed");
    Promise(left.types.size() == right.types.size(), "both sides have as many columns");
    RowFacts facts{.is_private = left.is_private, .kind = left.kind};
    const std::size_t columns = std::min(left.types.size(), node.table.columns.size());
    Promise(!left.is_private || columns == left.types.size(), "private columns are all kept");
    for (std::size_t i = 0; i < columns; ++i) {
      Promise(left.types[i] == right.types[i], "both sides have columns of the same types");
      facts.types.push_back(left.types[i]);
      if (left.owners.contains(i) && right.owners.contains(i)) facts.owners.insert(i);
      if (left.tainted.contains(i) || right.tainted.contains(i)) facts.tainted.insert(i);
    }
    if (!facts.is_private) return facts;
    Promise(!facts.owners.empty(), "the owner stands at one position on both sides");
    if (body.all && body.op == ast::SetOp::kUnion) return facts;
    CheckExact(facts.types, "compared private rows are exact");
    return facts;
  }

  RowFacts Body(const Release& body, const QueryNode& node) {
    Door(*body.door);
    RowFacts facts;
    const std::size_t keys = body.door->keys.size();
    Promise(node.table.columns.size() == keys + body.door->aggregates.size(),
            "a release has its keys and aggregates");
    for (const CatalogColumn& column : node.table.columns) facts.types.push_back(column.type);
    for (std::size_t i = 0; i < keys; ++i) facts.types[i] = body.door->keys[i].expr->type;
    facts.keys.push_back(AllBut({}, keys));
    return facts;
  }

  void Door(const BoundDoor& door) {
    const Read read(door.relation, Scans(door.relation));
    Promise(read.facts.is_private() && !read.facts.is_full(), "a door opens on private rows");
    CheckRelation(door.relation, read.facts);
    for (const BoundKey& key : door.keys) {
      read.placing.Expr(*key.expr);
      Promise(!read.facts.Tainted(*key.expr), "a unit is no key of a door");
      Promise(IsExact(key.expr->type), "keys of a door are exact");
      Promise(!key.determined || read.facts.Fixed(*key.expr),
              "a unit has one value of a key that it determines");
    }
    for (const BoundAggregate& aggregate : door.aggregates) {
      for (const BoundedArgument& argument : aggregate.arguments) {
        read.placing.Expr(*argument.expr);
        Promise(!read.facts.Tainted(*argument.expr), "a unit is no argument of a door");
      }
    }
    const std::vector<bool>& determined = door.relation.determined;
    const bool one = std::all_of(determined.begin(), determined.end(), [](bool is) { return is; });
    Promise(!one || read.facts.AllSingle(), "a unit has one row where that was written down");
  }

  static std::set<std::size_t> AllBut(const std::set<std::size_t>& left_out, std::size_t end) {
    std::set<std::size_t> positions;
    for (std::size_t i = 0; i < end; ++i) {
      if (!left_out.contains(i)) positions.insert(i);
    }
    return positions;
  }

  const Catalog& catalog_;
  std::map<const QueryNode*, RowFacts> nodes_;
};

}  // namespace
}  // namespace unit_local

std::optional<std::string> FindBrokenPromise(const QueryNode& root, const Catalog& catalog) {
  try {
    unit_local::CheckPublicTop(root, catalog);
    const bool is_private = unit_local::Walk(catalog).Node(root).is_private;
    unit_local::Promise(!is_private, "the answer is public");
  } catch (const unit_local::Broken& broken) {
    return broken.what();
  }
  return std::nullopt;
}

void CheckUnitLocal(const BoundQuery& query) {
  const auto broken = FindBrokenPromise(query.root(), query.catalog());
  if (broken) throw Bug("unit-local walk: " + *broken);
}

}  // namespace dpsql

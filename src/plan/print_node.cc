#include "plan/print_node.h"

namespace dpsql {
namespace {

std::string RoleText(const Scan& scan) {
  switch (scan.role) {
    case ScanRole::kOptional:
      return "optional ";
    case ScanRole::kFull:
      return "full ";
    case ScanRole::kTested:
      return "tested ";
    case ScanRole::kInner:
      break;
  }
  return "";
}

std::string OrderText(const std::vector<BoundOrder>& orders, const RelationView& view) {
  std::string text;
  for (const BoundOrder& order : orders) {
    text += (text.empty() ? "" : ", ") + Describe(*order.expr, view);
    if (order.descending) text += " desc";
  }
  return text;
}

std::string ListText(const std::vector<BoundExprPtr>& exprs, const RelationView& view) {
  std::string text;
  for (const BoundExprPtr& expr : exprs) text += (text.empty() ? "" : ", ") + Describe(*expr, view);
  return text;
}

std::string AggregateText(const ExactAggregate& aggregate, const RelationView& view) {
  std::string value = aggregate.argument ? Describe(*aggregate.argument, view) : "*";
  if (aggregate.distinct) value = "distinct " + value;
  return aggregate.function + "(" + value + ")";
}

std::string WindowText(const WindowCall& window, const RelationView& view) {
  std::string over;
  if (!window.partition_by.empty()) over += "partition by " + ListText(window.partition_by, view);
  if (!window.order_by.empty()) {
    over += (over.empty() ? "order by " : " order by ") + OrderText(window.order_by, view);
  }
  const std::string arguments = window.star ? "*" : ListText(window.arguments, view);
  return window.function + "(" + arguments + ") over (" + over + ")";
}

class NodePrinter {
 public:
  NodePrinter(const QueryNode& node, const Catalog& catalog, const DoorNumbers& doors,
              const std::string& indent, const LineSink& line)
      : node_(node), catalog_(catalog), doors_(doors), indent_(indent), line_(line) {}

  void operator()(const Projection& body) const {
    const RelationView view = Rows(body.relation);
    for (std::size_t i = 0; i < body.columns.size(); ++i) {
      Column(i, Describe(*body.columns[i], view));
    }
    if (body.distinct) Line("distinct");
    if (!body.order_by.empty()) Line("order by " + OrderText(body.order_by, view));
    if (body.limit) Line("limit " + std::to_string(*body.limit));
    if (body.offset) Line("offset " + std::to_string(*body.offset));
  }

  void operator()(const Grouping& body) const {
    const RelationView view = Rows(body.relation);
    for (const BoundExprPtr& key : body.keys) Line("group by " + Describe(*key, view));
    for (std::size_t i = 0; i < body.aggregates.size(); ++i) {
      Column(body.keys.size() + i, AggregateText(body.aggregates[i], view));
    }
  }

  void operator()(const Windowing& body) const {
    const RelationView view = Rows(body.relation);
    for (std::size_t i = 0; i < body.windows.size(); ++i) {
      Column(body.inputs.size() + i, WindowText(body.windows[i], view));
    }
  }

  void operator()(const SetOperation& body) const {
    static constexpr std::string_view kNames[] = {"union", "intersect", "except"};
    Line(std::string(kNames[static_cast<std::size_t>(body.op)]) + (body.all ? " all" : ""));
    PrintNode(*body.left, catalog_, doors_, indent_ + "  ", line_);
    Line("with");
    PrintNode(*body.right, catalog_, doors_, indent_ + "  ", line_);
  }

  void operator()(const Release& body) const {
    Line("the release of door " + std::to_string(doors_.at(body.door.get()) + 1));
  }

 private:
  void Line(const std::string& text) const { line_(indent_ + text); }

  void Column(std::size_t position, const std::string& value) const {
    Line("column " + node_.table.columns[position].name + " = " + value);
  }

  RelationView Rows(const Relation& relation) const {
    const RelationView view{relation, catalog_};
    PrintScans(view, doors_, indent_, line_);
    for (const BoundExprPtr& condition : relation.conditions) {
      Line("where " + Describe(*condition, view));
    }
    return view;
  }

  const QueryNode& node_;
  const Catalog& catalog_;
  const DoorNumbers& doors_;
  const std::string& indent_;
  const LineSink& line_;
};

std::string ScanText(const RelationView& view, const Scan& scan, const DoorNumbers& doors) {
  const CatalogTable& table = view.table(scan);
  const auto* release = scan.node ? std::get_if<Release>(&scan.node->body) : nullptr;
  if (release != nullptr) {
    return RoleText(scan) + "the release of door " +
           std::to_string(doors.at(release->door.get()) + 1) + " as " + scan.alias;
  }
  std::string text = RoleText(scan) + (table.is_public ? "public " : "private ");
  text += scan.node ? "query" : table.name;
  if (scan.alias != table.name || scan.node) text += " as " + scan.alias;
  if (scan.added && !scan.node) text += ", added to reach the unit";
  return text;
}

}  // namespace

void PrintScans(const RelationView& view, const DoorNumbers& doors, const std::string& indent,
                const LineSink& line) {
  for (const Scan& scan : view.relation.scans) {
    line(indent + ScanText(view, scan, doors));
    for (const BoundExprPtr& condition : scan.on) {
      line(indent + "  on " + Describe(*condition, view));
    }
    const bool release = scan.node && std::holds_alternative<Release>(scan.node->body);
    if (scan.node && !release) PrintNode(*scan.node, view.catalog, doors, indent + "  ", line);
  }
}

void PrintNode(const QueryNode& node, const Catalog& catalog, const DoorNumbers& doors,
               const std::string& indent, const LineSink& line) {
  std::visit(NodePrinter(node, catalog, doors, indent, line), node.body);
}

}  // namespace dpsql

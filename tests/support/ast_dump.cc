#include "support/ast_dump.h"

#include <cstddef>
#include <utility>

namespace dpsql {
namespace {

// Walks a tree once; writes brackets and notes places on the way.
class Dumper {
 public:
  void Write(const ast::Expr& expr) {
    const std::size_t place = Enter("Expr", expr.span);
    std::visit([this](const auto& node) { WriteNode(node); }, expr.node);
    Leave(place);
  }

  void Write(const ast::Select& select) {
    const std::size_t place = Enter("Select", select.span);
    Open("select");
    if (select.recursive) Word("recursive");
    for (const ast::Cte& cte : select.with) Write(cte);
    if (select.set_operation) Write(*select.set_operation);
    WriteBlock(select);
    List("order", select.order_by);
    Optional("limit", select.limit);
    Optional("offset", select.offset);
    if (select.limit_with_ties) Word("with_ties");
    Close();
    Leave(place);
  }

  void Write(const ast::Statement& statement) {
    const std::size_t place = Enter("Statement", statement.span);
    std::visit([this](const auto& node) { WriteNode(node); }, statement.node);
    Leave(place);
  }

  std::string text() const { return text_; }
  std::vector<Place> places() const { return places_; }

 private:
  std::size_t Enter(std::string kind, SourceSpan span) {
    places_.push_back({.kind = std::move(kind), .span = span, .depth = depth_++, .dump = ""});
    starts_.push_back(text_.size());
    return places_.size() - 1;
  }
  void Leave(std::size_t place) {
    --depth_;
    std::string dump = text_.substr(starts_[place]);
    if (dump.starts_with(' ')) dump.erase(0, 1);
    places_[place].dump = std::move(dump);
  }
  void Note(std::string kind, SourceSpan span) { Leave(Enter(std::move(kind), span)); }

  void Word(std::string_view word) {
    if (!text_.empty() && !text_.ends_with('(')) text_ += ' ';
    text_ += word;
  }
  void Quoted(std::string_view text) { Word("'" + std::string(text) + "'"); }
  void Open(std::string_view word) { Word("(" + std::string(word)); }
  void Close() { text_ += ')'; }

  void Item(const std::string& text) { Quoted(text); }
  void Item(const ast::ExprPtr& expr) { Write(*expr); }
  void Item(const ast::From& from) { Write(from); }
  void Item(const ast::GroupItem& item) { Write(item); }
  void Item(const ast::Window& window) { Write(window); }
  void Item(const ast::OrderItem& item) {
    Open(item.descending ? "desc" : "asc");
    if (item.nulls_first) Word(*item.nulls_first ? "nulls_first" : "nulls_last");
    Write(*item.expr);
    Close();
  }
  void Item(const ast::SelectItem& item) {
    Open("item");
    if (!item.alias.empty()) Quoted(item.alias);
    Write(*item.expr);
    Close();
  }
  void Item(const std::vector<ast::ExprPtr>& row) {
    Open("values");
    for (const ast::ExprPtr& value : row) Write(*value);
    Close();
  }

  template <typename T>
  void List(std::string_view name, const std::vector<T>& items) {
    if (items.empty()) return;
    Open(name);
    for (const T& item : items) Item(item);
    Close();
  }
  void Optional(std::string_view name, const ast::ExprPtr& expr) {
    if (expr == nullptr) return;
    Open(name);
    Write(*expr);
    Close();
  }

  void WriteBlock(const ast::Select& select) {
    if (select.privacy) Write(*select.privacy);
    if (select.distinct) Word("distinct");
    List("on", select.distinct_on);
    List("items", select.items);
    List("from", select.from);
    Optional("where", select.where);
    if (select.group_distinct) Word("group_distinct");
    List("group", select.group_by);
    Optional("having", select.having);
    List("windows", select.windows);
    List("rows", select.values);
  }

  void Write(const ast::Cte& cte) {
    const std::size_t place = Enter("Cte", cte.span);
    Open("cte");
    Quoted(cte.name);
    List("columns", cte.column_aliases);
    Write(*cte.select);
    Close();
    Leave(place);
  }

  void Write(const ast::SetOperation& operation) {
    static constexpr std::string_view kNames[] = {"union", "intersect", "except"};
    Open(kNames[static_cast<int>(operation.op)]);
    if (operation.all) Word("all");
    Write(*operation.left);
    Write(*operation.right);
    Close();
  }

  void Write(const ast::GroupItem& item) {
    static constexpr std::string_view kNames[] = {"key", "empty", "rollup", "cube", "sets"};
    const std::size_t place = Enter("Group", item.span);
    Open(kNames[static_cast<int>(item.kind)]);
    if (item.expr) Write(*item.expr);
    for (const ast::GroupItem& element : item.elements) Write(element);
    Close();
    Leave(place);
  }

  void Write(const ast::From& from) {
    const std::size_t place = Enter("From", from.span);
    Open("relation");
    std::visit([this](const auto& node) { WriteNode(node); }, from.node);
    if (!from.alias.empty()) Quoted(from.alias);
    List("columns", from.column_aliases);
    Close();
    Leave(place);
  }

  void Write(const ast::Window& window) {
    const std::size_t place = Enter("Window", window.span);
    Open("window");
    if (!window.name.empty()) Quoted(window.name);
    if (!window.base_name.empty()) Word("base:" + window.base_name);
    List("partition", window.partition_by);
    List("order", window.order_by);
    if (window.frame) Write(*window.frame);
    Close();
    Leave(place);
  }

  void Write(const ast::Frame& frame) {
    Open("frame");
    Word(std::to_string(static_cast<int>(frame.mode)));
    for (const ast::FrameBound* bound : {&frame.start, &frame.end}) {
      Word(std::to_string(static_cast<int>(bound->kind)));
      if (bound->offset) Write(*bound->offset);
    }
    Word(frame.exclude);
    Close();
  }

  void Write(const ast::TypeName& type) {
    const std::size_t place = Enter("Type", type.span);
    Open("type");
    Word(type.name);
    for (const std::int64_t modifier : type.modifiers) Word(std::to_string(modifier));
    if (type.array) Word("array");
    Close();
    Leave(place);
  }

  void WriteNode(const ast::Null&) { Word("null"); }
  void WriteNode(const ast::Boolean& node) { Word(node.value ? "true" : "false"); }
  void WriteNode(const ast::Number& node) { Word(node.text); }
  void WriteNode(const ast::String& node) { Quoted(node.value); }
  void WriteNode(const ast::Parameter& node) { Word("$" + std::to_string(node.index)); }
  void WriteNode(const ast::ColumnRef& node) { List("column", node.parts); }
  void WriteNode(const ast::Star& node) {
    Word("*");
    List("of", node.qualifier);
  }

  void WriteNode(const ast::Call& node) {
    Note("Name", node.name_span);
    Open(node.is_operator ? "operator" : "call");
    Quoted(node.name);
    List("schema", node.schema);
    if (node.star) Word("star");
    if (node.distinct) Word("distinct");
    for (const ast::Argument& argument : node.arguments) {
      if (!argument.name.empty()) Word(argument.name + ":");
      Write(*argument.value);
    }
    if (node.within_group) Word("within_group");
    List("order", node.order_by);
    Optional("filter", node.filter);
    if (node.over) Write(*node.over);
    Close();
  }

  void WriteNode(const ast::Logic& node) {
    static constexpr std::string_view kNames[] = {"and", "or", "not"};
    List(kNames[static_cast<int>(node.op)], node.operands);
  }

  void WriteNode(const ast::Test& node) {
    static constexpr std::string_view kNames[] = {"is_null", "is_true", "is_false", "is_unknown"};
    Open(kNames[static_cast<int>(node.kind)]);
    if (node.negated) Word("negated");
    Write(*node.operand);
    Close();
  }

  void WriteNode(const ast::Between& node) {
    Open("between");
    if (node.negated) Word("negated");
    if (node.symmetric) Word("symmetric");
    Write(*node.operand);
    Write(*node.low);
    Write(*node.high);
    Close();
  }

  void WriteNode(const ast::InList& node) {
    Open("in");
    if (node.negated) Word("negated");
    Write(*node.operand);
    List("list", node.items);
    Close();
  }

  void WriteNode(const ast::Case& node) {
    Open("case");
    Optional("of", node.operand);
    for (const ast::WhenClause& clause : node.when) {
      Open("when");
      Write(*clause.condition);
      Write(*clause.result);
      Close();
    }
    Optional("else", node.otherwise);
    Close();
  }

  void WriteNode(const ast::Cast& node) {
    Open("cast");
    Write(*node.operand);
    Write(node.type);
    Close();
  }

  void WriteNode(const ast::Row& node) {
    Open("row");
    for (const ast::ExprPtr& item : node.items) Write(*item);
    Close();
  }

  void WriteNode(const ast::Subquery& node) {
    static constexpr std::string_view kNames[] = {"scalar", "exists", "any", "all", "array"};
    Open(kNames[static_cast<int>(node.kind)]);
    if (node.test) Quoted(node.operator_name);
    if (node.test) Write(*node.test);
    Write(*node.select);
    Close();
  }

  void WriteNode(const ast::TableName& node) { List("table", node.parts); }
  void WriteNode(const ast::DerivedTable& node) {
    if (node.lateral) Word("lateral");
    Write(*node.select);
  }
  void WriteNode(const ast::TableFunction& node) {
    if (node.lateral) Word("lateral");
    Write(*node.call);
  }
  void WriteNode(const ast::Join& node) {
    static constexpr std::string_view kNames[] = {"inner", "left", "right", "full", "cross"};
    Open(kNames[static_cast<int>(node.kind)]);
    if (node.natural) Word("natural");
    Write(*node.left);
    Write(*node.right);
    Optional("on", node.on);
    List("using", node.using_columns);
    Close();
  }

  void WriteNode(const ast::SelectStatement& node) { Write(node.select); }
  void WriteNode(const ast::ExplainStatement& node) {
    Open("explain");
    Write(node.select);
    Close();
  }
  void WriteNode(const ast::SetStatement& node) {
    Note("Name", node.name_span);
    Note("Value", node.value_span);
    Open("set");
    Quoted(node.name);
    Quoted(node.value);
    Close();
  }

  void WriteNode(const ast::AlterPrivateTable& node) {
    Note("Name", node.table_span);
    Open("alter");
    List("table", node.table);
    Write(node.options);
    Close();
  }

  void Write(const ast::PrivacyOptions& node) {
    Note("Privacy", node.span);
    Open("privacy");
    for (const ast::PrivacyOption& option : node.options) {
      Note("Name", option.name_span);
      Note("Value", option.value_span);
      Quoted(option.name);
      Quoted(option.value);
    }
    Close();
  }

  std::string text_;
  std::vector<Place> places_;
  std::vector<std::size_t> starts_;  // of each place's text
  int depth_ = 0;
};

template <typename T>
std::string DumpAny(const T& tree) {
  Dumper dumper;
  dumper.Write(tree);
  return dumper.text();
}

}  // namespace

std::string Dump(const ast::Expr& expr) { return DumpAny(expr); }
std::string Dump(const ast::Select& select) { return DumpAny(select); }
std::string Dump(const ast::Statement& statement) { return DumpAny(statement); }

std::vector<Place> Places(const ast::Statement& statement) {
  Dumper dumper;
  dumper.Write(statement);
  return dumper.places();
}

}  // namespace dpsql

#include "sql/print_query.h"

#include "base/check.h"

namespace dpsql {
namespace {

std::string InBrackets(std::string text) { return "(" + std::move(text) + ")"; }

void Append(std::string& out, std::string_view separator, std::string_view piece) {
  if (!out.empty()) out += separator;
  out += piece;
}

}  // namespace

std::string QueryPrinter::Print(const ast::Select& select) const {
  std::string out = PrintWith(select);
  if (select.set_operation) {
    out += Print(*select.set_operation);
  } else {
    out += select.values.empty() ? PrintBlock(select) : PrintValues(select);
  }
  return out + PrintTail(select);
}

std::string QueryPrinter::PrintWith(const ast::Select& select) const {
  if (select.with.empty()) return "";
  std::string list;
  for (const ast::Cte& cte : select.with) {
    std::string head = Name(cte.name);
    if (!cte.column_aliases.empty()) head += InBrackets(Names(cte.column_aliases, ", "));
    Append(list, ", ", head + " AS (" + Print(*cte.select) + ")");
  }
  return (select.recursive ? "WITH RECURSIVE " : "WITH ") + list + " ";
}

std::string QueryPrinter::Print(const ast::SetOperation& operation) const {
  static constexpr std::string_view kNames[] = {" UNION ", " INTERSECT ", " EXCEPT "};
  const std::string before = dialect_.set_brackets() ? "" : "SELECT * FROM ";
  return before + InBrackets(Print(*operation.left)) +
         std::string(kNames[static_cast<std::size_t>(operation.op)]) +
         (operation.all ? "ALL " : "") + before + InBrackets(Print(*operation.right));
}

std::string QueryPrinter::PrintValues(const ast::Select& select) const {
  std::string rows;
  for (const std::vector<ast::ExprPtr>& row : select.values) {
    Append(rows, ", ", InBrackets(List(row)));
  }
  return "VALUES " + rows;
}

std::string QueryPrinter::PrintBlock(const ast::Select& select) const {
  std::string out = "SELECT";
  if (select.distinct) out += " DISTINCT";
  if (!select.distinct_on.empty()) out += " ON " + InBrackets(List(select.distinct_on));
  std::string items;
  for (const ast::SelectItem& item : select.items) {
    Append(items, ", ", Print(*item.expr) + (item.alias.empty() ? "" : " AS " + Name(item.alias)));
  }
  if (!items.empty()) out += " " + items;
  std::string from;
  for (const ast::From& relation : select.from) Append(from, ", ", Print(relation));
  if (!from.empty()) out += " FROM " + from;
  if (select.where) out += " WHERE " + Print(*select.where);
  std::string groups;
  for (const ast::GroupItem& item : select.group_by) Append(groups, ", ", Print(item));
  if (!groups.empty())
    out += (select.group_distinct ? " GROUP BY DISTINCT " : " GROUP BY ") + groups;
  if (select.having) out += " HAVING " + Print(*select.having);
  std::string windows;
  for (const ast::Window& window : select.windows) {
    Append(windows, ", ", Name(window.name) + " AS " + PrintWindow(window));
  }
  return windows.empty() ? out : out + " WINDOW " + windows;
}

std::string QueryPrinter::PrintTail(const ast::Select& select) const {
  std::string out;
  if (!select.order_by.empty()) out += " ORDER BY " + Print(select.order_by);
  if (select.limit && !select.limit_with_ties) out += " LIMIT " + Print(*select.limit);
  if (select.offset) out += " OFFSET " + Print(*select.offset);
  if (!select.limit_with_ties) return out;
  return out + " FETCH FIRST " + InBrackets(Print(*select.limit)) + " ROWS WITH TIES";
}

std::string QueryPrinter::Print(const ast::GroupItem& item) const {
  static constexpr std::string_view kNames[] = {"", "", "ROLLUP ", "CUBE ", "GROUPING SETS "};
  if (item.kind == ast::GroupingKind::kExpr) return Print(*item.expr);
  std::string elements;
  for (const ast::GroupItem& element : item.elements) Append(elements, ", ", Print(element));
  return std::string(kNames[static_cast<std::size_t>(item.kind)]) + InBrackets(elements);
}

std::string QueryPrinter::Print(const ast::From& from) const {
  std::string out = std::visit([this](const auto& node) { return PrintNode(node); }, from.node);
  if (!from.alias.empty()) out += " AS " + Name(from.alias);
  if (!from.column_aliases.empty()) out += InBrackets(Names(from.column_aliases, ", "));
  return out;
}

std::string QueryPrinter::PrintNode(const ast::TableName& table) const {
  const bool in_tables_schema = table.parts.size() == 2 && table.parts.front() == kTablesSchema;
  if (!in_tables_schema) return Names(table.parts, ".");
  const std::string_view schema = dialect_.tables_schema();
  return (schema.empty() ? "" : Name(schema) + ".") + Name(table.parts.back());
}

std::string QueryPrinter::PrintNode(const ast::DerivedTable& derived) const {
  return (derived.lateral ? "LATERAL " : "") + InBrackets(Print(*derived.select));
}

std::string QueryPrinter::PrintNode(const ast::TableFunction& function) const {
  // A dialect may write a function as an operator or inside another one; in FROM a call must stand.
  const auto& call = std::get<ast::Call>(function.call->node);
  const std::string_view text = dialect_.FindFunction(call.name, call.arguments.size());
  Check(text.ends_with("($*)"), "a function in FROM is printed as a plain call");
  return (function.lateral ? "LATERAL " : "") + Print(*function.call);
}

std::string QueryPrinter::PrintNode(const ast::Join& join) const {
  const std::string_view names[] = {"INNER JOIN ", "LEFT JOIN ", "RIGHT JOIN ", "FULL JOIN ",
                                    dialect_.cross_join()};
  std::string out = Print(*join.left) + (join.natural ? " NATURAL " : " ") +
                    std::string(names[static_cast<std::size_t>(join.kind)]) + Print(*join.right);
  if (join.on) out += " ON " + Print(*join.on);
  if (!join.using_columns.empty()) out += " USING " + InBrackets(Names(join.using_columns, ", "));
  return InBrackets(out);
}

std::string QueryPrinter::Names(const std::vector<std::string>& names,
                                std::string_view separator) const {
  Check(!names.empty(), "a qualified name has a part");
  std::string out;
  for (const std::string& name : names) Append(out, separator, Name(name));
  return out;
}

}  // namespace dpsql

// Prints one table of the reference in Markdown, from the tables that the program itself reads:
// reference logic|arithmetic|text|time|casts|engines|aggregates|exact|windows|settings|errors.
// tools/docs/reference.py puts them into the pages.
#include <cctype>
#include <functional>
#include <iostream>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "aggregates/aggregate.h"
#include "dpsql/language.h"
#include "plan/settings.h"
#include "sql/dialect.h"
#include "validate/bind_window.h"
#include "validate/exact_aggregates.h"
#include "validate/functions.h"

namespace dpsql {
namespace {

// A bar would end the table's cell.
std::string Cell(std::string_view text) {
  std::string cell;
  for (const char c : text) cell += c == '|' ? std::string("\\|") : std::string(1, c);
  return cell;
}

std::string Row(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += " " + cell + " |";
  return row + "\n";
}

std::string Head(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (std::size_t i = 0; i < cells.size(); ++i) line += "---|";
  return Row(cells) + line + "\n";
}

std::string Code(std::string_view text) { return "`" + Cell(text) + "`"; }

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string Bounds(const ScalarFunction& function) {
  if (function.name == "greatest" || function.name == "least") return "follows";
  if (function.interval == nullptr) return "";
  if (function.range.empty()) return "follows";
  const auto range = function.interval({});
  std::ostringstream text;
  text << range->low << " to " << range->high;
  return text.str();
}

std::string RowFunctions(std::span<const ScalarFunction> functions) {
  std::vector<std::string> head = {"form", "gives", "meaning", "bounds"};
  for (const Dialect* dialect : AllDialects()) head.emplace_back(dialect->name());
  std::string text = Head(head);
  for (const ScalarFunction& function : functions) {
    std::vector<std::string> cells = {
        Cell(WriteForm(function, "*")),
        function.result.empty() ? "value" : std::string(function.result), Cell(function.meaning),
        Bounds(function)};
    for (const Dialect* dialect : AllDialects()) {
      cells.emplace_back(dialect->FindRefusal(function.key).empty() ? "yes" : "—");
    }
    text += Row(cells);
  }
  return text;
}

std::string Engines() {
  std::string text = Head({"engine", "function", "reason"});
  for (const Dialect* dialect : AllDialects()) {
    std::map<std::string, std::string> names_by_reason;
    for (const ScalarFunction& function : AllScalarFunctions()) {
      const std::string reason(dialect->FindRefusal(function.key));
      const std::string name = Code(function.name);
      if (reason.empty() || names_by_reason[reason].find(name) != std::string::npos) continue;
      names_by_reason[reason] += (names_by_reason[reason].empty() ? "" : ", ") + name;
    }
    for (const auto& [reason, names] : names_by_reason) {
      text += Row({std::string(dialect->name()), names, reason});
    }
  }
  return text;
}

// Where an aggregate's bounds are written in the call, if it needs any.
std::string BoundsInCall(const Aggregate& aggregate) {
  if (!aggregate.needs_bounds) return "none";
  const std::string name(aggregate.function);
  if (aggregate.form == AggregateForm::kPair) {
    return Code(name + "(y, x, y_lower, y_upper, x_lower, x_upper)");
  }
  return Code(name + "(x, lower, upper)");
}

std::string Aggregates() {
  std::string text = Head({"form", "gives", "meaning", "bounds, in the call or in the policy"});
  for (const Aggregate* aggregate : AllAggregates()) {
    std::string form = Code(WriteAggregate(*aggregate, aggregate->function));
    if (!aggregate->other_name.empty()) {
      form += ", " + Code(WriteAggregate(*aggregate, aggregate->other_name));
    }
    text += Row({form, std::string(aggregate->result_type), Cell(aggregate->meaning),
                 BoundsInCall(*aggregate)});
  }
  return text;
}

std::string Forms(std::span<const ExactForm> forms) {
  std::string text = Head({"form", "meaning"});
  for (const ExactForm& form : forms) {
    const std::string call = std::string(form.name) + "(" + std::string(form.arguments) + ")";
    text += Row({Code(call), Cell(form.meaning)});
  }
  return text;
}

std::string SettingTable() {
  std::string text = Head({"setting", "in a clause", "values", "meaning"});
  for (const SettingForm& form : SettingForms()) {
    std::string clause = Code(std::string_view(form.name).substr(3));
    if (!form.other_name.empty()) clause += ", " + Code(form.other_name);
    text += Row({Code(form.name), clause, form.values.empty() ? "refused" : Cell(form.values),
                 Cell(form.meaning)});
  }
  return text;
}

std::string ErrorTable() {
  std::string text = Head({"code", "meaning", "SQLSTATE", "exit"});
  for (const ErrorInfo& error : ErrorCodes()) {
    const std::string link = "[" + error.code + "](#" + Lower(error.code) + ")";
    text += Row({link, Cell(error.summary), error.sqlstate, std::to_string(error.exit_code)});
  }
  return text;
}

const std::map<std::string, std::function<std::string()>>& Tables() {
  static const std::map<std::string, std::function<std::string()>> kTables = {
      {"logic", [] { return RowFunctions(LogicFunctions()); }},
      {"arithmetic", [] { return RowFunctions(ArithmeticFunctions()); }},
      {"text", [] { return RowFunctions(TextFunctions()); }},
      {"time", [] { return RowFunctions(TimeFunctions()); }},
      {"casts", [] { return RowFunctions(CastFunctions()); }},
      {"engines", Engines},
      {"aggregates", Aggregates},
      {"exact", [] { return Forms(ExactAggregateForms()); }},
      {"windows", [] { return Forms(WindowForms()); }},
      {"settings", SettingTable},
      {"errors", ErrorTable},
  };
  return kTables;
}

}  // namespace
}  // namespace dpsql

int main(int argc, char** argv) {
  const auto& tables = dpsql::Tables();
  const auto table = argc == 2 ? tables.find(argv[1]) : tables.end();
  if (table == tables.end()) {
    std::cerr << "usage: reference TABLE, one of";
    for (const auto& [name, print] : tables) std::cerr << " " << name;
    std::cerr << "\n";
    return 2;
  }
  std::cout << table->second();
  return 0;
}

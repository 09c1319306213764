#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "account/budget_terms.h"
#include "base/json_text.h"
#include "dpsql/budget.h"
#include "engine/budget_json.h"
#include "engine/budget_text.h"

namespace dpsql {
namespace {

// RFC 4180: what could be read as structure is quoted, a quote is doubled, lines end in CRLF.
std::string CsvField(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

std::string CsvLine(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) line += (line.empty() ? "" : ",") + CsvField(field);
  return line + "\r\n";
}

std::string CsvBool(bool value) { return value ? "true" : "false"; }

// epsilon to used
std::vector<std::string> CsvGauge(const BudgetGauge& gauge) {
  return {ExactText(gauge.epsilon),       ExactText(gauge.delta),
          ExactText(gauge.epsilon_spent), ExactText(gauge.delta_spent),
          ExactText(gauge.epsilon_left),  ExactText(gauge.delta_left),
          ExactText(gauge.used)};
}

std::string CsvRow(std::vector<std::string> front, const std::vector<std::string>& gauge,
                   const std::vector<std::string>& back) {
  front.insert(front.end(), gauge.begin(), gauge.end());
  front.insert(front.end(), back.begin(), back.end());
  return CsvLine(front);
}

std::string CsvOf(const BudgetEvent& event) {
  return CsvLine({std::to_string(event.sequence), event.time, event.analyst, event.what,
                  event.release, event.epsilon, event.delta});
}

}  // namespace

std::string BudgetToCsv(const BudgetReport& report) {
  std::string text = CsvLine({"dataset", "analyst", "epsilon", "delta", "epsilon_spent",
                              "delta_spent", "epsilon_left", "delta_left", "used", "asked",
                              "unanswered", "locked_out", "revoked"});
  text += CsvRow({report.dataset, ""}, CsvGauge(report.gauge),
                 {std::to_string(report.reservations), "", "", CsvBool(report.stopped)});
  for (const AnalystBudget& analyst : report.analysts) {
    const std::vector<std::string> no_share = {"", "", ExactText(analyst.epsilon_spent), "", "",
                                               "", ""};
    text += CsvRow({report.dataset, analyst.name}, analyst.own ? CsvGauge(*analyst.own) : no_share,
                   {std::to_string(analyst.queries), std::to_string(analyst.unanswered),
                    CsvBool(analyst.locked_out), CsvBool(analyst.revoked)});
  }
  return text;
}

std::string HistoryPrinter::Begin() {
  if (std::exchange(begun_, true)) return form_ == Form::kJson ? ",\n" : "";
  if (form_ == Form::kJson) return "[";
  if (form_ == Form::kText) return "";
  return CsvLine({"sequence", "time", "analyst", "what", "release", "epsilon", "delta"});
}

std::string HistoryPrinter::Page(const std::vector<BudgetEvent>& page) {
  if (page.empty()) return "";
  std::string text = Begin();
  if (form_ == Form::kText) {
    std::vector<std::vector<std::string>> rows;
    for (const BudgetEvent& event : page) rows.push_back(EventColumns(event));
    return text + Aligned(rows, {Side::kRight});
  }
  bool first = true;
  for (const BudgetEvent& event : page) {
    if (form_ == Form::kJson && !std::exchange(first, false)) text += ",\n";
    text += form_ == Form::kJson ? JsonText(JsonOf(event)) : CsvOf(event);
  }
  return text;
}

std::string HistoryPrinter::End() {
  const bool empty = !begun_;
  if (form_ == Form::kText) return empty ? "No entries.\n" : "";
  const std::string begin = empty ? Begin() : "";
  return begin + (form_ == Form::kJson ? "]\n" : "");
}

}  // namespace dpsql

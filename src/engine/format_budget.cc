#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/display.h"
#include "dpsql/budget.h"

namespace dpsql {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kGaugeWidth = 30;

std::string Short(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", number);
  return text.data();
}

std::string Pair(double epsilon, double delta) {
  return "epsilon " + Short(epsilon) + ", delta " + Short(delta);
}

// ███░░░░░░  31 % spent. A budget that was touched shows it, one that is not used up shows that.
std::string GaugeLine(double used) {
  int full = static_cast<int>(std::lround(used * kGaugeWidth));
  int percent = static_cast<int>(std::lround(used * 100));
  if (used > 0) full = std::max(full, 1);
  if (used < 1) full = std::min(full, kGaugeWidth - 1);
  if (used > 0) percent = std::max(percent, 1);
  if (used < 1) percent = std::min(percent, 99);
  std::string bar;
  for (int i = 0; i < kGaugeWidth; ++i) bar += i < full ? "█" : "░";
  return bar + "  " + std::to_string(percent) + " % spent";
}

// Columns of text, two spaces apart, the last one ragged.
std::string Aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> width;
  for (const auto& row : rows) {
    width.resize(std::max(width.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], TextWidth(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line = " ";
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += " " + row[i] + std::string(width[i] - TextWidth(row[i]) + 1, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string Title(const BudgetReport& report) {
  std::string text = "Budget of " + Printable(report.dataset) + ": " +
                     Pair(report.gauge.epsilon, report.gauge.delta);
  if (report.renew_days == 0) return text + ", for its life (" + report.accountant + ")\n";
  return text + ", every " + std::to_string(report.renew_days) + " days (" + report.accountant +
         ")\n";
}

std::string Summary(const BudgetReport& report) {
  const BudgetGauge& gauge = report.gauge;
  const bool sums_noise = report.accountant != "basic";
  const std::string delta_note = sums_noise ? " for key selection" : "";
  std::vector<std::vector<std::string>> rows = {
      {"spent", Pair(gauge.epsilon_spent, gauge.delta_spent) + delta_note},
      {"left", Pair(gauge.epsilon_left, gauge.delta_left) + delta_note}};
  if (gauge.pure_epsilon_left) {
    rows.push_back({"", "pure epsilon " + Short(*gauge.pure_epsilon_left)});
  }
  rows.push_back({"", "about " + std::to_string(report.queries_left) + " questions at " +
                          Pair(report.query_epsilon, report.query_delta)});
  if (!report.renews_at.empty()) rows.push_back({"renews", report.renews_at});
  rows.push_back({"answers", std::to_string(report.releases) + " to " +
                                 std::to_string(report.reservations) + " paid questions"});
  return "  " + GaugeLine(gauge.used) + "\n" + Aligned(rows);
}

std::string AnalystTable(const BudgetReport& report) {
  if (report.analysts.empty()) return "";
  std::vector<std::vector<std::string>> rows = {
      {"analyst", "epsilon spent", "left", "questions", "unanswered", ""}};
  for (const AnalystBudget& analyst : report.analysts) {
    std::string spent = Short(analyst.own ? analyst.own->epsilon_spent : analyst.epsilon_spent);
    if (analyst.own) spent += " of " + Short(analyst.own->epsilon);
    rows.push_back({Printable(analyst.name), spent,
                    analyst.own ? Short(analyst.own->epsilon_left) : "",
                    std::to_string(analyst.queries), std::to_string(analyst.unanswered),
                    analyst.locked_out ? "locked out" : ""});
  }
  return "\n" + Aligned(rows);
}

std::string HistoryTable(const BudgetReport& report) {
  if (report.history.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (const BudgetEvent& event : report.history) {
    const std::string price =
        event.epsilon.empty() ? "" : "epsilon " + event.epsilon + ", delta " + event.delta;
    rows.push_back({"#" + std::to_string(event.sequence), event.time, Printable(event.analyst),
                    event.what, event.release, price});
  }
  return "\nLast " + std::to_string(report.history.size()) + " of " +
         std::to_string(report.entries) + " entries\n" + Aligned(rows);
}

Json JsonOf(const BudgetGauge& gauge) {
  Json json = {{"epsilon", gauge.epsilon},
               {"delta", gauge.delta},
               {"spent", {{"epsilon", gauge.epsilon_spent}, {"delta", gauge.delta_spent}}},
               {"remaining", {{"epsilon", gauge.epsilon_left}, {"delta", gauge.delta_left}}},
               {"used", gauge.used}};
  if (gauge.pure_epsilon_left) json["remaining"]["pure_epsilon"] = *gauge.pure_epsilon_left;
  return json;
}

std::string ToJson(const BudgetReport& report) {
  Json json = {{"dataset", report.dataset}, {"accountant", report.accountant}};
  json["budget"] = JsonOf(report.gauge);
  json["budget"]["remaining"]["queries"] = report.queries_left;
  json["query"] = {{"epsilon", report.query_epsilon}, {"delta", report.query_delta}};
  json["renew_days"] = report.renew_days;
  json["renews_at"] = report.renews_at.empty() ? Json(nullptr) : Json(report.renews_at);
  json["reservations"] = report.reservations;
  json["releases"] = report.releases;
  json["analysts"] = Json::array();
  for (const AnalystBudget& analyst : report.analysts) {
    json["analysts"].push_back({{"name", analyst.name},
                                {"budget", analyst.own ? JsonOf(*analyst.own) : Json(nullptr)},
                                {"epsilon_spent", analyst.epsilon_spent},
                                {"queries", analyst.queries},
                                {"unanswered", analyst.unanswered},
                                {"locked_out", analyst.locked_out}});
  }
  json["history"] = Json::array();
  for (const BudgetEvent& event : report.history) {
    json["history"].push_back({{"sequence", event.sequence},
                               {"time", event.time},
                               {"analyst", event.analyst},
                               {"what", event.what},
                               {"release", event.release},
                               {"epsilon", event.epsilon},
                               {"delta", event.delta}});
  }
  json["policy_differs"] =
      report.policy_differs.empty() ? Json(nullptr) : Json(report.policy_differs);
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string FormatBudget(const BudgetReport& report, Format format) {
  if (IsJson(format)) return ToJson(report);
  std::string text = Title(report) + Summary(report) + AnalystTable(report) + HistoryTable(report);
  if (!report.started) text += "\nNothing has been asked yet.\n";
  if (!report.policy_differs.empty()) {
    text += "\n" + report.policy_differs + "\n  questions are refused until  dpsql budget grant\n";
  }
  return text;
}

}  // namespace dpsql

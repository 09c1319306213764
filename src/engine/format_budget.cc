#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/display.h"
#include "base/json_text.h"
#include "dpsql/budget.h"
#include "engine/budget_json.h"
#include "engine/budget_text.h"

namespace dpsql {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kGaugeWidth = 30;
constexpr int kShareWidth = 8;

std::string Short(double number) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", number);
  return text.data();
}

std::string Pair(double epsilon, double delta) {
  return "epsilon " + Short(epsilon) + ", delta " + Short(delta);
}

// So many parts of a whole. What was touched shows it, what is not used up shows that.
int Parts(double used, int whole) {
  const int parts = static_cast<int>(std::lround(used * whole));
  if (used > 0 && used < 1) return std::clamp(parts, 1, whole - 1);
  return parts;
}

// ███░░░░░░
std::string Bar(double used, int width) {
  const int full = Parts(used, width);
  std::string bar;
  for (int i = 0; i < width; ++i) bar += i < full ? "█" : "░";
  return bar;
}

std::string GaugeLine(double used) {
  return Bar(used, kGaugeWidth) + "  " + std::to_string(Parts(used, 100)) + " % spent";
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

std::string StateOf(const AnalystBudget& analyst) {
  if (analyst.revoked) return "revoked";
  return analyst.locked_out ? "locked out" : "";
}

// The bar is of those who have a share of their own; without any its column is narrow air.
std::string AnalystTable(const BudgetReport& report) {
  if (report.analysts.empty()) return "";
  std::vector<std::vector<std::string>> rows = {
      {"analyst", "epsilon spent", "", "left", "asked", "unanswered", ""}};
  for (const AnalystBudget& analyst : report.analysts) {
    const std::optional<BudgetGauge>& own = analyst.own;
    std::string spent = Short(own ? own->epsilon_spent : analyst.epsilon_spent);
    if (own) spent += " of " + Short(own->epsilon);
    rows.push_back({Printable(analyst.name), spent, own ? Bar(own->used, kShareWidth) : "",
                    own ? Short(own->epsilon_left) : "", std::to_string(analyst.queries),
                    std::to_string(analyst.unanswered), StateOf(analyst)});
  }
  return "\n" + Aligned(rows, {Side::kLeft, Side::kLeft, Side::kLeft, Side::kRight, Side::kRight,
                               Side::kRight});
}

std::string HistoryTable(const BudgetReport& report) {
  if (report.history.empty()) return "";
  std::vector<std::vector<std::string>> rows;
  for (const BudgetEvent& event : report.history) rows.push_back(EventColumns(event));
  return "\nLast " + std::to_string(report.history.size()) + " of " +
         std::to_string(report.entries) + " entries, times in UTC\n" +
         Aligned(rows, {Side::kRight});
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
  json["stopped"] = report.stopped;
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
                                {"locked_out", analyst.locked_out},
                                {"revoked", analyst.revoked}});
  }
  json["history"] = Json::array();
  for (const BudgetEvent& event : report.history) json["history"].push_back(JsonOf(event));
  json["policy_differs"] =
      report.policy_differs.empty() ? Json(nullptr) : Json(report.policy_differs);
  return JsonText(json) + "\n";
}

}  // namespace

nlohmann::ordered_json JsonOf(const BudgetEvent& event) {
  return {{"sequence", event.sequence}, {"time", event.time},       {"analyst", event.analyst},
          {"what", event.what},         {"release", event.release}, {"epsilon", event.epsilon},
          {"delta", event.delta}};
}

std::string FormatBudget(const BudgetReport& report, Format format) {
  if (IsJson(format)) return ToJson(report);
  std::string text = Title(report) + Summary(report) + AnalystTable(report) + HistoryTable(report);
  if (!report.started) text += "\nNothing has been asked yet.\n";
  if (report.stopped) {
    text += "\nThe owner has stopped all spending; it goes on with  dpsql budget grant\n";
  }
  if (!report.policy_differs.empty()) {
    text += "\n" + report.policy_differs + "\n  questions are refused until  dpsql budget grant\n";
  }
  return text;
}

}  // namespace dpsql

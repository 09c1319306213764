#include "engine/explain_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/json_text.h"

namespace dpsql {
namespace {

using Json = nlohmann::ordered_json;

Json Finite(double number) { return std::isfinite(number) ? Json(number) : Json(nullptr); }

Json JsonOf(const Cap& cap) {
  Json json;
  json["most"] = cap.value > 0 ? Json(cap.value) : Json(nullptr);
  json["origin"] = cap.origin;
  return json;
}

Json JsonOf(const KeySummary& key) {
  Json json = {{"expression", key.expr}};
  json["known"] = key.declared_values > 0 ? Json("declared")
                  : key.of_public_table   ? Json("public table")
                                          : Json(nullptr);
  if (key.declared_values > 0) json["values"] = key.declared_values;
  return json;
}

Json JsonOf(const SelectionSummary& selection) {
  Json json = {{"min_frequency", selection.min_frequency}};
  switch (selection.rule) {
    case KeySelection::kNone:
      json["rule"] = "every cell";
      return json;
    case KeySelection::kThreshold:
      json["rule"] = "threshold";
      json["threshold"] = selection.threshold;
      json["count_noise_sd"] = Finite(selection.count_sd);
      break;
    case KeySelection::kTruncatedGeometric:
      json["rule"] = "truncated geometric";
      json["certain_from"] = selection.certain_from;
      json["epsilon"] = selection.epsilon;
      break;
  }
  json["delta"] = selection.delta;
  if (!selection.classes.empty()) json["cells"] = selection.classes;
  return json;
}

Json JsonOf(const StatisticSummary& statistic) {
  Json json = {{"name", statistic.name}};
  json["arguments"] = Json::array();
  for (const ArgumentSummary& argument : statistic.arguments) {
    Json one = {{"expression", argument.expr}};
    if (argument.bounds) {
      one["lower"] = argument.bounds->low;
      one["upper"] = argument.bounds->high;
      one["origin"] = argument.origin;
    }
    json["arguments"].push_back(std::move(one));
  }
  if (!statistic.where.empty()) json["where"] = statistic.where;
  json["mechanism"] = statistic.mechanism;
  json["noise_sd"] = Finite(statistic.sd);
  return json;
}

Json JsonOf(const AnswerSummary& answer) {
  Json json = {{"aggregate", answer.aggregate}, {"statistic", answer.statistic}};
  if (answer.error) json["error95"] = Finite(*answer.error);
  if (answer.error_times_count) json["error95_times_count"] = Finite(*answer.error_times_count);
  return json;
}

Json JsonOf(const DoorSummary& door);

template <typename Summary>
Json ListOf(const std::vector<Summary>& summaries) {
  Json list = Json::array();
  for (const Summary& summary : summaries) list.push_back(JsonOf(summary));
  return list;
}

Json JsonOf(const DoorSummary& door) {
  Json json;
  json["unit"] = {{"kind", door.unit}, {"column", door.unit_column}};
  json["reads"] = door.reads;
  json["where"] = door.conditions;
  json["keys"] = ListOf(door.keys);
  json["groups_per_unit"] = JsonOf(door.groups_per_unit);
  json["rows_per_unit"] = JsonOf(door.rows_per_unit);
  json["rows_per_unit"]["clip"] = door.clip_norm;
  json["release"] = JsonOf(door.selection);
  json["statistics"] = ListOf(door.statistics);
  json["answers"] = ListOf(door.answers);
  if (!door.target.empty()) json["target"] = door.target;
  return json;
}

}  // namespace

std::string ExplanationJson(const PlanSummary& plan, const Remaining& left,
                            const std::vector<std::string>& sql) {
  Json json;
  json["doors"] = ListOf(plan.doors);
  json["above"] = plan.above;
  json["columns"] = plan.columns;
  json["price"] = {{"epsilon", plan.price.epsilon},
                   {"delta", plan.price.delta},
                   {"mu", plan.mu},
                   {"doors", plan.doors.size()}};
  json["remaining"] = {{"epsilon", left.epsilon},
                       {"delta", left.delta},
                       {"queries_like_this", left.queries_like_this}};
  json["sql"] = sql;
  return JsonText(json);
}

}  // namespace dpsql

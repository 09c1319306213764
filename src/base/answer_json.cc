#include "base/answer_json.h"

#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "base/check.h"
#include "base/json_text.h"

namespace dpsql {
namespace {

using Json = nlohmann::ordered_json;

constexpr auto kRoles = std::to_array<std::pair<ColumnRole, const char*>>({
    {ColumnRole::kKey, "key"},
    {ColumnRole::kEstimate, "estimate"},
    {ColumnRole::kDerived, "derived"},
    {ColumnRole::kPublic, "public"},
});

const char* RoleName(ColumnRole role) {
  for (const auto& [known, name] : kRoles) {
    if (known == role) return name;
  }
  throw Bug("a column has one of the four roles");
}

ColumnRole RoleNamed(const std::string& text) {
  for (const auto& [role, name] : kRoles) {
    if (text == name) return role;
  }
  throw std::invalid_argument("role");
}

// Never called inside a braced list: GCC 12 destroys such a list twice when one of its parts
// throws.
Json Number(double value) {
  Check(std::isfinite(value), "a released number is finite");
  return value;
}

// Ends of intervals are known to be doubles, so whole ones go without their ".0".
Json IntervalEnd(double value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  const bool whole = std::trunc(value) == value && std::abs(value) < kExact;
  if (whole && !(value == 0 && std::signbit(value))) return static_cast<std::int64_t>(value);
  return Number(value);
}

Json CellToJson(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return Number(*number);
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
  if (const auto* truth = std::get_if<bool>(&value)) return *truth;
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return nullptr;
}

Json ColumnsToJson(const Answer& answer) {
  Json columns = Json::array();
  for (const AnswerColumn& column : answer.columns) {
    Json object = {{"name", column.name}, {"type", column.type}, {"role", RoleName(column.role)}};
    if (!column.mechanism.empty()) object["mechanism"] = column.mechanism;
    columns.push_back(std::move(object));
  }
  return columns;
}

Json RowsToJson(const Answer& answer) {
  Json rows = Json::array();
  for (const auto& row : answer.rows) {
    Check(row.size() == answer.columns.size(), "a row has one cell per column");
    Json cells = Json::array();
    for (const Value& value : row) cells.push_back(CellToJson(value));
    rows.push_back(std::move(cells));
  }
  return rows;
}

Json IntervalToJson(const NoiseInterval& interval) {
  Json ends = Json::array();
  ends.push_back(IntervalEnd(interval.low));
  ends.push_back(IntervalEnd(interval.high));
  return ends;
}

Json IntervalsToJson(const Answer& answer) {
  Check(answer.intervals.size() == answer.rows.size(), "each row has its intervals");
  Json rows = Json::array();
  for (const auto& row : answer.intervals) {
    Check(row.size() == answer.columns.size(), "a row has one interval slot per column");
    Json cells = Json::array();
    for (const auto& interval : row) {
      cells.push_back(interval ? IntervalToJson(*interval) : Json(nullptr));
    }
    rows.push_back(std::move(cells));
  }
  return rows;
}

Json PriceToJson(const Price& price) {
  Json object;
  object["epsilon"] = Number(price.epsilon);
  object["delta"] = Number(price.delta);
  object["mu"] = Number(price.mu);
  object["doors"] = price.doors;
  return object;
}

Json RemainingToJson(const Remaining& remaining) {
  Json object;
  object["epsilon"] = Number(remaining.epsilon);
  object["delta"] = Number(remaining.delta);
  object["queries_like_this"] = remaining.queries_like_this;
  return object;
}

std::string Dumped(const Json& json) {
  try {
    return EscapeControls(json.dump());
  } catch (const Json::type_error&) {  // its text would quote the bytes
    throw Bug("released text is UTF-8");
  }
}

double DoubleFrom(const Json& json) {
  if (!json.is_number()) throw std::invalid_argument("number");
  return json.get<double>();
}

std::int64_t IntegerFrom(const Json& json) {
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (!json.is_number_integer()) throw std::invalid_argument("integer");
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > kMax) {
    throw std::invalid_argument("integer of 64 bits");
  }
  return json.get<std::int64_t>();
}

Value CellFrom(const Json& json) {
  if (json.is_null()) return std::monostate{};
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_float()) return json.get<double>();
  if (json.is_number()) return IntegerFrom(json);
  return json.get<std::string>();
}

std::optional<NoiseInterval> IntervalFrom(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return NoiseInterval{.low = DoubleFrom(json.at(0)), .high = DoubleFrom(json.at(1))};
}

AnswerColumn ColumnFrom(const Json& json) {
  return {.name = json.at("name").get<std::string>(),
          .type = json.at("type").get<std::string>(),
          .role = RoleNamed(json.at("role").get<std::string>()),
          .mechanism = json.value("mechanism", std::string())};
}

// Throws where a key is missing or of another type.
Answer AnswerFrom(const Json& json) {
  Answer answer;
  for (const Json& column : json.at("columns")) answer.columns.push_back(ColumnFrom(column));
  for (const Json& row : json.at("rows")) {
    auto& cells = answer.rows.emplace_back();
    for (const Json& cell : row) cells.push_back(CellFrom(cell));
  }
  for (const Json& row : json.at("intervals")) {
    auto& cells = answer.intervals.emplace_back();
    for (const Json& cell : row) cells.push_back(IntervalFrom(cell));
  }
  const Json& price = json.at("price");
  answer.price = {.epsilon = DoubleFrom(price.at("epsilon")),
                  .delta = DoubleFrom(price.at("delta")),
                  .mu = DoubleFrom(price.at("mu")),
                  .doors = static_cast<int>(IntegerFrom(price.at("doors")))};
  const Json& remaining = json.at("remaining");
  answer.remaining = {.epsilon = DoubleFrom(remaining.at("epsilon")),
                      .delta = DoubleFrom(remaining.at("delta")),
                      .queries_like_this = IntegerFrom(remaining.at("queries_like_this"))};
  answer.stored = json.at("stored").get<bool>();
  answer.release = json.at("release").get<std::string>();
  answer.notices = json.value("notices", std::vector<std::string>());
  return answer;
}

}  // namespace

std::string AnswerToJson(const Answer& answer) {
  Json json;
  json["columns"] = ColumnsToJson(answer);
  json["rows"] = RowsToJson(answer);
  json["intervals"] = IntervalsToJson(answer);
  json["price"] = PriceToJson(answer.price);
  json["remaining"] = RemainingToJson(answer.remaining);
  json["stored"] = answer.stored;
  json["release"] = answer.release;
  if (!answer.notices.empty()) json["notices"] = answer.notices;
  return Dumped(json);
}

std::string ValueToJson(const Value& value) { return Dumped(CellToJson(value)); }

std::string IntervalEndToJson(double value) { return Dumped(IntervalEnd(value)); }

std::optional<Answer> AnswerFromJson(std::string_view text) {
  try {
    return AnswerFrom(Json::parse(text));
  } catch (const Json::exception&) {
    return std::nullopt;
  } catch (const std::invalid_argument&) {
    return std::nullopt;
  }
}

}  // namespace dpsql

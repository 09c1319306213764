#include "engine/explain.h"

#include <algorithm>
#include <sstream>

#include "base/display.h"
#include "base/try.h"
#include "engine/explain_json.h"
#include "publish/publish.h"

namespace dpsql {

Result<Explanation> ExplainPlan(const DpPlan& plan, const House& house) {
  TRY(const Remaining left, house.ledger.RemainingFor(plan.cost()));
  const std::vector<std::string> sql = house.backend.PrintSql(plan);
  const PlanSummary summary = Summarise(plan);
  std::ostringstream text;
  text << ToText(summary) << "left    epsilon " << left.epsilon << ", delta " << left.delta
       << " for key selection, about " << left.queries_like_this << " queries like this\n"
       << "runs\n";
  for (const std::string& statement : sql) text << Printable(statement) << "\n";
  return Explanation{
      .text = text.str(),
      .json = ExplanationJson(summary, left, sql),
      .price = PriceOf(plan.cost()),
      .remaining = left,
      .solved = std::any_of(summary.doors.begin(), summary.doors.end(),
                            [](const DoorSummary& door) { return !door.target.empty(); })};
}

Result<Explanation> Explain(const ast::Select& statement, const House& house) {
  TRY(const DpPlan plan, MakePlan(statement, house));
  return ExplainPlan(plan, house);
}

std::string FormatExplanation(const Explanation& explanation, Format format) {
  return IsJson(format) ? explanation.json + "\n" : explanation.text;
}

}  // namespace dpsql

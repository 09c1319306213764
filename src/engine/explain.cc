#include "engine/explain.h"

#include <nlohmann/json.hpp>
#include <sstream>

#include "base/try.h"

namespace dpsql {

Result<Explanation> Explain(const ast::Select& statement, const House& house) {
  TRY(const DpPlan plan, MakePlan(statement, house));
  TRY(const Remaining left, house.ledger.RemainingFor(plan.cost()));
  std::ostringstream text;
  text << plan.Print() << "left    epsilon " << left.epsilon << ", delta " << left.delta
       << " for key selection, about " << left.queries_like_this << " queries like this\n"
       << "runs\n"
       << house.backend.PrintSql(plan);
  return Explanation{.text = text.str()};
}

std::string FormatExplanation(const Explanation& explanation, Format format) {
  if (format == Format::kBox) return explanation.text;
  return nlohmann::json{{"explain", explanation.text}}.dump() + "\n";
}

}  // namespace dpsql

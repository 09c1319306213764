#include "validate/rewrite.h"

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "validate/type_call.h"

namespace dpsql {

Result<BoundExprPtr> Rewrite(const BoundExprPtr& expr, const Replace& replace) {
  TRY(BoundExprPtr replaced, replace(expr));
  if (replaced) return replaced;
  bool changed = false;
  std::vector<BoundExprPtr> arguments;
  for (const BoundExprPtr& argument : expr->arguments) {
    TRY(BoundExprPtr rewritten, Rewrite(argument, replace));
    changed = changed || rewritten != argument;
    arguments.push_back(std::move(rewritten));
  }
  if (!changed) return expr;
  return MakeTypedCall(*expr->overload, std::move(arguments), expr->span);
}

bool AnyPart(const BoundExpr& expr, const std::function<bool(const BoundExpr&)>& predicate) {
  return predicate(expr) ||
         std::any_of(expr.arguments.begin(), expr.arguments.end(),
                     [&](const BoundExprPtr& argument) { return AnyPart(*argument, predicate); });
}

bool ReadsOuter(const BoundExpr& expr) {
  return AnyPart(expr, [](const BoundExpr& part) {
    return part.kind == BoundKind::kColumn && IsOuter(part.column);
  });
}

}  // namespace dpsql

#include "validate/bind_window.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/error_codes.h"
#include "base/names.h"
#include "base/try.h"
#include "validate/not_yet.h"
#include "validate/ownership.h"
#include "validate/query_node.h"

namespace dpsql {
namespace {

enum class WindowResult { kNumber, kShare, kArgument, kSum, kAverage };

// A function that can stand before OVER. `ordered`: which of two equally ordered rows comes first
// would show in the result.
struct WindowFunction {
  std::string_view name;
  std::string_view arguments;  // for the reference, like the next
  std::string_view meaning;
  std::size_t fewest;
  std::size_t most;
  WindowResult result;
  bool ordered;
  bool framed;  // the frame matters
};

using enum WindowResult;

constexpr auto kWindowFunctions = std::to_array<WindowFunction>({
    {"row_number", "", "the place of the row, from 1", 0, 0, kNumber, true, false},
    {"rank", "", "the place, the same for rows that are ordered alike", 0, 0, kNumber, false,
     false},
    {"dense_rank", "", "the place without gaps, the same for rows ordered alike", 0, 0, kNumber,
     false, false},
    {"percent_rank", "", "the rank as a share, from 0 to 1", 0, 0, kShare, false, false},
    {"cume_dist", "", "the share of rows up to this one", 0, 0, kShare, false, false},
    {"ntile", "n", "which of n parts of equal size", 1, 1, kNumber, true, false},
    {"lag", "value, n", "the value n rows before, one where n is absent", 1, 2, kArgument, true,
     false},
    {"lead", "value, n", "the value n rows behind, one where n is absent", 1, 2, kArgument, true,
     false},
    {"first_value", "value", "the first of the frame", 1, 1, kArgument, true, true},
    {"last_value", "value", "the last of the frame", 1, 1, kArgument, true, true},
    {"nth_value", "value, n", "the n-th of the frame", 2, 2, kArgument, true, true},
    {"count", "*", "rows of the frame; count(value) those with a value", 0, 1, kNumber, false,
     true},
    {"sum", "number", "the sum over the frame", 1, 1, kSum, false, true},
    {"avg", "number", "the mean over the frame", 1, 1, kAverage, false, true},
    {"min", "value", "the least of the frame", 1, 1, kArgument, false, true},
    {"max", "value", "the largest of the frame", 1, 1, kArgument, false, true},
});

const WindowFunction* FindWindowFunction(std::string_view name) {
  const auto found = std::find_if(kWindowFunctions.begin(), kWindowFunctions.end(),
                                  [&](const WindowFunction& known) { return known.name == name; });
  return found == kWindowFunctions.end() ? nullptr : &*found;
}

Type ResultType(WindowResult result, const WindowCall& window) {
  switch (result) {
    case WindowResult::kNumber:
      return ParseType("BIGINT");
    case WindowResult::kShare:
    case WindowResult::kAverage:
      return ParseType("DOUBLE");
    case WindowResult::kArgument:
      return window.arguments[0]->type;
    case WindowResult::kSum:
      break;
  }
  const bool whole = window.arguments[0]->type.family == TypeFamily::kInteger;
  return ParseType(whole ? "HUGEINT" : "DOUBLE");
}

class WindowBinder {
 public:
  WindowBinder(const ast::Call& call, SourceSpan span, const std::vector<ast::Window>& named,
               const Scope& scope, ExprHooks* hooks)
      : call_(call), span_(span), named_(named), scope_(scope), hooks_(hooks) {}

  Result<WindowCall> Bind() {
    const WindowFunction* function = FindWindowFunction(call_.name);
    const std::size_t count = call_.arguments.size();
    const bool plain = call_.schema.empty() && !call_.distinct && call_.order_by.empty() &&
                       !call_.within_group && !call_.filter;
    if (function == nullptr || !plain || (call_.star && call_.name != "count")) {
      return MakeError(ErrorCode::kUnknownFunction,
                       call_.name + " is not on the list of window functions", span_,
                       "row_number, rank, dense_rank, percent_rank, cume_dist, ntile, lag, lead, "
                       "first_value, last_value, nth_value, count, sum, avg, min and max are");
    }
    if (count < function->fewest || count > function->most || (count == 0 && NeedsStar())) {
      return MakeError(ErrorCode::kWrongArguments, call_.name + " is not written this way", span_,
                       "give it the arguments that PostgreSQL's has");
    }
    window_.function = call_.name;
    window_.star = call_.star;
    window_.span = span_;
    window_.needs_order = function->ordered || !function->framed;
    for (std::size_t i = 0; i < count; ++i) TRY_DONE(AddArgument(i, *function));
    TRY_DONE(AddWindow(*call_.over, 0));
    if (!function->framed) LeaveOutFrame();
    window_.type = ResultType(function->result, window_);
    return std::move(window_);
  }

 private:
  bool NeedsStar() const { return call_.name == "count" && !call_.star; }

  // How far, how many, which one: written out.
  Status AddArgument(std::size_t i, const WindowFunction& function) {
    TRY(BoundExprPtr argument, BindExpr(*call_.arguments[i].value, scope_, hooks_));
    const bool counts = i == 1 || call_.name == "ntile";
    const auto* whole = std::get_if<std::int64_t>(&argument->literal);
    const bool literal = argument->kind == BoundKind::kLiteral && whole != nullptr && *whole > 0;
    if (counts && !(literal && *whole <= 1'000'000)) {
      return MakeError(ErrorCode::kWrongArguments, "a whole number above 0 is needed here",
                       argument->span, "write it out: from a column it would follow the data");
    }
    const bool adds =
        function.result == WindowResult::kSum || function.result == WindowResult::kAverage;
    if (adds && !argument->type.is_numeric()) {
      return MakeError(ErrorCode::kTypeMismatch,
                       call_.name + " needs a number, not " + argument->type.name, argument->span,
                       "give it a column of a numeric type");
    }
    window_.arguments.push_back(std::move(argument));
    return Done{};
  }

  // A window that names another one adds to it.
  Status AddWindow(const ast::Window& window, int depth) {
    if (!window.base_name.empty()) {
      const auto base = std::find_if(
          named_.begin(), named_.end(),
          [&](const ast::Window& candidate) { return SameName(candidate.name, window.base_name); });
      if (base == named_.end() || depth > 8) {
        return MakeError(ErrorCode::kUnknownColumn, "there is no window " + window.base_name, span_,
                         "define it in a WINDOW clause, or write it after OVER");
      }
      TRY_DONE(AddWindow(*base, depth + 1));
    }
    for (const ast::ExprPtr& expr : window.partition_by) {
      TRY(BoundExprPtr bound, BindExpr(*expr, scope_, hooks_));
      window_.partition_by.push_back(std::move(bound));
    }
    for (const ast::OrderItem& item : window.order_by) {
      TRY(BoundExprPtr bound, BindExpr(*item.expr, scope_, hooks_));
      window_.order_by.push_back({.expr = std::move(bound),
                                  .descending = item.descending,
                                  .nulls_first = item.nulls_first.value_or(item.descending)});
    }
    if (window.frame) return AddFrame(*window.frame);
    return Done{};
  }

  Status AddFrame(const ast::Frame& frame) {
    if (!frame.exclude.empty()) return NotYet("EXCLUDE in a frame", span_);
    window_.frame = frame.mode;
    window_.start = frame.start.kind;
    window_.end = frame.end.kind;
    TRY(window_.start_offset, Offset(frame.start, frame.mode));
    TRY(window_.end_offset, Offset(frame.end, frame.mode));
    if (!IsBackwards()) return Done{};
    return MakeError(ErrorCode::kWrongArguments, "this frame never holds a row", span_,
                     "write the end that comes first before AND");
  }

  // Databases differ in what they say of it.
  bool IsBackwards() const {
    if (window_.start != window_.end) return false;
    if (window_.start == ast::FrameBoundKind::kPreceding) {
      return window_.start_offset < window_.end_offset;
    }
    return window_.start_offset > window_.end_offset;
  }

  // What looks at its whole partition does so whatever the frame is; some databases take none.
  void LeaveOutFrame() {
    const WindowCall without;
    window_.frame = without.frame;
    window_.start = without.start;
    window_.end = without.end;
    window_.start_offset = without.start_offset;
    window_.end_offset = without.end_offset;
  }

  Result<std::int64_t> Offset(const ast::FrameBound& bound, ast::FrameMode mode) const {
    if (!bound.offset) return std::int64_t{0};
    if (mode == ast::FrameMode::kRange) {
      return NotYet("RANGE with a distance", span_, "use ROWS or GROUPS");
    }
    TRY(const BoundExprPtr offset, BindExpr(*bound.offset, scope_));
    const auto* whole = std::get_if<std::int64_t>(&offset->literal);
    const bool literal = offset->kind == BoundKind::kLiteral && whole != nullptr;
    if (literal && *whole >= 0 && *whole <= 1'000'000) return *whole;
    return MakeError(ErrorCode::kWrongArguments, "a frame's distance is a whole number", span_,
                     "write it out: from a column it would follow the data");
  }

  const ast::Call& call_;
  SourceSpan span_;
  const std::vector<ast::Window>& named_;
  const Scope& scope_;
  ExprHooks* hooks_;
  WindowCall window_;
};

bool IsExact(const BoundExprPtr& expr) { return IsExactType(expr->type); }

// What is compared, and what is added up: integers and decimals have one sum in every order.
bool HasExactParts(const WindowCall& window) {
  const bool adds = window.function == "sum" || window.function == "avg";
  const bool chooses = window.function == "min" || window.function == "max";
  const auto exact_order = [](const BoundOrder& order) { return IsExact(order.expr); };
  if (adds && window.arguments[0]->type.family != TypeFamily::kInteger) return false;
  if (chooses && !IsExact(window.arguments[0])) return false;
  return std::all_of(window.partition_by.begin(), window.partition_by.end(), IsExact) &&
         std::all_of(window.order_by.begin(), window.order_by.end(), exact_order);
}

bool DependsOnOrder(const WindowCall& window) {
  const WindowFunction& function = *FindWindowFunction(window.function);
  return function.ordered || (function.framed && window.frame == ast::FrameMode::kRows);
}

// Without a ROWS frame last_value and nth_value look at the last of the rows ordered alike; other
// frames mean another thing once the order is made total.
bool HasUnsettledFrame(const WindowCall& window) {
  const bool last = window.function == "last_value" || window.function == "nth_value";
  const bool rows = window.frame == ast::FrameMode::kRows;
  return DependsOnOrder(window) && !rows && (window.frame || last);
}

// Rows that are still tied are equal in all that is read of them.
void AppendOrder(WindowCall& window, const std::vector<BoundExprPtr>& inputs) {
  if (!DependsOnOrder(window)) return;
  for (const BoundExprPtr& input : inputs) {
    const auto same = [&](const BoundOrder& order) { return SameExpr(*order.expr, *input); };
    if (std::any_of(window.order_by.begin(), window.order_by.end(), same)) continue;
    window.order_by.push_back({.expr = input});
  }
}

}  // namespace

std::vector<ExactForm> WindowForms() {
  std::vector<ExactForm> forms;
  for (const WindowFunction& function : kWindowFunctions) {
    forms.push_back({function.name, function.arguments, function.meaning});
  }
  return forms;
}

Result<WindowCall> BindWindowCall(const ast::Call& call, SourceSpan span,
                                  const std::vector<ast::Window>& named, const Scope& scope,
                                  ExprHooks* hooks) {
  return WindowBinder(call, span, named, scope, hooks).Bind();
}

Status CheckUnitWindow(WindowCall& window, const Relation& relation,
                       const std::vector<BoundExprPtr>& inputs, SourceSpan span) {
  const bool per_unit =
      std::any_of(window.partition_by.begin(), window.partition_by.end(),
                  [&](const BoundExprPtr& expr) { return HoldsUnit(*expr, relation); });
  if (!per_unit) {
    return MakeError(ErrorCode::kNotJoinedOnUnit,
                     "a window over other people's rows would tell one person's row about them",
                     span, "put the privacy unit into PARTITION BY");
  }
  if (!HasExactParts(window) ||
      (DependsOnOrder(window) && !std::all_of(inputs.begin(), inputs.end(), IsExact))) {
    return MakeError(ErrorCode::kInexactKey,
                     window.function +
                         " over values that are not exact would depend on the order "
                         "of rows",
                     span, "use integers, text, dates or decimals; CAST a float to one");
  }
  if (HasUnsettledFrame(window)) {
    return MakeError(ErrorCode::kUnstableOrder,
                     window.function + " over such a frame would depend on the order of rows", span,
                     "write a frame:  ROWS BETWEEN … AND …");
  }
  AppendOrder(window, inputs);
  return Done{};
}

void SettleWindow(WindowCall& window, const std::vector<BoundExprPtr>& inputs) {
  const bool told_apart = std::all_of(inputs.begin(), inputs.end(), IsExact);
  window.stable = HasExactParts(window) &&
                  (!DependsOnOrder(window) || (told_apart && !HasUnsettledFrame(window)));
  if (window.stable) AppendOrder(window, inputs);
}

}  // namespace dpsql

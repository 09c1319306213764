#include "fuzz/front_end.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>
#include <variant>
#include <vector>

#include "base/check.h"
#include "base/utf8.h"
#include "dpsql/error.h"
#include "dpsql/parameters.h"
#include "plan/plan.h"
#include "sql/dialect.h"
#include "sql/parser.h"
#include "sql/printer.h"
#include "support/ast_dump.h"
#include "support/test_catalog.h"
#include "validate/validate.h"

namespace dpsql {
namespace {

constexpr std::int64_t kMaxGroups = 20;  // else most queries with keys end before they are planned

// One of each kind, under the names that the corpus uses.
const Parameters& BoundParameters() {
  static const Parameters bound = {{"low", Parameter::Integer(-5)},
                                   {"high", Parameter::Double(0.5)},
                                   {"city", Parameter::Text("it's $low; --")},
                                   {"day", Parameter::Date("1955-03-01")},
                                   {"yes", Parameter::Boolean(true)},
                                   {"none", Parameter::Null()}};
  return bound;
}

// Spans are shown under the text and cut from it: one that leaves it reads other memory.
void CheckPlaces(const ast::Statement& statement, std::string_view sql) {
  std::vector<Place> open;
  for (const Place& place : Places(statement)) {
    Check(place.span.begin <= place.span.end && place.span.end <= sql.size(),
          "a span lies inside the text");
    while (!open.empty() && open.back().depth >= place.depth) open.pop_back();
    if (!open.empty()) {
      const SourceSpan parent = open.back().span;
      Check(parent.begin <= place.span.begin && place.span.end <= parent.end,
            "a span lies inside that of the construct around it");
    }
    open.push_back(place);
  }
}

// A tree may hold what a dialect does not list; the printer says so with a Bug, for in the product
// only lowered trees reach it. What it does print for PostgreSQL must be PostgreSQL's language, of
// which ours is a part: collations, for one, are refused when the grammar has read them.
void CheckPrinter(const ast::Select& select) {
  for (const Dialect* dialect : AllDialects()) {
    std::string printed;
    try {
      printed = PrintSelect(select, *dialect);
    } catch (const Bug&) {
      continue;
    }
    if (dialect != &PostgreSqlDialect()) continue;
    const auto again = Parse(printed);
    const std::string code = again.ok() ? "" : again.error().code;
    const bool grown = code == "P102";
    const bool read = again.ok() || code == "P105";
    Check(read || grown, "what the printer writes can be read again");
  }
}

std::string WithThousands(std::size_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

}  // namespace

FrontEnd::FrontEnd(AcceptedCheck check)
    : catalog_(MakeShopCatalog({.max_groups = kMaxGroups})),
      settings_(DefaultSettings(catalog_.policy())),
      check_(check) {}

void FrontEnd::Run(std::string_view sql) {
  accepted_last_ = false;
  const auto statements = Parse(sql, BoundParameters());
  if (!statements.ok()) {
    ++statements_;
    return Refused(statements.error(), sql);
  }
  for (const ast::Statement& statement : *statements) RunStatement(statement, sql);
}

void FrontEnd::RunOrAbort(std::string_view sql) {
  try {
    Run(sql);
  } catch (const std::exception& thrown) {
    std::fprintf(stderr, "finding: %s\n%.*s\n", thrown.what(), static_cast<int>(sql.size()),
                 sql.data());
    std::abort();
  }
}

void FrontEnd::RunStatement(const ast::Statement& statement, std::string_view sql) {
  ++statements_;
  accepted_last_ = false;
  CheckPlaces(statement, sql);
  if (const auto* ask = std::get_if<ast::SelectStatement>(&statement.node)) {
    return RunSelect(ask->select, sql);
  }
  if (const auto* explain = std::get_if<ast::ExplainStatement>(&statement.node)) {
    return RunSelect(explain->select, sql);
  }
  if (const auto* set = std::get_if<ast::SetStatement>(&statement.node)) {
    Settings own =
        settings_;  // a setting holds for its text alone, so that each text is repeatable
    const Status applied = ApplySetting(*set, catalog_.policy(), own);
    if (!applied.ok()) Refused(applied.error(), sql);
    return;
  }
  const auto& alter = std::get<ast::AlterPrivateTable>(statement.node);
  const auto option = ReadTableOption(alter.options);
  if (!option.ok()) Refused(option.error(), sql);
}

void FrontEnd::RunSelect(const ast::Select& select, std::string_view sql) {
  CheckPrinter(select);
  Settings own = settings_;
  if (select.privacy) {
    const auto claim = ApplyOptions(*select.privacy, catalog_.policy(), own);
    if (!claim.ok()) return Refused(claim.error(), sql);
  }
  auto bound = Validate(select, catalog_);
  if (!bound.ok()) return Refused(bound.error(), sql);
  ++accepted_;
  accepted_last_ = true;
  if (check_ != nullptr) check_(*bound);
  const auto plan = Plan(std::move(bound).value(), own);
  if (!plan.ok()) return Refused(plan.error(), sql);
  ++planned_;
  Check(!plan->Print().empty(), "a plan can be shown");
}

void FrontEnd::Refused(const Error& error, std::string_view sql) {
  Check(error.span.begin <= error.span.end && error.span.end <= sql.size(),
        "the span of a refusal lies inside the text");
  Check(error.code != "X901", "no room refuses with the code of a bug");
  Check(ValidUtf8Prefix(error.message) == error.message.size(), "a message is UTF-8");
  Check(!RenderError(error, sql).empty() && !ErrorToJson(error, sql).empty(),
        "a refusal can be shown");
  ++refused_[error.code];
}

std::string FrontEnd::Summary() const {
  const auto percent = [&](std::size_t part) {
    return std::to_string(statements_ == 0 ? 0 : 100 * part / statements_) + " %";
  };
  std::string text = WithThousands(statements_) + " statements: " + percent(accepted_) +
                     " accepted, " + percent(planned_) + " planned; refused";
  std::vector<std::pair<std::size_t, std::string>> codes;
  for (const auto& [code, count] : refused_) codes.emplace_back(count, code);
  std::sort(codes.rbegin(), codes.rend());
  for (const auto& [count, code] : codes) text += "  " + code + " " + WithThousands(count);
  return text + "\n";
}

}  // namespace dpsql

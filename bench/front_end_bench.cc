// What a query costs before any data is read: parsing, binding with typing, planning, and all
// three. Binding and typing are one walk, so they are one figure.
#include <benchmark/benchmark.h>

#include <string>
#include <utility>

#include "plan/plan.h"
#include "plan/settings.h"
#include "sql/parser.h"
#include "support/test_catalog.h"
#include "validate/validate.h"

namespace {

const std::string kTenLines = R"(
SELECT c.segment,
       CASE WHEN c.age >= 65 THEN 'old' WHEN c.age >= 18 THEN 'adult' ELSE 'young' END AS life,
       count(*) AS customers,
       sum(o.n, 0, 50) AS orders,
       avg(c.balance) AS balance,
       sum(CASE WHEN o.largest > 500 THEN 1 ELSE 0 END, 0, 1) AS large
FROM customer c
JOIN (SELECT customer_id, count(*) AS n, max(amount) AS largest
      FROM orders WHERE ordered >= date '2020-01-01' GROUP BY customer_id) o
  ON c.customer_id = o.customer_id
WHERE c.active AND c.city IN ('Paris', 'Lyon', 'Osaka')
GROUP BY c.segment, life
)";

const dpsql::Catalog& TheCatalog() {
  static const dpsql::Catalog catalog = dpsql::MakeShopCatalog({.max_groups = 10});
  return catalog;
}

const dpsql::ast::Select& SelectOf(const std::vector<dpsql::ast::Statement>& statements) {
  return std::get<dpsql::ast::SelectStatement>(statements.at(0).node).select;
}

void Parse(benchmark::State& state) {
  for (auto _ : state) {
    auto statements = dpsql::Parse(kTenLines);
    benchmark::DoNotOptimize(statements);
  }
}

void BindAndType(benchmark::State& state) {
  const auto statements = dpsql::Parse(kTenLines);
  for (auto _ : state) {
    auto bound = dpsql::Validate(SelectOf(statements.value()), TheCatalog());
    benchmark::DoNotOptimize(bound);
  }
}

void Plan(benchmark::State& state) {
  const dpsql::BoundQuery bound = dpsql::BindQuery(kTenLines, TheCatalog());
  const dpsql::Settings settings = dpsql::DefaultSettings(TheCatalog().policy());
  for (auto _ : state) {
    auto plan = dpsql::Plan(bound, settings);
    benchmark::DoNotOptimize(plan);
  }
}

void Total(benchmark::State& state) {
  const dpsql::Settings settings = dpsql::DefaultSettings(TheCatalog().policy());
  for (auto _ : state) {
    const auto statements = dpsql::Parse(kTenLines);
    auto bound = dpsql::Validate(SelectOf(statements.value()), TheCatalog());
    auto plan = dpsql::Plan(std::move(bound).value(), settings);
    if (!plan.ok()) state.SkipWithError(plan.error().message.c_str());
    benchmark::DoNotOptimize(plan);
  }
}

// Parsing runs on a thread of its own, so that the time is the process's.
BENCHMARK(Parse)->Unit(benchmark::kMicrosecond)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK(BindAndType)->Unit(benchmark::kMicrosecond)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK(Plan)->Unit(benchmark::kMicrosecond)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK(Total)->Unit(benchmark::kMicrosecond)->MeasureProcessCPUTime()->UseRealTime();

}  // namespace

#include <benchmark/benchmark.h>

#include <string>
#include <string_view>

#include "sql/parser.h"

namespace {

constexpr std::string_view kTenLines = R"(
SELECT c.c_mktsegment AS segment,
       count(*) AS orders,
       sum(o.o_totalprice, lower => 0, upper => 100000) AS revenue,
       avg(CASE WHEN o.o_orderpriority LIKE '1%' THEN o.o_totalprice ELSE 0 END) AS urgent
FROM customer c
JOIN orders o ON c.c_custkey = o.o_custkey
WHERE o.o_orderdate >= date '1995-01-01' AND o.o_orderdate < date '1996-01-01'
GROUP BY c.c_mktsegment
HAVING count(*) > 100
ORDER BY revenue DESC LIMIT 10
)";

void Parse(benchmark::State& state, const std::string& sql) {
  for (auto _ : state) {
    auto statements = dpsql::Parse(sql);
    benchmark::DoNotOptimize(statements);
  }
}

std::string Repeat(std::string_view piece, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += piece;
  return out;
}

BENCHMARK_CAPTURE(Parse, one_word, "SELECT 1")
    ->Unit(benchmark::kMicrosecond)
    ->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(Parse, ten_lines, std::string(kTenLines))
    ->Unit(benchmark::kMicrosecond)
    ->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(Parse, largest_list, "SELECT 1" + Repeat(",1", 3'990))
    ->Unit(benchmark::kMicrosecond)
    ->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(Parse, largest_script, Repeat("SELECT 1;", 2'600))
    ->Unit(benchmark::kMicrosecond)
    ->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(Parse, too_deep, "SELECT 1" + Repeat("+1", 3'990))
    ->Unit(benchmark::kMicrosecond)
    ->MeasureProcessCPUTime();
BENCHMARK_CAPTURE(Parse, too_many_brackets, Repeat("(", 60'000))
    ->Unit(benchmark::kMicrosecond)
    ->MeasureProcessCPUTime();

}  // namespace

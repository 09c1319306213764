// The fast pass against DuckDB itself on TPC-H: per question the exact query, the exact GROUP BY
// unit and key that any answer per unit must in effect compute, and cells with both stages of
// bounding. The three take turns, so that all see the same machine; the least and the middle time
// are shown. usage: unit_cells_bench TPCH.duckdb [rounds]
#include <duckdb.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "backend/cell_bounding.h"
#include "backend/duckdb_cells.h"
#include "privacy/clip.h"

namespace dpsql {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Int128 kGrid = Int128{1} << 20;
constexpr std::int64_t kRowsPerUnit = 40;

struct Question {
  std::string name;
  std::string exact;
  std::string by_unit;
  std::string columns;
  std::string from;
  CellLayout layout;
  std::int64_t groups_per_unit = 3;
};

ValueEncoding Encode(double low, double high) {
  return {
      .low = low, .high = high, .origin = low, .scale = static_cast<double>(kGrid) / (high - low)};
}

CellLayout Moments(std::size_t keys, ValueEncoding encoding) {
  return {.keys = keys,
          .values = {encoding},
          .classes = {{.values = {0}}},
          .sums = {{.row_class = 0, .a = 0}}};
}

CellLayout Covariance() {
  return {.values = {Encode(0, 100000), Encode(0, 0.1)},
          .classes = {{.values = {0, 1}}},
          .sums = {{.a = 0}, {.a = 1}, {.a = 0, .b = 1}}};
}

CellLayout Variance() {
  CellLayout layout = Moments(0, Encode(-1000, 10000));
  layout.rows_are_units = true;
  layout.sums.push_back({.a = 0, .power_a = 2});
  return layout;
}

std::vector<Question> Questions() {
  const std::string join = "customer JOIN orders ON o_custkey = c_custkey";
  const std::string lines = "lineitem JOIN orders ON l_orderkey = o_orderkey";
  const ValueEncoding price = Encode(0, 600000);
  return {
      {"avg(o_totalprice) by o_orderstatus",
       "SELECT o_orderstatus, avg(o_totalprice) FROM orders GROUP BY 1",
       "SELECT count(*), sum(n), sum(s) FROM (SELECT o_custkey, o_orderstatus, count(*) AS n, "
       "sum(o_totalprice) AS s FROM orders GROUP BY 1, 2)",
       "o_custkey, o_orderstatus, o_totalprice", "orders", Moments(1, price)},
      {"the same, two groups per unit",
       "SELECT o_orderstatus, avg(o_totalprice) FROM orders GROUP BY 1",
       "SELECT count(*), sum(n), sum(s) FROM (SELECT o_custkey, o_orderstatus, count(*) AS n, "
       "sum(o_totalprice) AS s FROM orders GROUP BY 1, 2)",
       "o_custkey, o_orderstatus, o_totalprice", "orders", Moments(1, price), 2},
      {"avg(o_totalprice), customer join orders, BUILDING",
       "SELECT avg(o_totalprice) FROM " + join + " WHERE c_mktsegment = 'BUILDING'",
       "SELECT count(*), sum(n), sum(s) FROM (SELECT o_custkey, count(*) AS n, "
       "sum(o_totalprice) AS s FROM " +
           join + " WHERE c_mktsegment = 'BUILDING' GROUP BY 1)",
       "o_custkey, o_totalprice", join + " WHERE c_mktsegment = 'BUILDING'", Moments(0, price)},
      {"avg(o_totalprice), customer join orders, by c_mktsegment",
       "SELECT c_mktsegment, avg(o_totalprice) FROM " + join + " GROUP BY 1",
       "SELECT count(*), sum(n), sum(s) FROM (SELECT o_custkey, c_mktsegment, count(*) AS n, "
       "sum(o_totalprice) AS s FROM " +
           join + " GROUP BY 1, 2)",
       "o_custkey, c_mktsegment, o_totalprice", join, Moments(1, price)},
      {"covar(l_extendedprice, l_discount), lineitem join orders",
       "SELECT covar_pop(l_extendedprice, l_discount) FROM lineitem",
       "SELECT count(*), sum(n), sum(s), sum(t), sum(p) FROM (SELECT o_custkey, count(*) AS n, "
       "sum(l_extendedprice) AS s, sum(l_discount) AS t, sum(l_extendedprice * l_discount) AS p "
       "FROM " +
           lines + " GROUP BY 1)",
       "o_custkey, l_extendedprice, l_discount", lines, Covariance()},
      {"the same by l_orderkey, without the join",
       "SELECT covar_pop(l_extendedprice, l_discount) FROM lineitem",
       "SELECT count(*), sum(n), sum(s), sum(t), sum(p) FROM (SELECT l_orderkey, count(*) AS n, "
       "sum(l_extendedprice) AS s, sum(l_discount) AS t, sum(l_extendedprice * l_discount) AS p "
       "FROM lineitem GROUP BY 1)",
       "l_orderkey, l_extendedprice, l_discount", "lineitem", Covariance()},
      {"count, sum, var(c_acctbal), rows are units",
       "SELECT count(c_acctbal), sum(c_acctbal), var_pop(c_acctbal) FROM customer",
       "SELECT count(*), sum(n), sum(s), sum(q) FROM (SELECT c_custkey, count(*) AS n, "
       "sum(c_acctbal) AS s, sum(c_acctbal * c_acctbal) AS q FROM customer GROUP BY 1)",
       "c_acctbal", "customer", Variance()},
  };
}

// Coordinates (D n - s, s): enough to load the clip as a mean does.
CellStatistic StatisticOf(const CellLayout& layout) {
  CellStatistic statistic{.width = layout.sums.size() + 1, .rows_inside = kRowsPerUnit};
  for (std::size_t s = 0; s < layout.sums.size(); ++s) statistic.sums.push_back(s);
  statistic.coordinates = [](std::span<const Int128> rows, std::span<const Int128> sums,
                             std::span<Int128> out) {
    out[0] = rows[0] * kGrid - sums[0];
    std::copy(sums.begin(), sums.end(), out.begin() + 1);
  };
  statistic.clip = [](std::span<Int128> vector) {
    ClipL2(vector, static_cast<std::uint64_t>(kRowsPerUnit * kGrid));
  };
  return statistic;
}

double Milliseconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

// Returns the first number of the result.
std::int64_t RunSql(duckdb_connection connection, const std::string& sql) {
  duckdb_result result;
  if (duckdb_query(connection, sql.c_str(), &result) != DuckDBSuccess) {
    std::fprintf(stderr, "%s\n", duckdb_result_error(&result));
    std::exit(1);
  }
  const std::int64_t first = duckdb_value_int64(&result, 0, 0);
  duckdb_destroy_result(&result);
  return first;
}

// Time that passed, and time that processors worked: on a busy machine the latter tells more.
struct Moment {
  Clock::time_point clock = Clock::now();
  double processors = ProcessorTime();

  static double ProcessorTime() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto milliseconds = [](const timeval& time) {
      return 1e3 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_usec);
    };
    return milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
  }
};

struct Spans {
  std::vector<double> clock, processors;

  void Add(const Moment& from, const Moment& to) {
    clock.push_back(Milliseconds(from.clock, to.clock));
    processors.push_back(to.processors - from.processors);
  }
};

struct Times {
  Spans statement, merge, count, sum, all;
};

void RunCells(const Question& question, const std::shared_ptr<RowRegistry>& registry,
              duckdb_connection connection, Times& times) {
  CellPass pass(registry, question.layout);
  const Moment start;
  const std::int64_t rows =
      RunSql(connection, "SELECT count(dpsql_rows(" + std::to_string(pass.id()) + ", " +
                             question.columns + ")) FROM " + question.from);
  const Moment ran;
  const auto cells = pass.Finish(rows, std::max(1U, std::thread::hardware_concurrency()));
  if (!cells) {
    std::fprintf(stderr, "the cells did not fit\n");
    std::exit(1);
  }
  const Moment merged;
  const CellBounds bounds{.groups_per_unit = question.groups_per_unit};
  const ExactTable counts = CountCells(*cells, bounds);
  const Moment counted;
  KeySet keys;
  for (std::uint32_t key = 0; key < cells->keys(); ++key) {
    keys.keys.push_back({.key = cells->key(key), .cells = {true}});
  }
  const CellStatistic statistic = StatisticOf(question.layout);
  const ExactTable sums = SumCells(*cells, keys, std::span(&statistic, 1), bounds);
  const Moment summed;
  times.statement.Add(start, ran);
  times.merge.Add(ran, merged);
  times.count.Add(merged, counted);
  times.sum.Add(counted, summed);
  times.all.Add(start, summed);
}

double Least(const std::vector<double>& times) {
  return *std::min_element(times.begin(), times.end());
}

double Middle(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

void ShowSpans(const char* name, const Spans& spans) {
  std::printf("  %-10s %8.2f ms least %8.2f middle, processors %8.2f least %8.2f middle\n", name,
              Least(spans.clock), Middle(spans.clock), Least(spans.processors),
              Middle(spans.processors));
}

void Ask(const Question& question, const std::shared_ptr<RowRegistry>& registry,
         duckdb_connection connection, int rounds) {
  Times cells;
  Spans exact;
  Spans by_unit;
  for (int i = 0; i < rounds; ++i) {
    const Moment start;
    RunSql(connection, question.exact);
    const Moment between;
    exact.Add(start, between);
    RunSql(connection, question.by_unit);
    by_unit.Add(between, Moment());
    RunCells(question, registry, connection, cells);
  }
  std::printf("%s\n", question.name.c_str());
  ShowSpans("exact", exact);
  ShowSpans("by unit", by_unit);
  ShowSpans("cells", cells.all);
  ShowSpans(" statement", cells.statement);
  ShowSpans(" merge", cells.merge);
  ShowSpans(" count", cells.count);
  ShowSpans(" sum", cells.sum);
  std::printf("  cells: %.2f of exact, %.2f of by unit; of processor time %.2f, %.2f\n",
              Least(cells.all.clock) / Least(exact.clock),
              Least(cells.all.clock) / Least(by_unit.clock),
              Least(cells.all.processors) / Least(exact.processors),
              Least(cells.all.processors) / Least(by_unit.processors));
}

int Main(const std::string& path, int rounds) {
  duckdb_config config = nullptr;
  duckdb_create_config(&config);
  duckdb_set_config(config, "access_mode", "READ_ONLY");
  duckdb_database database = nullptr;
  char* words = nullptr;
  if (duckdb_open_ext(path.c_str(), &database, config, &words) != DuckDBSuccess) {
    std::fprintf(stderr, "%s\n", words);
    return 1;
  }
  duckdb_destroy_config(&config);
  const auto registry = std::make_shared<RowRegistry>();
  duckdb_connection connection = nullptr;
  if (!RowRegistry::Register(database, registry) ||
      duckdb_connect(database, &connection) != DuckDBSuccess) {
    return 1;
  }
  for (const Question& question : Questions()) Ask(question, registry, connection, rounds);
  duckdb_disconnect(&connection);
  duckdb_close(&database);
  return 0;
}

}  // namespace
}  // namespace dpsql

int main(int argc, char** argv) {
  if (argc < 2) {
    std::puts("nothing to read; usage: unit_cells_bench TPCH.duckdb [rounds]");
    return 0;
  }
  return dpsql::Main(argv[1], argc > 2 ? std::atoi(argv[2]) : 15);
}

#include <algorithm>
#include <cmath>
#include <set>

#include "statistical/audit_house.h"
#include "statistical/audit_parts.h"
#include "statistical/laws.h"
#include "statistical/verdicts.h"

// What an answer looks like, whatever the noise: keys of fewer than k units never come out, what
// comes out is sorted, and the number of rows and columns and their types do not tell what is
// there. At delta 0.05 a group of k units comes out often, so that a test at k that is off by one
// shows.
namespace dpsql {
namespace {

constexpr std::int64_t kLeast = 4;  // k
constexpr std::int64_t kSizes = 8;  // groups of 1 to 8 units, many of each
constexpr std::int64_t kOfEach = 40;
constexpr std::int64_t kKeys = kSizes * kOfEach;

// Group g has 1 + g % 8 units. In `few` all units have a row and as many of them an x; the rest,
// thirty more, have none.
const std::string kData =
    "CREATE TABLE visit (id BIGINT NOT NULL, g BIGINT NOT NULL, x DOUBLE);"
    "CREATE TABLE few (id BIGINT NOT NULL, g BIGINT NOT NULL, x DOUBLE);"
    "CREATE TABLE nil (id BIGINT NOT NULL, g BIGINT NOT NULL, x DOUBLE);"
    "INSERT INTO visit SELECT g * 100 + i, g, 5 FROM range(" +
    std::to_string(kKeys) +
    ") t(g), range(8) u(i) WHERE i <= g % 8;"
    "INSERT INTO few SELECT g * 100 + i, g, CASE WHEN i <= g % 8 THEN 5 END FROM range(" +
    std::to_string(kKeys) + ") t(g), range(38) u(i);";

std::string Tables(const std::string& keys) {
  std::string toml;
  for (const char* name : {"visit", "few", "nil"}) {
    toml += TableToml(name, std::string("max_rows_per_unit = 1\n[tables.") + name +
                                ".columns]\nx = { lower = 0, upper = 10 }\n" + keys);
  }
  return toml;
}

HouseTerms Terms(const std::string& noise, std::int64_t min_frequency) {
  return {.accountant = "basic",
          .noise = noise,
          .epsilon = 2,
          .delta = 0.05,
          .min_frequency = min_frequency,
          .groups_per_unit = 1};
}

std::int64_t UnitsOf(std::int64_t key) { return 1 + key % kSizes; }

bool SortedByKey(const Answer& answer) {
  return std::is_sorted(answer.rows.begin(), answer.rows.end(),
                        [](const auto& a, const auto& b) { return a.at(0) < b.at(0); });
}

// Names, types, roles and mechanisms of the columns.
std::string ShapeOf(const Answer& answer) {
  std::string shape;
  for (const AnswerColumn& column : answer.columns) {
    shape += column.name + " " + column.type + " " + std::to_string(static_cast<int>(column.role)) +
             " " + column.mechanism + "; ";
  }
  return shape;
}

struct Seen {
  std::int64_t below = 0;     // cells of fewer than k units that were shown
  std::int64_t least = 0;     // of exactly k
  std::int64_t unsorted = 0;  // answers
  std::int64_t odd = 0;       // answers of another shape, or with rows that should not be
};

std::string Count(std::int64_t shown, std::int64_t draws) {
  return std::to_string(shown) + " of " + std::to_string(draws);
}

void Report(Verdicts& verdicts, const std::string& name, const Seen& seen, std::int64_t draws) {
  // As many as came out with k units would have with k - 1, were k one lower.
  verdicts.AddCertain(name,
                      seen.below == 0 && seen.unsorted == 0 && seen.odd == 0 && seen.least > 0,
                      Count(seen.below, draws * (kLeast - 1) * kOfEach) + " below k",
                      "k one too low: seen " + std::to_string(seen.least) + " times");
}

void DiscoveredKeys(Verdicts& verdicts, const std::string& noise, std::int64_t draws) {
  AuditHouse house(Terms(noise, kLeast), kData, Tables(""));
  Seen seen;
  for (std::int64_t i = 0; i < draws; ++i) {
    const Answer answer = house.Ask("SELECT g, count(*) FROM visit GROUP BY g");
    seen.unsorted += SortedByKey(answer) ? 0 : 1;
    std::set<std::int64_t> keys;
    for (const auto& row : answer.rows) {
      const auto key = std::get<std::int64_t>(row.at(0));
      const bool known = key >= 0 && key < kKeys && keys.insert(key).second;
      if (!known || !NumberOf(row.at(1))) ++seen.odd;
      if (UnitsOf(key) < kLeast) ++seen.below;
      if (UnitsOf(key) == kLeast) ++seen.least;
    }
  }
  Report(verdicts, "discovered keys, " + noise, seen, draws);
}

// A declared key has its row always, and nothing in it where its units are too few.
void DeclaredKeys(Verdicts& verdicts, const std::string& noise, std::int64_t draws) {
  AuditHouse house(Terms(noise, kLeast), kData, Tables("g = " + KnownKeysToml(kKeys) + "\n"));
  const std::string empty_shape = ShapeOf(house.Ask("SELECT g, count(*) FROM nil GROUP BY g"));
  Seen seen;
  for (std::int64_t i = 0; i < draws; ++i) {
    const Answer answer = house.Ask("SELECT g, count(*) FROM visit GROUP BY g");
    seen.unsorted += SortedByKey(answer) ? 0 : 1;
    if (answer.rows.size() != kKeys || ShapeOf(answer) != empty_shape) ++seen.odd;
    for (std::size_t row = 0; row < answer.rows.size(); ++row) {
      const auto key = std::get<std::int64_t>(answer.rows[row].at(0));
      const bool shown = NumberOf(answer.rows[row].at(1)).has_value();
      if (shown != answer.intervals[row].at(1).has_value()) ++seen.odd;
      if (shown && UnitsOf(key) < kLeast) ++seen.below;
      if (shown && UnitsOf(key) == kLeast) ++seen.least;
    }
  }
  Report(verdicts, "declared keys, " + noise, seen, draws);
}

// Of many people in a group, fewer than k have a value: the sum is withheld, the count is not.
void MissingValues(Verdicts& verdicts, const std::string& noise, std::int64_t draws) {
  AuditHouse house(Terms(noise, kLeast), kData, Tables(""));
  Seen seen;
  std::int64_t counted = 0;
  for (std::int64_t i = 0; i < draws; ++i) {
    const Answer answer = house.Ask("SELECT g, sum(x), count(*) FROM few GROUP BY g");
    for (const auto& row : answer.rows) {
      const auto key = std::get<std::int64_t>(row.at(0));
      const bool shown = NumberOf(row.at(1)).has_value();
      counted += NumberOf(row.at(2)).has_value() ? 1 : 0;
      if (shown && UnitsOf(key) < kLeast) ++seen.below;
      if (shown && UnitsOf(key) == kLeast) ++seen.least;
    }
  }
  if (counted < draws * kKeys / 2) ++seen.odd;
  Report(verdicts, "missing values, " + noise, seen, draws);
}

// Without GROUP BY there is one row, of one person or of nobody.
void Scalars(Verdicts& verdicts, std::int64_t min_frequency, std::int64_t draws) {
  AuditHouse house(Terms("gaussian", min_frequency), kData, Tables(""));
  const std::string columns = "SELECT count(*), sum(x), avg(x) FROM ";
  const std::string shape = ShapeOf(house.Ask(columns + "visit"));
  std::int64_t wrong = 0;
  for (std::int64_t i = 0; i < draws; ++i) {
    for (const char* rest : {"nil", "visit WHERE id = 0", "visit WHERE id < 0"}) {
      const Answer answer = house.Ask(columns + rest);
      const bool shown = !answer.rows.empty() && NumberOf(answer.rows[0].at(0)).has_value();
      if (answer.rows.size() != 1 || shown != (min_frequency <= 1)) ++wrong;
      if (ShapeOf(answer) != shape) ++wrong;
    }
  }
  verdicts.AddCertain("scalars, k = " + std::to_string(min_frequency), wrong == 0,
                      Count(wrong, 3 * draws) + " of another shape",
                      "no row, or its number: certain");
}

}  // namespace

int AuditStructure(std::int64_t draws) {
  Verdicts verdicts("Structure", 0);
  for (const char* noise : {"gaussian", "laplace"}) {
    DiscoveredKeys(verdicts, noise, draws);
    DeclaredKeys(verdicts, noise, draws);
    MissingValues(verdicts, noise, draws);
  }
  Scalars(verdicts, 1, draws);
  Scalars(verdicts, kLeast, draws);
  return verdicts.Finish();
}

}  // namespace dpsql

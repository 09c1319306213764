#include "statistical/noise_sample.h"

#include <istream>
#include <ostream>
#include <stdexcept>

namespace dpsql {
namespace {

constexpr double kUpperY = 10;  // the larger bound of y; that of x is 1

const std::string kSums = "SELECT g, sum(x), sum(y) FROM nil GROUP BY g";
const std::string kMoments = "SELECT g, sum(x), count(x), avg(x) FROM nil GROUP BY g";

}  // namespace

std::string NoiseSample::Data() {
  return "CREATE TABLE nil (id BIGINT NOT NULL, g BIGINT NOT NULL, x DOUBLE NOT NULL, "
         "y DOUBLE NOT NULL);";
}

// Sixty-four rows a unit make the noise so large that rounding a count says nothing.
std::string NoiseSample::Tables() {
  return TableToml("nil",
                   "max_rows_per_unit = 64\n[tables.nil.columns]\nx = { lower = 0, upper = 1 }\n"
                   "y = { lower = -5, upper = 10 }\ng = " +
                       KnownKeysToml(kCells) + "\n");
}

NoiseSample NoiseSample::Draw(AuditHouse& house, std::int64_t questions) {
  const StatedPlan sums_plan = house.Explain(kSums);
  const StatedPlan moments_plan = house.Explain(kMoments);
  NoiseSample sample;
  for (std::int64_t i = 0; i < questions; ++i) {
    const NoisyRows sums = house.AskRows(kSums);
    const NoisyRows moments = house.AskRows(kMoments);
    if (sums.size() != kCells || moments.size() != kCells) {
      throw std::runtime_error("a declared key has no row");
    }
    for (const auto& [key, row] : sums) {
      sample.numbers_.push_back(row[0].value() / sums_plan.noise_sds.at(0));
    }
    for (const auto& [key, row] : sums) {
      sample.numbers_.push_back(row[1].value() / (kUpperY * sums_plan.noise_sds.at(1)));
    }
    const double sd = moments_plan.noise_sds.at(0);
    for (const auto& [key, row] : moments) sample.numbers_.push_back(row[0].value() / sd);
    for (const auto& [key, row] : moments) {
      sample.numbers_.push_back((row[1].value() - row[0].value()) / sd);
    }
  }
  return sample;
}

void NoiseSample::Append(const NoiseSample& other) {
  numbers_.insert(numbers_.end(), other.numbers_.begin(), other.numbers_.end());
}

void NoiseSample::Write(std::ostream& out) const {
  out.precision(17);
  for (const double number : numbers_) out << number << '\n';
}

NoiseSample NoiseSample::Read(std::istream& in) {
  NoiseSample sample;
  for (double number = 0; in >> number;) sample.numbers_.push_back(number);
  if (sample.numbers_.empty() || sample.numbers_.size() % kWidth != 0) {
    throw std::runtime_error("another process drew nothing");
  }
  return sample;
}

}  // namespace dpsql

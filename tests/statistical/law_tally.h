#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "base/int128.h"
#include "privacy/normal.h"
#include "statistical/symmetric_law.h"

namespace dpsql {

// Counts draws in cells of a law and then asks, in six ways, whether they follow it.
class LawTally {
 public:
  static constexpr int kWays = 6;

  // At most 2 * cells_a_side + 1 cells, of nearly equal probability and each of `share_least` or
  // more: an expected count of 100 makes chi-square's law accurate.
  LawTally(SymmetricLaw law, std::size_t cells_a_side, double share_least)
      : law_(std::move(law)),
        edges_(Edges(cells_a_side, share_least)),
        counts_(2 * edges_.size() + 1) {}

  void Add(std::span<const Int128> draws) {
    for (const Int128 draw : draws) {
      ++counts_[CellOf(draw)];
      const double x = static_cast<double>(draw) / std::sqrt(law_.variance);
      sum_ += x;
      squares_ += x * x - 1;
      neighbours_ += x * last_;
      last_ = x;
      ++residues_[static_cast<std::size_t>(draw & 15)];
    }
    count_ += static_cast<double>(draws.size());
  }

  // In which ways they do not. Each raises a false alarm with probability `rate` at most.
  // Requires: rate >= 2.1e-9.
  std::vector<std::string> Failures(double rate) const {
    std::vector<std::string> failures;
    const auto expect = [&](const char* way, double seen, double limit) {
      if (seen < limit) return;
      failures.push_back(std::string(way) + ": " + std::to_string(seen) + " and not below " +
                         std::to_string(limit));
    };
    expect("cells", ChiSquare(), ChiSquareLimit(static_cast<double>(counts_.size() - 1), rate));
    expect("distance", Distance() * std::sqrt(count_), std::sqrt(std::log(2 / rate) / 2));
    const double limit = kDeviations * std::sqrt(count_);
    expect("mean", std::fabs(sum_), limit);
    expect("variance", std::fabs(squares_), limit * std::sqrt(kurtosis() - 1));
    expect("correlation of neighbours", std::fabs(neighbours_), limit);
    if (law_.scale >= kFineGrid) expect("low bits", ResidueChiSquare(), ChiSquareLimit(15, rate));
    return failures;
  }

  // How much too small a standard deviation may be and still be found with a chance of 0.99.
  double LeastFound() const {
    return 0.5 * (kDeviations + UpperQuantile(0.01)) * std::sqrt((kurtosis() - 1) / count_);
  }

 private:
  // 6 standard deviations are 2e-9 of a normal law; the sums are not quite normal.
  static constexpr double kDeviations = 6;

  double kurtosis() const { return law_.fourth / (law_.variance * law_.variance); }

  // Whole numbers t1 < t2 < ... where the tail falls below equal steps: cells end before them.
  std::vector<double> Edges(std::size_t cells_a_side, double share_least) const {
    std::vector<double> edges;
    double above = 0.5;  // the tail at the last edge
    for (std::size_t i = cells_a_side; i >= 1; --i) {
      const double wanted = 0.5 * static_cast<double>(i) / (static_cast<double>(cells_a_side) + 1);
      const double edge = FirstBelow(wanted);
      const double tail = law_.at_least(edge);
      if (tail < share_least) break;
      if (!edges.empty() && above - tail < share_least) continue;
      if (edges.empty() || edge > edges.back()) edges.push_back(edge);
      above = tail;
    }
    return edges;
  }

  // The least whole t >= 1 with P(X >= t) <= wanted; beyond 2^53 the next one that is a double.
  double FirstBelow(double wanted) const {
    double low = 0;
    double high = 1;
    while (law_.at_least(high) > wanted) high *= 2;
    while (true) {
      const double middle = std::floor((low + high) / 2);
      if (middle == low || middle == high) return high;
      (law_.at_least(middle) > wanted ? low : high) = middle;
    }
  }

  // 0 is the outermost negative cell, edges_.size() the one of 0.
  std::size_t CellOf(Int128 draw) const {
    const auto magnitude = static_cast<double>(draw < 0 ? -draw : draw);
    const auto beyond = static_cast<std::size_t>(
        std::upper_bound(edges_.begin(), edges_.end(), magnitude) - edges_.begin());
    return draw < 0 ? edges_.size() - beyond : edges_.size() + beyond;
  }

  double Probability(std::size_t cell) const {
    const std::size_t side = edges_.size();
    if (cell == side) return 1 - 2 * law_.at_least(edges_[0]);
    const std::size_t beyond = cell < side ? side - cell : cell - side;
    const double outer = beyond == side ? 0 : law_.at_least(edges_[beyond]);
    return law_.at_least(edges_[beyond - 1]) - outer;
  }

  double ChiSquare() const {
    double total = 0;
    for (std::size_t cell = 0; cell < counts_.size(); ++cell) {
      const double expected = count_ * Probability(cell);
      total += std::pow(counts_[cell] - expected, 2) / expected;
    }
    return total;
  }

  // Kolmogorov and Smirnov's distance at the ends of the cells. P(sqrt(n) D > t) <= 2 exp(-2 t^2)
  // holds for the largest distance of any law, hence for these places of this one.
  double Distance() const {
    double distance = 0;
    double seen = 0;
    double expected = 0;
    for (std::size_t cell = 0; cell < counts_.size(); ++cell) {
      seen += counts_[cell] / count_;
      expected += Probability(cell);
      distance = std::max(distance, std::fabs(seen - expected));
    }
    return distance;
  }

  double ResidueChiSquare() const {
    double total = 0;
    for (const double seen : residues_) total += std::pow(seen - count_ / 16, 2) * 16 / count_;
    return total;
  }

  // The quantile by Wilson and Hilferty, which errs toward fewer alarms.
  static double ChiSquareLimit(double degrees, double rate) {
    const double spread = 2 / (9 * degrees);
    return degrees * std::pow(1 - spread + UpperQuantile(rate) * std::sqrt(spread), 3);
  }

  SymmetricLaw law_;
  std::vector<double> edges_;
  std::vector<double> counts_;
  std::array<double, 16> residues_ = {};
  double count_ = 0;
  double sum_ = 0;
  double squares_ = 0;
  double neighbours_ = 0;
  double last_ = 0;
};

}  // namespace dpsql

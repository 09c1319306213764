#include "privacy/pld.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/check.h"
#include "privacy/monotone_edge.h"
#include "privacy/normal.h"
#include "privacy/pld_fft.h"

namespace dpsql {
namespace {

constexpr double kUnit = 0x1p-53;
constexpr double kLawError = 0x1p-40;  // more than the relative rounding error of one law's masses
constexpr double kReach = 9;           // in standard deviations: Q(9) < 2e-19
constexpr double kReachError = 1e-18;
constexpr double kLeastTilt = 1e-3;
constexpr std::size_t kCellsMax = std::size_t{1} << 26;

// Masses on the grid, multiplied by e^(theta loss) and divided by e^log_scale so that they sum
// to 1.
struct GridLaw {
  std::int64_t lowest = 0;
  std::vector<double> mass;
  double log_scale = 0;
  double error = 0;  // bounds the L1 distance from the exact law, in the same measure
};

struct Node {
  double place;  // in (0, 1)
  double weight;
};

// Gauss-Legendre on [0, 1] with eight points.
constexpr std::array<Node, 8> kNodes = {Node{0.5 - 0.48014492824876811584, 0.05061426814518812957},
                                        Node{0.5 - 0.39833323870681336980, 0.11119051722668723527},
                                        Node{0.5 - 0.26276620495816449291, 0.15685332293894364367},
                                        Node{0.5 - 0.09171732124782490241, 0.18134189168918099148},
                                        Node{0.5 + 0.09171732124782490241, 0.18134189168918099148},
                                        Node{0.5 + 0.26276620495816449291, 0.15685332293894364367},
                                        Node{0.5 + 0.39833323870681336980, 0.11119051722668723527},
                                        Node{0.5 + 0.48014492824876811584, 0.05061426814518812957}};

// Connects the dots: mass at a loss inside a cell goes to both ends of the cell such that the mass
// under either database stays what it was.
class DotConnector {
 public:
  DotConnector(double grid, double theta, double from, double to)
      : grid_(grid), theta_(theta), lowest_(CellOf(from)) {
    const double cells = std::ceil(to / grid) - std::floor(from / grid) + 3;
    Check(cells < static_cast<double>(kCellsMax), "a loss distribution fits into memory");
    mass_.assign(static_cast<std::size_t>(cells), 0);
    for (std::size_t i = 0; i < kNodes.size(); ++i) {
      whole_[i] = SharesOf(kNodes[i].place * grid, kNodes[i].weight * grid);
    }
  }

  // A tilted mass at a loss.
  void AddAtom(double loss, double mass) {
    const std::int64_t cell = CellOf(loss);
    const double low = static_cast<double>(cell) * grid_;
    AddInCell(cell, std::clamp(loss - low, 0.0, grid_), mass);
  }

  // A tilted density on [from, to] that eight nodes resolve on each stretch of length `smooth`.
  template <typename Density>
  void AddDensity(const Density& density, double from, double to, double smooth) {
    for (std::int64_t cell = CellOf(from); cell <= CellOf(to); ++cell) {
      const double low = static_cast<double>(cell) * grid_;
      if (from <= low && to >= low + grid_ && smooth >= grid_) {
        AddWholeCell(density, cell);
        continue;
      }
      const double start = std::fmax(from, low);
      const double width = std::fmin(to, low + grid_) - start;
      if (width <= 0) continue;
      const double pieces = std::ceil(width / smooth);
      for (double piece = 0; piece < pieces; ++piece) {
        AddPiece(density, cell, start + width * piece / pieces, width / pieces);
      }
    }
  }

  // The tilted density scale e^(rate (loss - to)) on [from, to]: the shares of one whole cell are
  // those of another but for a factor.
  void AddExponential(double scale, double rate, double from, double to) {
    const auto density = [&](double loss) { return scale * std::exp(rate * (loss - to)); };
    if (rate * grid_ > 1) return AddDensity(density, from, to, 1 / rate);
    Shares whole;
    for (std::size_t i = 0; i < kNodes.size(); ++i) {
      const double factor = scale * std::exp(rate * kNodes[i].place * grid_);
      whole.low += factor * whole_[i].low;
      whole.high += factor * whole_[i].high;
    }
    const std::int64_t last = CellOf(to);
    for (std::int64_t cell = CellOf(from); cell <= last; ++cell) {
      const double low = static_cast<double>(cell) * grid_;
      if (from <= low && to >= low + grid_) {
        const auto index = static_cast<std::size_t>(cell - lowest_);
        const double factor = std::exp(rate * (low - to));
        mass_.at(index) += factor * whole.low;
        mass_.at(index + 1) += factor * whole.high;
        continue;
      }
      const double start = std::fmax(from, low);
      const double width = std::fmin(to, low + grid_) - start;
      if (width > 0) AddPiece(density, cell, start, width);
    }
  }

  GridLaw Finish(double log_scale, double error) {
    GridLaw law = {.lowest = lowest_, .mass = std::move(mass_), .log_scale = log_scale};
    const double sum = std::accumulate(law.mass.begin(), law.mass.end(), 0.0);
    for (double& mass : law.mass) mass /= sum;
    law.log_scale += std::log(sum) + kLawError;
    law.error = error / sum;
    return law;
  }

 private:
  std::int64_t CellOf(double loss) const {
    return static_cast<std::int64_t>(std::floor(loss / grid_));
  }

  // What goes to the lower and to the upper end of its cell, tilted.
  struct Shares {
    double low = 0;
    double high = 0;
  };

  Shares SharesOf(double offset, double mass) const {
    const double share_up = std::expm1(-offset) / std::expm1(-grid_);
    return {.low = mass * std::exp(-theta_ * offset) * std::fmax(0, 1 - share_up),
            .high = mass * std::exp(theta_ * (grid_ - offset)) * share_up};
  }

  void AddInCell(std::int64_t cell, double offset, double mass) {
    const auto index = static_cast<std::size_t>(cell - lowest_);
    const Shares shares = SharesOf(offset, mass);
    mass_.at(index) += shares.low;
    mass_.at(index + 1) += shares.high;
  }

  template <typename Density>
  void AddWholeCell(const Density& density, std::int64_t cell) {
    const auto index = static_cast<std::size_t>(cell - lowest_);
    for (std::size_t i = 0; i < kNodes.size(); ++i) {
      const double value = density((static_cast<double>(cell) + kNodes[i].place) * grid_);
      mass_.at(index) += value * whole_[i].low;
      mass_.at(index + 1) += value * whole_[i].high;
    }
  }

  // The piece [start, start + width] of a cell. Losses stay as they are until the density has seen
  // them: counted from the end of their cell, those of a law far narrower than it would be lost.
  template <typename Density>
  void AddPiece(const Density& density, std::int64_t cell, double start, double width) {
    const double low = static_cast<double>(cell) * grid_;
    for (const auto& [place, weight] : kNodes) {
      const double loss = start + width * place;
      const double offset = std::clamp(loss - low, 0.0, grid_);
      AddInCell(cell, offset, density(loss) * weight * width);
    }
  }

  double grid_;
  double theta_;
  std::int64_t lowest_;
  std::vector<double> mass_;
  std::array<Shares, kNodes.size()> whole_;
};

// The tilted loss of N(mu, 1) against N(0, 1) is normal again.
GridLaw GaussianLaw(double mu, double theta, double grid) {
  const double mean = mu * mu * (0.5 + theta);
  const double from = mean - kReach * mu;
  const double to = mean + kReach * mu;
  DotConnector dots(grid, theta, from, to);
  const auto density = [&](double loss) {
    return std::exp(LogNormalDensity((loss - mean) / mu)) / mu;
  };
  dots.AddDensity(density, from, to, mu / 4);
  return dots.Finish(0.5 * theta * (1 + theta) * mu * mu, kReachError);
}

// Two atoms at the ends, and the density e^((loss - epsilon)/2) / 4 between them.
GridLaw LaplaceLaw(double epsilon, double theta, double grid) {
  DotConnector dots(grid, theta, -epsilon, epsilon);
  dots.AddAtom(epsilon, 0.5);
  dots.AddAtom(-epsilon, 0.5 * std::exp(-epsilon - 2 * theta * epsilon));
  dots.AddExponential(0.25, 0.5 + theta, -epsilon, epsilon);
  return dots.Finish(theta * epsilon, kReachError);
}

// Randomised response dominates every pure epsilon-DP mechanism.
GridLaw BlackBoxLaw(double epsilon, double theta, double grid) {
  DotConnector dots(grid, theta, -epsilon, epsilon);
  const double truth = 1 / (1 + std::exp(-epsilon));
  dots.AddAtom(epsilon, truth);
  dots.AddAtom(-epsilon, truth * std::exp(-epsilon - 2 * theta * epsilon));
  return dots.Finish(theta * epsilon, kReachError);
}

// Drops cells at both ends that hold at most `tolerance` each side, and counts them as error.
void Trim(GridLaw& law, double tolerance) {
  std::size_t first = 0;
  std::size_t last = law.mass.size();
  double dropped = 0;
  for (; first + 1 < last && dropped + law.mass[first] <= tolerance; ++first) {
    dropped += law.mass[first];
  }
  double dropped_above = 0;
  for (; last > first + 1 && dropped_above + law.mass[last - 1] <= tolerance; --last) {
    dropped_above += law.mass[last - 1];
  }
  law.mass.erase(law.mass.begin() + static_cast<std::ptrdiff_t>(last), law.mass.end());
  law.mass.erase(law.mass.begin(), law.mass.begin() + static_cast<std::ptrdiff_t>(first));
  law.lowest += static_cast<std::int64_t>(first);
  law.error += (dropped + dropped_above) * (1 + 0x1p-20);
}

GridLaw Compose(const GridLaw& a, const GridLaw& b, Convolver& convolver) {
  Check(a.mass.size() + b.mass.size() < kCellsMax, "a loss distribution fits into memory");
  Convolution product = convolver.Convolve(a.mass, b.mass);
  GridLaw law = {.lowest = a.lowest + b.lowest,
                 .mass = std::move(product.values),
                 .log_scale = a.log_scale + b.log_scale,
                 .error = (a.error + b.error + a.error * b.error + product.error) * (1 + 0x1p-20)};
  Trim(law, std::fmax(1e-16, product.error));
  return law;
}

GridLaw Power(GridLaw base, std::int64_t count, Convolver& convolver) {
  GridLaw result = {.mass = {1}};
  for (; count > 0; count /= 2) {
    if (count % 2 == 1) result = Compose(result, base, convolver);
    if (count > 1) base = Compose(base, base, convolver);
  }
  return result;
}

void CheckStep(const LossStep& step) {
  Check(std::isfinite(step.parameter) && step.parameter >= 0, "a parameter is not negative");
  Check(step.delta >= 0 && step.delta < 1, "delta lies between 0 and 1");
  Check(step.count >= 0, "a count is not negative");
}

constexpr double kLeastMu = 1e-150;  // the square of a smaller one could be 0

// Gaussian steps together are one Gaussian step: sqrt of the sum of mu^2, rounded up.
double GaussianPart(const LossPlan& plan) {
  double sum = 0;
  for (const LossStep& step : plan) {
    if (step.law != LossLaw::kGaussian || step.parameter == 0) continue;
    const double mu = std::fmax(step.parameter, kLeastMu);
    sum += static_cast<double>(step.count) * mu * mu;
  }
  return std::sqrt(sum) * (1 + static_cast<double>(plan.size() + 4) * 2 * kUnit);
}

bool IsBlank(const LossStep& step) {
  return step.law == LossLaw::kGaussian || step.parameter == 0 || step.count == 0;
}

// The shortest two are composed first, so that few convolutions are long.
GridLaw LawOf(const LossPlan& plan, double theta, double grid) {
  const auto longer = [](const GridLaw& a, const GridLaw& b) {
    return a.mass.size() > b.mass.size();
  };
  Convolver convolver;
  std::vector<GridLaw> heap = {GridLaw{.mass = {1}}};
  if (const double mu = GaussianPart(plan); mu > 0) heap.push_back(GaussianLaw(mu, theta, grid));
  for (const LossStep& step : plan) {
    if (IsBlank(step)) continue;
    GridLaw law = step.law == LossLaw::kLaplace ? LaplaceLaw(step.parameter, theta, grid)
                                                : BlackBoxLaw(step.parameter, theta, grid);
    heap.push_back(Power(std::move(law), step.count, convolver));
  }
  std::make_heap(heap.begin(), heap.end(), longer);
  while (heap.size() > 1) {
    std::pop_heap(heap.begin(), heap.end(), longer);
    const GridLaw a = std::move(heap.back());
    heap.pop_back();
    std::pop_heap(heap.begin(), heap.end(), longer);
    heap.back() = Compose(a, heap.back(), convolver);
    std::push_heap(heap.begin(), heap.end(), longer);
  }
  return std::move(heap.front());
}

// ln E e^(theta loss) of one step, without its grid.
double LogMoment(const LossStep& step, double theta) {
  const double epsilon = step.parameter;
  if (epsilon == 0) return 0;
  if (step.law == LossLaw::kGaussian) return 0.5 * theta * (1 + theta) * epsilon * epsilon;
  const double far = std::exp(-(1 + 2 * theta) * epsilon);
  const double base = theta * epsilon;
  if (step.law == LossLaw::kBlackBox) return base + std::log((1 + far) / (1 + std::exp(-epsilon)));
  return base +
         std::log(0.5 + 0.5 * far - 0.5 * std::expm1(-(1 + 2 * theta) * epsilon) / (1 + 2 * theta));
}

double LogMoment(const LossPlan& plan, double theta) {
  double sum = 0;
  for (const LossStep& step : plan) {
    sum += static_cast<double>(step.count) * LogMoment(step, theta);
  }
  return sum;
}

// ln of max over y > 0 of e^(-theta y) (1 - e^-y).
double LogPeak(double theta) {
  return theta == 0 ? 0 : -theta * std::log1p(1 / theta) - std::log1p(theta);
}

// The theta at which a function with one valley is least, near enough: every theta is sound.
template <typename Function>
double BestTilt(const Function& function, double grid) {
  constexpr double kGolden = 0.61803398874989484820;
  double low = std::log(kLeastTilt);
  double high = std::log(0.5 / grid);
  for (int i = 0; i < 28; ++i) {
    const double left = high - kGolden * (high - low);
    const double right = low + kGolden * (high - low);
    if (function(std::exp(left)) < function(std::exp(right))) {
      high = right;
    } else {
      low = left;
    }
  }
  return std::exp(0.5 * (low + high));
}

// ln of the probability of no event among the one-sided (or the other) steps, rounded down.
double LogNoEvent(const LossPlan& plan, bool one_sided) {
  double sum = 0;
  for (const LossStep& step : plan) {
    if (step.one_sided != one_sided) continue;
    sum += static_cast<double>(step.count) * std::log1p(-step.delta);
  }
  return sum * (1 + static_cast<double>(plan.size() + 4) * 2 * kUnit);
}

// The probability of any event at all, rounded up.
double Events(const LossPlan& plan) {
  return -std::expm1(LogNoEvent(plan, false) + LogNoEvent(plan, true)) * (1 + 0x1p-50);
}

}  // namespace

LossCurve::LossCurve(const LossPlan& plan, double theta, double grid) : grid_(grid), theta_(theta) {
  Check(grid > 0 && theta >= 0 && theta * grid <= 1, "the tilt is smooth on the grid");
  double laws = 4;
  for (const LossStep& step : plan) {
    CheckStep(step);
    laws += static_cast<double>(step.count);
  }
  GridLaw law = LawOf(plan, theta, grid);
  const std::size_t cells = law.mass.size();
  lowest_ = law.lowest;
  error_ = law.error;
  log_scale_ = law.log_scale + laws * kLawError + static_cast<double>(cells) * 8 * kUnit;
  events_remove_ = std::fmin(1, Events(plan));
  events_add_ = std::fmin(1, -std::expm1(LogNoEvent(plan, false)) * (1 + 0x1p-50));
  shift_add_ = -LogNoEvent(plan, true);
  // From the top: every term is positive, so nothing cancels.
  above_.resize(cells);
  weight_ = std::move(law.mass);
  const double fall = std::exp(-theta * grid);
  const double fall_more = std::exp(-(1 + theta) * grid);
  const double gap = -std::expm1(-grid);
  for (std::size_t i = cells - 1; i-- > 0;) {
    above_[i] = fall * (above_[i + 1] + gap * weight_[i + 1]);
    weight_[i] += fall_more * weight_[i + 1];
  }
}

// ln of sum over losses l > epsilon of mass(l) (1 - e^(epsilon-l)), and of what the error may add:
// at most error * max over y of e^(-theta y) (1 - e^-y) in the tilted measure.
double LossCurve::LogTiltedDelta(double epsilon) const {
  epsilon -= std::fabs(epsilon) * 0x1p-50;  // rounding must not step over a cell
  const double place = epsilon / grid_ - static_cast<double>(lowest_);
  double sum = 0;
  if (place < static_cast<double>(above_.size() - 1)) {
    const auto next = place < 0 ? std::size_t{0} : static_cast<std::size_t>(place) + 1;
    const double loss = static_cast<double>(lowest_ + static_cast<std::int64_t>(next)) * grid_;
    const double rest = std::fmax(0, loss - epsilon);
    sum = std::exp(-theta_ * rest) * (above_[next] - std::expm1(-rest) * weight_[next]);
  }
  const double peak = std::exp(LogPeak(theta_)) * (1 + 0x1p-40);
  return log_scale_ - theta_ * epsilon + std::log(sum + error_ * peak);
}

double LossCurve::Delta(double epsilon, LossDirection direction) const {
  Check(std::isfinite(epsilon) && epsilon >= 0, "epsilon is not negative");
  const bool add = direction == LossDirection::kAdd;
  const double events = add ? events_add_ : events_remove_;
  const double log_rest = LogTiltedDelta(epsilon - (add ? shift_add_ : 0));
  // The logarithm has lost up to a few units of its largest term; -infinity stays what it is.
  const double slack = 16 * kUnit * (std::fabs(log_scale_) + theta_ * epsilon + 1000);
  const double least = std::isinf(log_rest) ? 0 : std::numeric_limits<double>::denorm_min();
  const double rest = std::fmax(std::exp(std::fmin(0, log_rest + slack)), least);
  return std::fmin(1, (events + (1 - events) * rest) * (1 + 0x1p-49));
}

double LossCurve::Delta(double epsilon) const {
  return std::fmax(Delta(epsilon, LossDirection::kAdd), Delta(epsilon, LossDirection::kRemove));
}

double LossCurve::Epsilon(double delta) const {
  Check(delta > 0 && delta < 1, "delta lies between 0 and 1");
  const auto excess = [&](double epsilon) { return std::log(Delta(epsilon)) - std::log(delta); };
  if (excess(0) <= 0) return 0;
  double inside = grid_;
  while (excess(inside) > 0) {
    inside *= 2;
    if (inside > 0x1p60) return HUGE_VAL;
  }
  return MonotoneEdge(excess, inside, 0) * (1 + 0x1p-50);
}

double PldDelta(const LossPlan& plan, double epsilon, double grid) {
  Check(std::isfinite(epsilon) && epsilon >= 0, "epsilon is not negative");
  for (const LossStep& step : plan) CheckStep(step);
  const auto bound = [&](double theta) {
    return LogMoment(plan, theta) + LogPeak(theta) - theta * epsilon;
  };
  return LossCurve(plan, BestTilt(bound, grid), grid).Delta(epsilon);
}

double PldEpsilon(const LossPlan& plan, double delta, double grid) {
  Check(delta > 0 && delta < 1, "delta lies between 0 and 1");
  for (const LossStep& step : plan) CheckStep(step);
  const double left = delta - Events(plan);
  if (left <= 0) return HUGE_VAL;
  const auto bound = [&](double theta) {
    return (LogMoment(plan, theta) + LogPeak(theta) - std::log(left)) / theta;
  };
  return LossCurve(plan, BestTilt(bound, grid), grid).Epsilon(delta);
}

bool PldFits(const LossPlan& plan, EpsilonDelta total, double grid) {
  return PldEpsilon(plan, total.delta, grid) <= total.epsilon;
}

std::int64_t PldTimesLeft(const LossPlan& plan, LossStep next, EpsilonDelta total, double grid) {
  Check(next.parameter > 0 || next.delta > 0, "a step without loss fits without end");
  const auto fits = [&](std::int64_t count) {
    LossPlan longer = plan;
    next.count = count;
    longer.push_back(next);
    return PldFits(longer, total, grid);
  };
  if (!fits(1)) return 0;
  std::int64_t inside = 1;
  while (inside < kMostTimes && fits(2 * inside)) inside *= 2;
  if (inside >= kMostTimes) return kMostTimes;
  std::int64_t outside = 2 * inside;
  while (outside - inside > 1) {
    const std::int64_t middle = inside + (outside - inside) / 2;
    (fits(middle) ? inside : outside) = middle;
  }
  return inside;
}

}  // namespace dpsql

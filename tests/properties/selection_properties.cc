#include <algorithm>

#include "privacy/truncated_geometric.h"
#include "properties/oracle.h"
#include "properties/property.h"

namespace dpsql {
namespace {

bool Share(Draws& draws) {
  const EpsilonDelta asked = {
      draws.OneIn(16) ? 0 : draws.LogUniform(1e-9, 1e3),
      draws.OneIn(3) ? draws.LogUniform(1e-280, 1e-20) : draws.LogUniform(1e-20, 0.9999)};
  const auto cells = static_cast<std::int64_t>(draws.LogUniform(1, 1e9));
  const EpsilonDelta share = CellShare(asked, cells);
  const std::initializer_list<double> inputs = {asked.epsilon, asked.delta,
                                                static_cast<double>(cells)};
  const Real epsilon = Real(share.epsilon) * cells;
  Expect(epsilon <= asked.epsilon, "epsilon is shared", inputs);
  Expect(epsilon >= asked.epsilon * (1 - Real(1e-15)), "all of it", inputs);
  const Real exact = OracleCellLeak(asked.delta, cells);
  Expect(share.delta <= exact, "delta is shared", inputs);
  Expect(share.delta >= exact * (1 - Real(0x1p-40)), "all of it", inputs);
  return true;
}

struct Step {
  Real growth;
  Real delta;
};

// Between n and n + 1 units: the four inequalities of (epsilon, delta)-DP hold for the fixed-point
// numbers themselves, and what they allow is used but for rounding.
void ExpectStep(const TruncatedGeometric& table, std::int64_t n, const Step& step,
                std::initializer_list<double> inputs) {
  const Real keep = ldexp(Real(table.Keep(n)), -kKeepBits);
  const Real more = ldexp(Real(table.Keep(n + 1)), -kKeepBits);
  const auto& [growth, delta] = step;
  Expect(more <= growth * keep + delta, "kept with n + 1 and not with n", inputs);
  Expect(keep <= growth * more + delta, "kept with n and not with n + 1", inputs);
  Expect(1 - more <= growth * (1 - keep) + delta, "dropped with n + 1 and not with n", inputs);
  Expect(1 - keep <= growth * (1 - more) + delta, "dropped with n and not with n + 1", inputs);
  const Real allowed = std::min({growth * keep + delta, 1 - (1 - keep - delta) / growth, Real(1)});
  Expect(more >= allowed * (1 - Real(1e-20)) - ldexp(Real(1), -115), "no step keeps too little",
         inputs);
}

bool Table(Draws& draws) {
  const EpsilonDelta share = {
      draws.OneIn(20) ? draws.LogUniform(5, 88) : draws.LogUniform(0.15, 5),
      draws.OneIn(8) ? draws.LogUniform(0x1p-119, 1e-20) : draws.LogUniform(1e-20, 0.9)};
  const std::int64_t k = draws.Whole(1, 50);
  const TruncatedGeometric table(share, k);
  const std::int64_t last = table.certain_from();
  const Step step = {exp(Real(share.epsilon)), share.delta};
  const std::initializer_list<double> inputs = {share.epsilon, share.delta, static_cast<double>(k)};
  Expect(table.Keep(k - 1) == 0, "nothing below k is kept", inputs);
  Expect(table.Keep(last) == UInt128{1} << kKeepBits, "the table ends at 1", inputs);
  for (const std::int64_t n :
       {k - 1, last - 1, last, k - 1 + (last - k) / 2, draws.Whole(k - 1, last)}) {
    ExpectStep(table, n, step, inputs);
  }
  return true;
}

constexpr Property kProperties[] = {{"cell_share", Share}, {"truncated_geometric", Table}};

}  // namespace

std::span<const Property> SelectionProperties() { return kProperties; }

}  // namespace dpsql

#include "account/chain.h"

#include <gtest/gtest.h>

namespace dpsql {
namespace {

constexpr std::int64_t kCreated = 1'700'000'000;

Entry Reserve(const Standing& standing, std::int64_t reservation) {
  Event event{.kind = EntryKind::kReserve};
  event.reservation = reservation;
  event.analyst = "alice";
  event.mark = kCreated;
  event.charge = {.mu_squared = 1};
  return NextEntry(standing, {.created = kCreated}, event, standing.last.sequence + 1);
}

// A forged number fits every hash. What is open could then be what nobody ever reserved.
TEST(ChainTest, ReservationsAreNumberedAsTheyCome) {
  const Standing standing{.last = GenesisEntry({}, kCreated), .analyst_last = std::nullopt};
  EXPECT_TRUE(Follows(standing, {.created = kCreated}, Reserve(standing, 1)));
  for (const std::int64_t forged : {0L, 2L, -1L, 9'223'372'036'854'775'807L}) {
    EXPECT_FALSE(Follows(standing, {.created = kCreated}, Reserve(standing, forged))) << forged;
  }
}

}  // namespace
}  // namespace dpsql

// Only the ledger makes a reservation: nobody else can claim to have paid.
// EXPECT-ERROR: Reservation(int64_t, dpsql::Cost, std::array<unsigned int, 4>, dpsql::LiveMark)' is
// private
#include "account/reservation.h"

namespace dpsql {

std::int64_t Pretend(Reservation paid) {
#ifdef MUST_NOT_COMPILE
  paid = Reservation(1, Cost{}, {1, 2, 3, 4}, LiveMark());
#endif
  return paid.id();
}

}  // namespace dpsql

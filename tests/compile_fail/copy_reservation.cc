// A payment serves one run: it can be handed on, not doubled.
// EXPECT-ERROR: deleted function 'dpsql::Reservation::Reservation(const dpsql::Reservation&)'
#include "account/reservation.h"

namespace dpsql {

Reservation Double(Reservation& paid) {
#ifdef MUST_NOT_COMPILE
  return paid;
#else
  return std::move(paid);
#endif
}

}  // namespace dpsql

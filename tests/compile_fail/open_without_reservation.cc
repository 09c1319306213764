// Data cannot be read unpaid.
// EXPECT-ERROR: no matching function for call to 'dpsql::Backend::Open(const dpsql::DpPlan&)'
#include "backend/backend.h"

namespace dpsql {

bool Read(Backend& backend, const DpPlan& plan, [[maybe_unused]] const Reservation& paid) {
#ifdef MUST_NOT_COMPILE
  return backend.Open(plan).ok();
#else
  return backend.Open(plan, paid).ok();
#endif
}

}  // namespace dpsql

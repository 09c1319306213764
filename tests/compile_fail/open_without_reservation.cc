// Data cannot be read unpaid.
// EXPECT-ERROR: 'dpsql::Backend::Open(const dpsql::DpPlan&, std::nullptr_t)'
#include "backend/backend.h"

namespace dpsql {

bool Read(Backend& backend, const DpPlan& plan, [[maybe_unused]] const Reservation& paid) {
#ifdef MUST_NOT_COMPILE
  return backend.Open(plan, nullptr).ok();
#else
  return backend.Open(plan, paid, nullptr).ok();
#endif
}

}  // namespace dpsql

// Exact numbers are behind a lock: no accessor, and the members are private.
// EXPECT-ERROR: rows_' is private within this context
#include "backend/exact_table.h"

namespace dpsql {

std::size_t Peek([[maybe_unused]] const ExactTable& table) {
#ifdef MUST_NOT_COMPILE
  return table.rows_.size();
#else
  return 0;
#endif
}

}  // namespace dpsql

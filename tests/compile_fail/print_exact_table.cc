// Exact numbers have no printer: they cannot be logged.
// EXPECT-ERROR: no match for 'operator<<'
#include <ostream>

#include "backend/exact_table.h"

namespace dpsql {

void Log(std::ostream& out, [[maybe_unused]] const ExactTable& table) {
#ifdef MUST_NOT_COMPILE
  out << table;
#else
  out << "a table";
#endif
}

}  // namespace dpsql

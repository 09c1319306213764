// Exact numbers have one owner; what the noise room has consumed is gone.
// EXPECT-ERROR: use of deleted function 'dpsql::ExactTable::ExactTable(const dpsql::ExactTable&)'
#include "backend/exact_table.h"

namespace dpsql {

ExactTable Keep(ExactTable& table) {
#ifdef MUST_NOT_COMPILE
  return ExactTable(table);
#else
  return ExactTable(std::move(table));
#endif
}

}  // namespace dpsql

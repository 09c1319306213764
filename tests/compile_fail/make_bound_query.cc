// Only the validator makes a bound query: nothing unchecked reaches the planner.
// EXPECT-ERROR: BoundQuery(const dpsql::Catalog&, dpsql::NodePtr)' is private within this context
#include "validate/bound_query.h"

namespace dpsql {

std::size_t Outputs([[maybe_unused]] const Catalog& catalog, const BoundQuery& query) {
#ifdef MUST_NOT_COMPILE
  const BoundQuery unchecked(catalog, nullptr);
#endif
  return query.root().table.columns.size();
}

}  // namespace dpsql

#include "validate/validate.h"

#include <utility>

#include "base/error_codes.h"
#include "base/try.h"
#include "validate/bind_block.h"
#include "validate/check_placed.h"
#include "validate/query_clock.h"

namespace dpsql {

class Validator {
 public:
  static Result<BoundQuery> Run(const ast::Select& select, const Catalog& catalog) {
    TRY(BoundBlock block, BindBlock(select, catalog, {.name = "query", .root = true}));
    if (!block.node->table.is_public) {
      return MakeError(ErrorCode::kRawColumn, "the query would show rows of people", select.span);
    }
    CheckPlaced(*block.node, catalog);
    return BoundQuery(catalog, std::move(block.node));
  }
};

Result<BoundQuery> Validate(const ast::Select& select, const Catalog& catalog) {
  const QueryClock clock(QueryClock::Now());  // now() is one moment for the whole query
  return Validator::Run(select, catalog);
}

}  // namespace dpsql

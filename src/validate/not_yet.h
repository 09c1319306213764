#pragma once

#include <string>

#include "base/error_codes.h"

namespace dpsql {

// The refusal of SQL that is sound to ask and that this version has no plan for.
inline Error NotYet(const std::string& what, SourceSpan span, std::string hint = "") {
  return MakeError(ErrorCode::kNotYet, "this version does not answer " + what, span,
                   std::move(hint));
}

}  // namespace dpsql

#pragma once

#include <exception>

#include "base/error_codes.h"
#include "dpsql/result.h"

namespace dpsql {

// Bugs are caught here and nowhere else. What they say stays inside: it could speak of data.
template <typename Work>
auto Guarded(Work work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::exception&) {
    return MakeError(ErrorCode::kBug, "the program broke one of its own promises and stopped");
  }
}

}  // namespace dpsql

#include "base/error_codes.h"

#include <array>
#include <utility>

namespace dpsql {
namespace {

constexpr auto kErrorCodes = std::to_array<ErrorCodeInfo>({
#define DPSQL_ERROR_INFO(name, code, sqlstate, exit_code, hint, meaning) \
  {#name, code, sqlstate, exit_code, hint, meaning},
    DPSQL_ERROR_CODES(DPSQL_ERROR_INFO)
#undef DPSQL_ERROR_INFO
});

}  // namespace

std::span<const ErrorCodeInfo> AllErrorCodes() { return kErrorCodes; }

std::string_view CodeOf(ErrorCode code) {
  return kErrorCodes.at(static_cast<std::size_t>(code)).code;
}

Error MakeError(ErrorCode code, std::string message, SourceSpan span, std::string hint) {
  const ErrorCodeInfo& info = kErrorCodes.at(static_cast<std::size_t>(code));
  return {.code = std::string(info.code),
          .sqlstate = std::string(info.sqlstate),
          .message = std::move(message),
          .hint = hint.empty() ? std::string(info.hint) : std::move(hint),
          .span = span,
          .exit_code = info.exit_code};
}

}  // namespace dpsql

#pragma once

#include <string>
#include <string_view>

#include "dpsql/answer.h"
#include "dpsql/error.h"

namespace dpsql::cli {

// Prints an error and returns its exit code. The text form goes to stderr; with --format json or
// jsonl the object goes to stdout too, so that a pipe sees it.
int Fail(const Error& error, const std::string& sql, Format format);

// The text form on stderr: in colour where that is a terminal which takes it, and after
// `file:line:` where the text is that of a file.
void ShowError(const Error& error, std::string_view sql, std::string_view file = "");

}  // namespace dpsql::cli

#pragma once

#include <string>

#include "dpsql/answer.h"
#include "dpsql/error.h"

namespace dpsql::cli {

// Prints an error and returns its exit code. The text form goes to stderr; with --format json or
// jsonl the object goes to stdout too, so that a pipe sees it.
int Fail(const Error& error, const std::string& sql, Format format);

}  // namespace dpsql::cli

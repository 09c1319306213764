#pragma once

#include <string>
#include <string_view>

#include "dpsql/error.h"

// The two ways a ledger fails. Texts name files and entry numbers, never a cell of an answer.
namespace dpsql {

// L602: the operating system or SQLite could not do what was asked; nothing is known to be wrong
// with the content. `error_number` is an errno.
Error StorageError(std::string_view what, const std::string& path, int error_number);
Error StorageError(std::string_view what, const std::string& path, std::string_view reason);

// L601: the files contradict each other or themselves. Nothing is guessed; the owner must act.
Error DamageError(std::string_view what, const std::string& path);

}  // namespace dpsql

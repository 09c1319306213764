#pragma once

#include <string>

namespace dpsql {

// The version of SQLite that this process has loaded.
std::string SqliteLibraryVersion();

// Whether it knows all that a ledger's file needs.
bool SqliteIsNewEnough();

// Whether it knows all that a database needs which is asked.
bool SqliteCanBeAsked();

}  // namespace dpsql

#include "account/sqlite_library.h"

#include <sqlite3.h>

namespace dpsql {

std::string SqliteLibraryVersion() { return sqlite3_libversion(); }

// STRICT tables came with 3.37.
bool SqliteIsNewEnough() { return sqlite3_libversion_number() >= 3'037'000; }

// FULL JOIN came with 3.39.
bool SqliteCanBeAsked() { return sqlite3_libversion_number() >= 3'039'000; }

}  // namespace dpsql

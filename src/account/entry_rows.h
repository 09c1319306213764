#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "account/chain.h"
#include "account/sqlite_handle.h"
#include "dpsql/result.h"

// Entries as rows of the ledger's table. Reading checks the form of a row (L601), not its links.
namespace dpsql {

Status InsertEntry(SqliteHandle& database, const Entry& entry);

// The last entry and the one before it, newest first, as far as there are any.
Result<std::vector<Entry>> ReadNewestEntries(SqliteHandle& database, const std::string& path);

// The entry that stored the answer of a reservation.
Result<std::optional<Entry>> ReadStore(SqliteHandle& database, std::int64_t reservation,
                                       const std::string& path);

// Calls `visit` for each entry from the first on, and stops at the first error.
Status ForEachEntry(SqliteHandle& database, const std::string& path,
                    const std::function<Status(const Entry&)>& visit);

}  // namespace dpsql

#include "account/ledger_errors.h"

#include <system_error>

#include "base/error_codes.h"

namespace dpsql {

Error StorageError(std::string_view what, const std::string& path, int error_number) {
  return StorageError(what, path, std::generic_category().message(error_number));
}

Error StorageError(std::string_view what, const std::string& path, std::string_view reason) {
  return MakeError(
      ErrorCode::kLedgerStorage,
      "the ledger cannot be used: " + std::string(what) + " " + path + ": " + std::string(reason),
      {}, "check the path, its permissions and the free space on its disk, then ask again");
}

Error DamageError(std::string_view what, const std::string& path) {
  return MakeError(ErrorCode::kLedgerDamaged,
                   "the ledger is damaged: " + std::string(what) + ": " + path, {},
                   "put back the newest copies of the ledger, its -wal file and its .head file "
                   "together; if there are none, count the whole budget as spent and start a new "
                   "ledger for a new dataset");
}

}  // namespace dpsql

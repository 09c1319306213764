#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "account/ledger.h"
#include "account/sqlite_handle.h"
#include "base/int128.h"
#include "privacy/purses.h"
#include "support/choices.h"
#include "support/memory_folder.h"

namespace dpsql {

inline constexpr std::int64_t kForgedNow = 1'700'500'000;  // what the clock shows to all

// The files of a ledger at some moment of its life, and the terms of its policy.
struct LedgerImage {
  Files files;
  BudgetTerms terms;
};

// Ledgers as the product itself leaves them: new, in use, with terms that changed, after a crash.
std::vector<LedgerImage> MakeLedgerImages(const MemoryFolder& folder);

LedgerOptions ForgedOptions(const MemoryFolder& folder, const BudgetTerms& terms,
                            const std::string& analyst);

// A cost of which `slots` fit the budget.
Cost ForgedCost(const BudgetTerms& terms, unsigned slots, char plan);

// Changes the files as the bytes say: bits, lengths, old files, bytes in their place; rows and
// terms by SQL; and, as somebody would who knows the format, hashes that fit again.
class LedgerForger {
 public:
  LedgerForger(const MemoryFolder& folder, const std::vector<LedgerImage>& images, Choices& choices)
      : folder_(folder), images_(images), choices_(choices) {}

  // Lays the files of an image down, changed. Answers the image's terms.
  const BudgetTerms& Forge();

 private:
  void EditOnce();
  void EditBytes();
  void EditRow();
  void EditOther();
  void RemoveOrCopyRow();
  std::string DrawValue(SqliteHandle& database, const std::string& column);
  void Rehash();
  void Rebuild();
  void WriteHead(SqliteHandle& database);
  std::size_t Offset(std::size_t size);

  const MemoryFolder& folder_;
  const std::vector<LedgerImage>& images_;
  Choices& choices_;
};

// The rows of a ledger's file as plain SQL shows them, without the product's readers.
struct RawEntry {
  std::string kind;
  std::string analyst;
  std::int64_t mark = 0;
  std::int64_t window = 0;
  Purses charge;
  Purses spent;
};
struct RawLedger {
  std::int64_t created = 0;
  std::vector<RawEntry> entries;  // by sequence
  std::string terms;              // in force
};
// Nothing where SQLite cannot read it, or a number is none.
std::optional<RawLedger> ReadRawLedger(const std::string& path);

}  // namespace dpsql

#pragma once

#include <string>
#include <vector>

#include "dpsql/answer.h"
#include "dpsql/result.h"

// For the owner of data that no database keeps unique: files, or tables without constraints. Finds
// in the data itself whether the policy's keys are keys, and writes down which are. Sessions
// believe it of this very data: under its label, while its files stay as they are.
namespace dpsql {

struct VerifyOptions {
  std::string policy;  // the owner's file
  std::string url;     // of the database; empty: all tables are files
};

enum class KeyStanding { kEnforced, kUnique, kHasNull, kRepeats };

struct KeyReport {
  std::string table;
  std::vector<std::string> columns;
  KeyStanding standing = KeyStanding::kUnique;
};

struct VerifyReport {
  std::vector<KeyReport> keys;  // those that the policy declares and those that links lead to
  std::string facts;            // the file that was written
};

// Reads all rows of the tables in question. Costs no budget: what it finds is exact, and for the
// owner alone.
Result<VerifyReport> VerifyData(const VerifyOptions& options);

// Whether each key is one.
bool AllHold(const VerifyReport& report);

// A line for each key, or one JSON object {"keys": […], "facts": "…"}. Ensures: ends with a
// newline.
std::string FormatVerified(const VerifyReport& report, Format format);

}  // namespace dpsql

#pragma once

#include <string>
#include <vector>

#include "dpsql/result.h"

// A first policy for an owner who has none: written from names, types and constraints alone. No row
// is read, so that a draft can be shown to anybody who may see the schema.
namespace dpsql {

struct DraftOptions {
  // One database, or files (.parquet, .csv, .json, .jsonl, .ndjson; each a path or a pattern, and a
  // table of its own).
  std::vector<std::string> sources;
  std::string dataset;  // its name; empty: after the first source
  std::string unit;     // "table.column", the privacy unit; empty: guessed
  std::string policy;   // where the draft will lie: paths of files start there; empty: here
};

struct PolicyDraft {
  std::string text;   // TOML
  std::string unit;   // "table.column"; empty where none could be guessed, and then the text is no
                      // policy until the owner has named one
  std::string url;    // of the database, as `dpsql check` wants it
  std::string table;  // the unit's, as SQL names it; empty where there is none
};

// Ensures: a draft with a unit has no errors in `dpsql check`, unless the database itself cannot be
// asked. What it guesses is marked in the text.
Result<PolicyDraft> DraftPolicy(const DraftOptions& options);

}  // namespace dpsql

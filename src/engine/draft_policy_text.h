#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/draft_policy_guess.h"

namespace dpsql {

// What the text of a draft says, beside its tables.
struct DraftHeading {
  std::string dataset;
  std::string kind;      // of the unit
  bool guessed = false;  // the unit is
  std::string check;     // the command that looks at the draft
  std::vector<std::string> macros;
  bool one_row = false;  // of each unit, in each table: then it is in one group (set by DraftText)
};

// A table with the file it comes from; no format where it is one of the database.
struct DraftSource {
  DraftTable table;
  std::optional<SourcePolicy> source;
};

// A name as a key of TOML, and a text as a value: quoted and escaped where it must be. Nothing that
// a name holds can end the line or the quotes.
std::string TomlKey(const std::string& name);
std::string TomlText(const std::string& text);

// The draft. Requires: names are UTF-8.
std::string DraftText(DraftHeading heading, const std::vector<DraftSource>& tables);

}  // namespace dpsql

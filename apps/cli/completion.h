#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "dpsql/table_info.h"

namespace dpsql::cli {

// What may be completed: the policy's tables and columns, and the words of the language. Nothing of
// it was read from data.
struct Vocabulary {
  std::vector<TableInfo> tables;
  std::vector<std::string> functions;
  std::vector<std::string> settings;  // "dp.epsilon"
  std::vector<std::string> commands;  // ".help"
  std::vector<std::string> formats;
};

struct Completion {
  std::size_t replaced = 0;             // how many bytes before the cursor the candidates stand for
  std::vector<std::string> candidates;  // sorted, each once
};

// What the word that ends at the cursor may become. `before` is the statement up to the cursor,
// `after` the rest of its line.
// - After a dot: the columns of that table or alias, or the settings of dp.
// - After FROM and JOIN: tables. After SET: settings.
// - Else columns (of the tables that the statement names, or of all), tables, functions, keywords.
// - Within strings and comments: nothing.
Completion Complete(std::string_view before, std::string_view after, const Vocabulary& vocabulary);

}  // namespace dpsql::cli

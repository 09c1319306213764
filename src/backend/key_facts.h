#pragma once

#include <string>
#include <vector>

#include "base/file_stamp.h"
#include "catalog/schema.h"
#include "dpsql/result.h"

// What `dpsql check --verify` found in the owner's data, in a file beside the policy.
namespace dpsql {

// A key that was unique and free of NULL in these files, read with these types.
struct KeyFact {
  std::string table;
  std::vector<std::string> columns;
  std::vector<std::string> types;
  std::vector<FileStamp> files;
};

// A table whose files were read to their end, and nothing in them ends a query or moves a row.
struct FileFact {
  std::string table;
  std::vector<FileStamp> files;
};

struct KeyFacts {
  std::string version;  // the label of the data, [data] version
  std::vector<KeyFact> keys;
  std::vector<FileFact> files;
};

// Empty where the file is absent or cannot be understood: then nothing is verified.
KeyFacts ReadKeyFacts(const std::string& path);

// Puts the whole file in the old one's place at once.
Status WriteKeyFacts(const KeyFacts& facts, const std::string& path);

// The types of some columns, in this order; empty where one is missing.
std::vector<std::string> TypesOf(const SchemaTable& table, const std::vector<std::string>& columns);

}  // namespace dpsql

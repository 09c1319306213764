#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/file_stamp.h"
#include "catalog/policy.h"
#include "dpsql/result.h"

namespace dpsql {

// The files of one table of the policy.
struct TableFiles {
  const TablePolicy* table = nullptr;
  SourceFormat format = SourceFormat::kParquet;
  std::vector<FileStamp> files;    // by name; at least one
  std::vector<std::string> shown;  // their names in messages, as the policy's pattern leads there
};

// Finds the files of each table that has a `source`: a path, or a pattern of *, ? and [a-z] that
// is expanded here and sorted, so that no database searches for files. A relative one starts at
// the policy's folder; links and .. are followed now and never again, and a file that is reached
// by several names is there once, under the first. Refuses (C204) a source that matches nothing or
// a folder, and names that a database would take for patterns.
// The result points into `policy`.
Result<std::vector<TableFiles>> FindTableFiles(const Policy& policy);

// The names in the first line of a CSV file, by RFC 4180. Refuses what is no such line, and names
// that stand twice.
Result<std::vector<std::string>> ReadCsvHeader(const std::string& path);

}  // namespace dpsql

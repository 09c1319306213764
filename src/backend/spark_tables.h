#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/public_table.h"
#include "base/file_stamp.h"
#include "catalog/policy.h"
#include "catalog/schema.h"
#include "dpsql/result.h"

// The tables of a policy as Spark has them, and how they are read.
namespace dpsql {

// The type of a column by Spark's name for it. A TIMESTAMP is a moment and is read as its time in
// UTC; binaries, intervals and all that holds other values are of the family kOther.
Type SparkType(std::string_view spark_type);

// Whether it is a text that Spark does not compare by its bytes.
bool HasSparkCollation(std::string_view spark_type);

// The value of a column as SparkType promises: no NaN, no text that is not UTF-8 or compares by
// anything but its bytes, no blanks that only fill up a CHAR, no day outside of the years 1 to
// 9999, which the functions of the dialect do not know. Such values are NULL. A text of 64 KiB or
// more is read in part with a digest, as in backend/postgresql_read.h: a row of Spark's has 2 GiB
// at most, and one person's text can stand in each of the 4,000 columns that a question has words
// for, and once more in the text that joins the keys: 8,000 * 262,144 < 2.1 * 10^9.
std::string ReadSparkColumn(const std::string& name, std::string_view spark_type);

// One table of the policy.
struct SparkTable {
  std::string name;                           // in the policy
  std::string relation;                       // our session's view, through which alone it is read
  std::string stored;                         // `a`.`b`.`c`, or for files the view as well
  std::string path;                           // of a table that is files: what Spark looks for
  std::optional<std::size_t> files;           // how many there are, where we have counted them
  std::vector<std::string> spark_types = {};  // of its columns, in order; once they are known
};

struct SparkTables {
  std::vector<SparkTable> tables;
  std::vector<FileStamp> stamps;  // of the files that can be seen from here
};

// Finds what the policy names. A source that is a path is expanded here, and the server must see
// the same files under the same names; one that is a URL, such as s3a://bucket/x/*.parquet, is
// expanded by Spark. Refuses (C206) sources that are not Parquet, and (C204) names that Spark takes
// for patterns.
Result<SparkTables> FindSparkTables(const Policy& policy, const std::vector<std::string>& database);

// CREATE TEMPORARY VIEW of a table. Of one that is files all footers are read, and files whose
// columns have one name and two types are an error.
std::string SparkView(const SparkTable& table);

// A row for each file: path, time of writing, size. Spark asks the file system anew each time.
// Empty where no table is files.
std::string SparkFileList(const std::vector<SparkTable>& tables);

// A row for each file with rows of a table in Spark's catalogue, with the values of the columns
// that its partition has instead of the file. The catalogue can change those where the file stays.
std::string SparkCatalogFileList(const SparkTable& table,
                                 const std::vector<std::string>& partitions);

// How long a value of a column may be that is no number, no truth value and no time. A batch of
// Spark's reader has 2 GiB of one column at most, and spark_settings.cc has 1,024 rows in each.
inline constexpr std::int64_t kLongestSparkValue = std::int64_t{1} << 20;

// A query that reads every value of a kind that Spark may fail to read, or empty where a table has
// none: a time that a file keeps in milliseconds and that is too far away for microseconds, a
// decimal with more digits than its column, a text or another value that is too long. Whether one
// person's value fails must not depend on what is asked. Its row has true where one is longer than
// kLongestSparkValue. Requires: the table's types are known, in the order of the columns.
std::string SparkReadFragile(const SparkTable& table, const std::vector<SchemaColumn>& columns);

// A query whose rows are those of a table that anyone may see. All of them are one text literal, so
// that a million rows are parsed as fast as they are sent.
std::string SparkInlineTable(const PublicTable& table);

}  // namespace dpsql

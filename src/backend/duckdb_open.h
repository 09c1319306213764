#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "backend/backend.h"
#include "backend/data_files.h"
#include "backend/duckdb_handles.h"
#include "backend/key_facts.h"
#include "backend/query_watch.h"
#include "backend/spill_folder.h"
#include "catalog/policy.h"

namespace dpsql {

// The error of a statement that failed. DuckDB's own words go to the owner's log.
Error RunError(const DuckDbFailure& failure, IncidentLog& incidents);

// Whether files that the owner has verified are read once more before the first question.
enum class Verified { kBelieved, kReadAgain };

// The owner's data behind DuckDB: a database file, files as tables, or both. Opened read-only and
// hardened: no other file, no extension, no setting can be reached from SQL, and what DuckDB spills
// goes to a private folder and does not fill the disk.
class DuckDbData {
 public:
  // `path` is a DuckDB file, or empty where all tables are files.
  DuckDbData(std::string path, IncidentLog& incidents);

  // Opens what the policy names and closes all doors behind it. Files are found once, here, and
  // read to their end (CheckRows) unless the owner's facts say that these very files were; what
  // they are is remembered for Watch.
  // Requires: was not called before.
  // Ensures: "main"."t" is the table t of the policy, whether a file or a table of the database.
  Status Open(const Policy& policy, Verified files = Verified::kBelieved);

  // Metadata of the policy's files and of the database, and the keys that the owner verified on
  // this very data. Requires: Open.
  Result<Schema> ReadSchema();

  // Whether which rows a table has may follow the columns that a statement reads: DuckDB leaves a
  // line of CSV out for a text that is not UTF-8 only where it reads that text, and JSON is read
  // alike.
  bool RowsFollowColumns() const;

  // Lets a snapshot run until the sign says stop, which it does at the policy's time limit too, and
  // refuses it where the data is not what Open has seen.
  Result<Snapshot> Watch(std::unique_ptr<SnapshotReader> reader,
                         std::shared_ptr<DuckDbConnection> connection,
                         std::shared_ptr<StopSign> sign) const;

  // What Open has seen of a table's files, or of the database's where it is a table of that.
  std::vector<FileStamp> StampsOf(std::string_view table) const;

  // The tables whose files Open has read or believed; the rows of each stand apart.
  std::vector<FileFact> ReadableFiles() const;

  // Whether all of it is still as Open has seen it.
  bool IsUnchanged() const { return Unchanged(stamps_); }

  // How many threads DuckDB has. What works beside it takes as many. Requires: Open.
  std::size_t threads() const { return threads_; }

  const DuckDbDatabase& database() const { return database_; }

 private:
  Status ReadThreads(DuckDbConnection& connection);
  Status LimitSpill(DuckDbConnection& connection);
  Status Attach(DuckDbConnection& connection);
  Status AddViews(DuckDbConnection& connection);
  Status CheckFiles(DuckDbConnection& connection, Verified files);
  KeyFacts OwnersFacts() const;
  Status Run(DuckDbConnection& connection, const std::string& sql);
  Result<Schema> ReadDatabase(const std::string& database);
  Status TakeFileTables(Schema& schema);
  void AddVerifiedKeys(Schema& schema) const;

  std::string path_;
  IncidentLog& incidents_;
  std::unique_ptr<SpillFolder> folder_;  // outlives what spills into it
  DuckDbDatabase database_;
  std::size_t threads_ = 1;
  Policy policy_;  // outlives what `files_` points to
  std::vector<TableFiles> files_;
  std::vector<FileStamp> stamps_;
};

}  // namespace dpsql

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/adbc.h"
#include "backend/spark_tables.h"
#include "backend/sql_engine.h"

namespace dpsql {

// A session of Spark that is our own, with settings and views, and what it must still find.
//
// One frozen view. Spark has none: a statement reads the files that stand there when it runs. So
// the files of all tables are listed (name, time of writing in milliseconds, size, and what the
// catalogue says that the columns of a partition are) when the schema is read, and again behind
// every statement, by Spark itself and anew; files that can be seen from here by their stamps too.
// Where anything differs, the statement has failed, and its rows count for nothing. Proof that two
// statements which did not fail read the same rows: neither before the first nor behind the second
// was a file another one; whoever changes one and changes it back would have to restore its time as
// well, which no writer does by accident.
//
// One session. A Spark Connect server makes a new session for every name of one that it does not
// know. So behind a restart, or on another server of the same address, a statement does not fail by
// itself: it runs in a foreign session, with that server's settings instead of ours. Therefore all
// tables are read through temporary views, which a session has for itself alone, and set-up goes
// like this: a mark, which is such a view too, then the settings, the views, and a look at the
// mark. Proof that no row of a table is read without our settings: a name that a server has once
// met as unknown is a foreign session from then on, and nobody makes views in one but SetUp. Had
// the session changed in the middle of SetUp, the look would not find the mark, and SetUp fails.
// Had it changed afterwards, the views are missing, and a statement that names one fails before it
// has a row. (Requires: requests of one connection do not go to and fro between servers. Sessions
// of Spark Connect live in one of them, so who spreads a connection over several has no session at
// all.)
//
// The mark is looked for behind each statement too: then one that names no table has failed as well
// where the session was a foreign one. The files may be listed in a foreign session after that: a
// list has whole names, times and sizes, and no setting makes that of other files the same.
class SparkConnection final : public SqlConnection {
 public:
  // `tables` with a state of the files: each statement must find it. Without: anything will do.
  SparkConnection(AdbcTarget target, SparkTables tables,
                  std::optional<std::vector<std::string>> state);

  // Sets the session up with the first statement, so that Stop ends that too.
  std::optional<SqlFailure> Run(const std::string& sql,
                                const std::function<void(Row)>& consume) override;
  void Stop() override;

  std::optional<SqlFailure> SetUp();

  // After SetUp failed: a fixed text about the server, or nothing where the failure has the words.
  const std::string& refusal() const { return refusal_; }

  // DESCRIBE TABLE EXTENDED: the name and the type of each column, then names and values of facts.
  struct Description {
    std::vector<std::pair<std::string, std::string>> columns;
    std::vector<std::string> partitions;  // columns that stand in the catalogue and in no file
    std::map<std::string, std::string> facts;
  };
  std::optional<SqlFailure> Describe(const SparkTable& table, Description& description);

  // Fails where the session is not the one of SetUp any more. Where it does not, none of what was
  // asked before came from another one.
  std::optional<SqlFailure> FindMark();

  // What the tables are now: sorted lines, for comparison. `found` has the number of files by
  // table.
  std::optional<SqlFailure> ReadState(std::vector<std::string>& state,
                                      std::map<std::string, std::size_t>& found);

 private:
  using Cells = std::vector<std::vector<std::string>>;
  std::optional<SqlFailure> Ask(const std::string& sql, Cells& rows);
  std::optional<SqlFailure> ApplySettings();
  std::optional<SqlFailure> CheckState();

  SparkTables tables_;
  std::optional<std::vector<std::string>> state_;
  bool ready_ = false;
  std::string refusal_;
  AdbcConnection connection_;
};

}  // namespace dpsql

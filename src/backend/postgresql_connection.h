#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/postgresql_dial.h"
#include "backend/postgresql_library.h"
#include "backend/sql_engine.h"

namespace dpsql {

// A connection to a PostgreSQL server. Its texts hold no password, wherever that came from.
class PostgreSqlConnection : public SqlConnection {
 public:
  // Either a connection or why there is none.
  struct Opening {
    std::unique_ptr<PostgreSqlConnection> connection;
    SqlFailure failure;
  };

  // Connects as the URL, the environment and libpq's files say; a server that does not answer is
  // given 5 seconds, or what `connect_timeout` says, and never more than the limits. Where these
  // have an end, `connect_timeout` is 5 at most. A line that is dead is noticed in 5 seconds.
  static Opening Open(const LibPq& library, const std::string& url, const DialLimits& limits);

  ~PostgreSqlConnection() override;
  PostgreSqlConnection(const PostgreSqlConnection&) = delete;
  PostgreSqlConnection& operator=(const PostgreSqlConnection&) = delete;

  // Runs statements, separated by semicolons, whose rows nobody reads.
  std::optional<SqlFailure> RunScript(const std::string& statements);

  // Refuses to run outside of a transaction: there is no snapshot then.
  std::optional<SqlFailure> Run(const std::string& sql,
                                const std::function<void(Row)>& consume) override;
  void Stop() override;

  // From now on no statement is waited for beyond this time: then the line is cut, without the
  // patience that Stop has. Without a time this ends.
  void LimitTo(std::optional<std::chrono::steady_clock::time_point> end) { limit_ = end; }

  int server_version() const { return pq_.PQserverVersion(handle_); }  // 150004 is 15.4
  std::string server_encoding() const;

 private:
  // What a wait for the server ended with.
  enum class Wait { kAnswer, kLost, kGivenUp };

  PostgreSqlConnection(const LibPq& library, PGconn* handle, std::vector<std::string> secrets);

  std::optional<SqlFailure> Execute(const std::function<bool()>& send,
                                    const std::function<void(Row)>& consume);
  std::optional<SqlFailure> TakeResults(const std::function<void(Row)>& consume);
  void Consume(const PGresult* result, const std::function<void(Row)>& consume);
  Wait AwaitResult();
  Wait Listen(bool unsent);
  void RequestCancel();
  std::optional<std::chrono::steady_clock::time_point> End() const;
  SqlFailure Failure(const char* words) const;

  const LibPq& pq_;
  PGconn* handle_;
  std::shared_ptr<PGcancel> cancel_;
  std::vector<std::string> secrets_;
  int wake_;  // an eventfd that Stop writes to
  std::atomic<bool> stopped_ = false;
  bool unusable_ = false;  // a statement did not end as it should
  bool silent_ = false;    // the server did not answer even a cancellation
  std::optional<std::chrono::steady_clock::time_point> patience_;  // after Stop: until when
  std::optional<std::chrono::steady_clock::time_point> limit_;     // of all statements
  std::vector<std::optional<std::string>> row_;
};

}  // namespace dpsql

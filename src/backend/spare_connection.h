#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>

#include "backend/sql_engine.h"

namespace dpsql {

// The connection of a question that ended well, for the next one: settings and views stand already.
class SpareConnection {
 public:
  struct Limits {
    std::chrono::milliseconds age;   // how long a connection waits for the next question
    std::chrono::milliseconds loss;  // how long a statement takes to find that it is lost
  };
  explicit SpareConnection(Limits limits) : limits_(limits) {}

  const Limits& limits() const { return limits_; }

  // What is there: one that is fresh, or one that waited too long and is stopped. A driver may take
  // its time to release that, so it is given away too, to end when nobody waits.
  struct Taken {
    std::unique_ptr<SqlConnection> fresh;
    std::unique_ptr<SqlConnection> stale;
  };
  Taken Take();
  void Keep(std::unique_ptr<SqlConnection> connection);

 private:
  using Clock = std::chrono::steady_clock;

  Limits limits_;
  std::mutex mutex_;
  std::unique_ptr<SqlConnection> connection_;
  Clock::time_point since_;
};

using OpenConnection = std::function<std::unique_ptr<SqlConnection>()>;

// What a question has of a connection: the spare one, or else a new one. It becomes the spare one
// when the question is done; one that failed or was stopped ends with it.
//
// A spare connection may have lost its session meanwhile: the server was started anew, or has
// forgotten it. Not every server says so. Spark Connect makes a new session without a word, and
// that a statement fails there all the same is what spark_connection.h takes care of. Where the
// first statement fails soon, gave no row, found no changed data and nobody stopped it, it runs
// once more on a new connection. What fails later fails for reasons of its own.
//
// The answer is computed on one connection: what the first one read is thrown away with it, no row
// of it has come here, and the second starts from nothing, with the same statement, the same keys
// and the same check that the data is that of the schema. So what is released is what one run
// releases, and one payment covers it. A second failure is the failure of the question, with the
// same text as ever: who asks sees, as without this, whether there is an answer. That a statement
// was run twice shows in the time alone, of which docs/threat-model.md speaks.
//
// Requires: `open` does not wait, and can be called for as long as the connection is used. A
// statement on a connection that is not what it was when it was opened fails.
std::unique_ptr<SqlConnection> LendConnection(std::shared_ptr<SpareConnection> spare,
                                              OpenConnection open);

}  // namespace dpsql

#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backend/adbc_abi.h"
#include "backend/server_line.h"
#include "backend/sql_engine.h"

namespace dpsql {

// A database behind an ADBC driver.
struct AdbcTarget {
  adbc::Driver* driver = nullptr;
  std::vector<std::pair<std::string, std::string>> options;  // "uri" and others; may hold secrets
  // A statement that takes longer is stopped: a server may stand still behind a line that is well.
  std::chrono::milliseconds statement_limit = std::chrono::minutes(9);
  // Where it is given, a statement fails within five seconds after the line went dead, or after it
  // began on a dead one.
  std::shared_ptr<ServerLine> line = nullptr;
};

// A connection whose driver is never trusted to come back. A thread of its own does all that the
// driver does; a second one cancels; a third one looks whether the server can still be reached
// while a statement waits for it. They keep what they touch alive, so that one that hangs is left
// behind and harms nobody.
//
// Stopping is the driver's cancel and then the release of the connection, again by the first
// thread: there are drivers whose cancel ends the waiting only, and servers that go on until the
// session ends.
class AdbcConnection final : public SqlConnection {
 public:
  // Connects beside the caller; that it failed shows in the first Run.
  explicit AdbcConnection(AdbcTarget target);

  // Waits some seconds for the release, so that a program that ends has told the server; not where
  // a statement found that the line to it is dead.
  ~AdbcConnection() override;

  AdbcConnection(const AdbcConnection&) = delete;
  AdbcConnection& operator=(const AdbcConnection&) = delete;

  // As SqlConnection says. `consume` is called in this thread, and never after Run has returned.
  std::optional<SqlFailure> Run(const std::string& sql,
                                const std::function<void(Row)>& consume) override;
  void Stop() override;

 private:
  struct Channel;
  class Session;
  static void Work(const std::shared_ptr<Channel>& channel, const AdbcTarget& target);
  static void Cancel(const std::shared_ptr<Channel>& channel, adbc::Driver& driver);
  static void Watch(const std::shared_ptr<Channel>& channel, ServerLine& line);

  std::chrono::milliseconds limit_;
  std::shared_ptr<Channel> channel_;
};

}  // namespace dpsql

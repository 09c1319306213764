#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backend/adbc_abi.h"
#include "backend/sql_engine.h"

namespace dpsql {

// A database behind an ADBC driver.
struct AdbcTarget {
  adbc::Driver* driver = nullptr;
  std::vector<std::pair<std::string, std::string>> options;  // "uri" and others; may hold secrets
  // A statement that takes longer is stopped: a server that went away without a word says nothing.
  std::chrono::milliseconds statement_limit = std::chrono::minutes(9);
};

// A connection whose driver is never trusted to come back. A thread of its own does all that the
// driver does; a second one cancels. Both keep what they touch alive, so that one that hangs in the
// driver is left behind and harms nobody.
//
// Stopping is the driver's cancel and then the release of the connection, again by the first
// thread: there are drivers whose cancel ends the waiting only, and servers that go on until the
// session ends.
class AdbcConnection final : public SqlConnection {
 public:
  // Connects beside the caller; that it failed shows in the first Run.
  explicit AdbcConnection(AdbcTarget target);

  // Waits some seconds for the release, so that a program that ends has told the server.
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

  std::chrono::milliseconds limit_;
  std::shared_ptr<Channel> channel_;
};

}  // namespace dpsql

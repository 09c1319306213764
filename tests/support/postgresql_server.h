#pragma once

#include <sys/types.h>

#include <string>

#include "support/temp_folder.h"

namespace dpsql {

// A PostgreSQL server of the test's own, in a folder that goes away with it. It listens on a Unix
// socket in that folder, where everybody is believed, and on a port of 127.0.0.1, where passwords
// are asked for. Texts have the order of a language there, so that what leans on the order of bytes
// shows.
class PostgreSqlServer {
 public:
  // Why no server can be started on this machine, or nothing.
  static std::string WhyNot();

  // Throws where it does not start.
  PostgreSqlServer();
  ~PostgreSqlServer();
  PostgreSqlServer(const PostgreSqlServer&) = delete;
  PostgreSqlServer& operator=(const PostgreSqlServer&) = delete;

  // `options` follow the question mark.
  std::string Url(const std::string& user, const std::string& options = "") const;
  std::string TcpUrl(const std::string& user, const std::string& options = "") const;

  // Runs statements as the superuser "postgres" and returns the rows, one a line, with | between
  // cells. Throws where one fails.
  std::string Sql(const std::string& statements, const std::string& database = "postgres") const;

  // From now on the port of 127.0.0.1 speaks TLS too, as the host 127.0.0.1 and no other. Returns
  // the file of the certificate.
  std::string SpeakTls() const;

  // Sends a signal to the server and to all of its processes.
  void Signal(int signal) const;

 private:
  // Whether it listens now. Not where another program has its port.
  bool Starts();

  TempFolder folder_;
  int port_ = 0;
  pid_t postmaster_ = 0;
};

}  // namespace dpsql

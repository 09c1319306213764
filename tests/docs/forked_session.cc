// Asks a session in a child of the process that opened it, where the ledger's locks do not hold,
// and shows the error that stops it: forked_session DATABASE POLICY. For docs/reference/errors.md.
#include <sys/wait.h>
#include <unistd.h>

#include <iostream>

#include "dpsql/session.h"

namespace {

constexpr int kUsageError = 2;

int Report(const dpsql::Error& error) {
  std::cerr << dpsql::RenderError(error, "");
  return error.exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return kUsageError;
  auto session = dpsql::Session::Open({.url = argv[1], .policy = argv[2], .analyst = "alice"});
  if (!session) return Report(session.error());
  const pid_t child = fork();
  if (child == 0) {
    const auto answer = session->Ask("SELECT count(*) FROM customer");
    _exit(answer ? 0 : Report(answer.error()));
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

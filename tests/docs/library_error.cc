// Errors that only programs meet, for docs/reference/errors.md:
// library_error forked|withdrawn|changed DATABASE POLICY
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iostream>
#include <string_view>

#include "dpsql/session.h"

namespace {

constexpr int kUsageError = 2;
constexpr std::string_view kQuestion = "SELECT count(*) FROM customer";

int Report(const dpsql::Error& error) {
  std::cerr << dpsql::RenderError(error, "");
  return error.exit_code;
}

// Asks in a child of the process that opened the session, where the ledger's locks do not hold.
int AskInAChild(dpsql::Session& session) {
  const pid_t child = fork();
  if (child == 0) {
    const auto answer = session.Ask(kQuestion);
    _exit(answer ? 0 : Report(answer.error()));
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

// Hears the price and does not want to pay it.
int Withdraw(dpsql::Session& session) {
  dpsql::RunOptions options;
  options.before_spending = [](const dpsql::Explanation&) { return false; };
  const auto status = session.Run(
      kQuestion, [](const dpsql::Reply&) {}, options);
  return status ? 0 : Report(status.error());
}

// Asks when the owner has touched the policy.
int AskUnderAnother(dpsql::Session& session, const char* policy) {
  std::ofstream(policy, std::ios::app) << "# another line\n";
  const auto answer = session.Ask(kQuestion);
  return answer ? 0 : Report(answer.error());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return kUsageError;
  auto session =
      dpsql::Session::Open({.url = argv[2], .policy = argv[3], .ledger = "", .analyst = "alice"});
  if (!session) return Report(session.error());
  const std::string_view error = argv[1];
  if (error == "forked") return AskInAChild(*session);
  if (error == "withdrawn") return Withdraw(*session);
  if (error == "changed") return AskUnderAnother(*session, argv[3]);
  return kUsageError;
}

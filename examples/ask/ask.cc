// Asks one question as a program does: the rows with their 95 % intervals, and what is left.
//   ask shop.duckdb shop.toml "SELECT city, count(*) FROM customer GROUP BY city"
// Ctrl-C cancels the question; what it cost stays spent.
#include <dpsql/session.h>

#include <csignal>
#include <iostream>
#include <thread>

int main(int argc, char** argv) {
  if (argc != 4) return std::cerr << "usage: ask DATABASE POLICY SQL\n", 2;
  sigset_t interrupt;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  pthread_sigmask(SIG_BLOCK, &interrupt, nullptr);  // for the session's threads too

  auto session = dpsql::Session::Open({.url = argv[1], .policy = argv[2], .analyst = "ada"});
  if (!session) return std::cerr << dpsql::RenderError(session.error(), ""), 1;
  std::thread([&] {
    for (int signal = 0; sigwait(&interrupt, &signal) == 0;) session->Cancel();
  }).detach();

  const auto answer = session->Ask(argv[3]);
  if (!answer) return std::cerr << dpsql::RenderError(answer.error(), argv[3]), 1;
  for (std::size_t row = 0; row < answer->rows.size(); ++row) {
    for (std::size_t column = 0; column < answer->columns.size(); ++column) {
      std::cout << answer->columns[column].name << " " << dpsql::ToText(answer->rows[row][column]);
      const auto& interval = answer->intervals[row][column];
      if (interval) std::cout << " (" << interval->low << " to " << interval->high << ")";
      std::cout << "  ";
    }
    std::cout << "\n";
  }
  const auto budget = session->Budget();
  if (budget) std::cout << "left: epsilon " << budget->gauge.epsilon_left << "\n";
  return 0;
}

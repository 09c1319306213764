#include "demo_command.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "dpsql/demo.h"
#include "dpsql/session.h"
#include "fail.h"
#include "usage.h"

namespace dpsql::cli {
namespace {

constexpr char kVisitor[] = "ada";   // who asks, whoever watches
constexpr int kMostQuestions = 200;  // of a budget that must run out before

using Words = std::vector<std::string>;

// A folder for the shop: the caller's, or one that goes with the tour.
class DemoFolder {
 public:
  explicit DemoFolder(const std::string& wanted) : kept_(!wanted.empty()) {
    if (kept_) {
      path_ = wanted;
      std::filesystem::create_directories(path_);
      return;
    }
    std::string pattern = (std::filesystem::temp_directory_path() / "dpsql-demo-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
      throw std::system_error(errno, std::generic_category(), pattern);
    }
    path_ = pattern;
  }
  ~DemoFolder() {
    std::error_code ignored;
    std::filesystem::current_path(std::filesystem::temp_directory_path(), ignored);
    if (!kept_) std::filesystem::remove_all(path_, ignored);
  }
  DemoFolder(const DemoFolder&) = delete;
  DemoFolder& operator=(const DemoFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  bool kept_;
  std::filesystem::path path_;
};

std::string Shown(const Words& words) {
  std::string line = "dpsql";
  for (const std::string& word : words) {
    const bool plain = word.find_first_of(" ()*'<>") == std::string::npos;
    line += plain ? " " + word : " \"" + word + "\"";
  }
  return line;
}

// Runs this program with these arguments and returns its exit code.
int RunSelf(Words words, bool quiet) {
  std::cout.flush();
  words.insert(words.begin(), "dpsql");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, STDOUT_FILENO, STDERR_FILENO);
  if (quiet) {
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
      posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_WRONLY, 0);
    }
  }
  pid_t child = 0;
  const int failed = posix_spawn(&child, "/proc/self/exe", &files, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  int status = 0;
  if (failed != 0 || waitpid(child, &status, 0) != child) return 4;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

class Tour {
 public:
  explicit Tour(bool waits) : waits_(waits) {}

  void Run() {
    Policy();
    Answers();
    Explain();
    Refusal();
    MinimumFrequency();
    TargetError();
    Crash();
    LastQuestion();
  }

 private:
  // The title of a step; after the first one, only when the visitor wants to go on.
  void Say(const std::string& text) {
    ++step_;
    if (waits_ && step_ > 1) {
      std::cout << "\n[Enter to go on] " << std::flush;
      std::string line;
      if (!std::getline(std::cin, line)) waits_ = false;
    }
    std::cout << "\n" << step_ << ". " << text << "\n";
  }

  void Type(const Words& words) {
    std::cout << "\n$ " << Shown(words) << "\n";
    const int code = RunSelf(words, false);
    if (code != 0) std::cout << "(exit " << code << ")\n";
  }

  static Words Question(const std::string& sql) {
    return {"shop.duckdb", "--policy", "shop.toml", "-c", sql};
  }
  void Ask(const std::string& sql) { Type(Question(sql)); }

  void Policy() {
    Say("An invented shop, 3,000 customers. Its owner wrote one file, shop.toml:");
    std::istringstream policy(DemoPolicy());
    bool shown = false;
    std::cout << "\n";
    for (std::string line; std::getline(policy, line) && !line.starts_with("[tables.orders]");) {
      shown = shown || line.starts_with("[budget]");
      if (shown && !line.empty()) std::cout << "    " << line << "\n";
    }
  }

  void Answers() {
    Say("Ordinary SQL, an ordinary table: each number with its 95 % noise interval.");
    Ask("SELECT segment, count(*) AS customers, avg(age) AS age FROM customer GROUP BY segment");
    std::cout << "\nThe same question again: the stored answer, and nothing is spent.\n";
    Ask("SELECT segment, count(*) AS customers, avg(age) AS age FROM customer GROUP BY segment");
  }

  void Explain() {
    Say("What would it cost? EXPLAIN (DP) is free and reads no data.");
    Ask("EXPLAIN (DP) SELECT product, sum(quantity) FROM item GROUP BY product");
  }

  void Refusal() {
    Say("A join that would mix two people's rows is refused, and says what to write.");
    Ask("SELECT count(*) FROM customer c JOIN orders o ON c.age = o.customer_id");
    std::cout << "\nAs it said:\n";
    Ask("SELECT c.segment, avg(o.amount) AS amount FROM customer c "
        "JOIN orders o ON c.customer_id = o.customer_id GROUP BY c.segment");
  }

  void MinimumFrequency() {
    Say("No cell with fewer than k = 10 people is shown. Hiroo has four customers.");
    Ask("SELECT city, count(*) AS customers FROM customer GROUP BY city");
  }

  void TargetError() {
    Say("Say how exact it must be: the cheapest epsilon for 400 orders more or less.");
    Ask("SET dp.target_error = 400; SELECT count(*) AS orders FROM orders");
  }

  // A process that dies in the middle of a question: killed from within, when the price is paid
  // and the data is about to be read.
  void Crash() {
    Say("A crash in the middle: the process is killed while it reads the data.");
    const std::string sql = "SELECT count(*) AS lines FROM item";
    std::cout << "\n$ " << Shown(Question(sql)) << "\n" << std::flush;
    const pid_t child = fork();
    if (child == 0) AskAndDie(sql);
    int status = 0;
    waitpid(child, &status, 0);
    std::cout << (WIFSIGNALED(status) ? "Killed\n" : "(it ended by itself)\n");
    std::cout << "\nThe price was on disk before any data was read. It stays spent:\n";
    Type({"budget", "--policy", "shop.toml", "--history", "3"});
  }

  [[noreturn]] static void AskAndDie(const std::string& sql) {
    auto session = Session::Open(
        {.url = "shop.duckdb", .policy = "shop.toml", .ledger = "", .analyst = kVisitor});
    RunOptions options;
    options.on_progress = [](const Progress& progress) {
      if (progress.stage == Stage::kCounting) std::raise(SIGKILL);
    };
    if (session)
      (void)session
          ->Run(
              sql, [](const Reply&) {}, options)
          .ok();
    _exit(1);
  }

  void LastQuestion() {
    Say("The budget is for life. Somebody goes on asking, at an epsilon of 1 each:");
    const auto question = [](int i) {
      return Question("SET dp.epsilon = 1; SELECT count(*) AS orders FROM orders WHERE amount < " +
                      std::to_string(i));
    };
    int asked = 1;
    while (asked < kMostQuestions && RunSelf(question(asked), true) == 0) ++asked;
    std::cout << "\n" << asked - 1 << " questions later:\n";
    Type(question(asked));
    std::cout << "\nWhat was answered before can be asked again for nothing.\n";
    Ask("SELECT city, count(*) AS customers FROM customer GROUP BY city");
    Type({"budget", "--policy", "shop.toml", "--history", "0"});
  }

  bool waits_;
  int step_ = 0;
};

}  // namespace

int RunDemo(int argc, char** argv) {
  bool yes = false;
  std::string folder;
  CLI::App app("A guided tour of five minutes on an invented shop. Needs no data and no network.",
               "dpsql demo");
  app.add_flag("--yes", yes, "Go on by itself");
  app.add_option("--folder", folder, "Leave the shop there, to play with afterwards")
      ->type_name("FOLDER");
  if (const auto ended = ParseOrExit(app, argc, argv)) return *ended;
  unsetenv("DPSQL_POLICY");
  unsetenv("DPSQL_LEDGER");
  setenv("DPSQL_ANALYST", kVisitor, 1);
  const DemoFolder shop(folder);
  const Status made = MakeDemoShop(shop.path().string());
  if (!made) return Fail(made.error(), "", Format::kBox);
  std::filesystem::current_path(shop.path());
  Tour(!yes && isatty(STDIN_FILENO) != 0).Run();
  if (!folder.empty()) std::cout << "\nThe shop is in " << folder << ".\n";
  return 0;
}

}  // namespace dpsql::cli

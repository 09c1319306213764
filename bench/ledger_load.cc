// Reservations per second and how long each takes, for 1, 16 and 64 clients: threads that share one
// open ledger, and processes of their own. Runs beside the program, on a real disk.
// usage: ledger_load [--directory DIR] [--seconds N]
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "account/ledger.h"
#include "base/random_source.h"

namespace dpsql {
namespace {

using Clock = std::chrono::steady_clock;

struct Settings {
  std::filesystem::path directory = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  double seconds = 3;
};

// What the clients write down, in memory that processes share.
struct Notes {
  static constexpr std::size_t kMost = std::size_t{1} << 22;

  std::atomic<int> ready;
  std::atomic<bool> go;
  std::atomic<bool> stop;
  std::atomic<std::size_t> failed;
  std::array<char, 120> failure;  // what one of those that failed was told
  std::atomic<std::size_t> used;
  std::array<std::uint32_t, kMost> microseconds;
};

class SharedNotes {
 public:
  SharedNotes() {
    void* const memory = ::mmap(nullptr, sizeof(Notes), PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    notes_ = static_cast<Notes*>(memory);
  }
  SharedNotes(const SharedNotes&) = delete;
  SharedNotes& operator=(const SharedNotes&) = delete;
  ~SharedNotes() { ::munmap(notes_, sizeof(Notes)); }

  Notes& operator*() { return *notes_; }

 private:
  Notes* notes_;
};

// A directory of its own, gone at the end.
class Scratch {
 public:
  explicit Scratch(const std::filesystem::path& parent) {
    std::string name = (parent / "ledger-load-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch directory");
    path_ = name;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { std::filesystem::remove_all(path_); }

  std::string operator/(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

Ledger OpenLedger(const std::string& path) {
  return std::move(Ledger::Open({.path = path,
                                 .terms = {.dataset = "bench",
                                           .budget = {.total = {.epsilon = 4.0, .delta = 1e-6}},
                                           .aborts_allowed = 1'000'000'000},
                                 .analyst = "bench",
                                 .random = MakeRandomSource()}))
      .value();
}

void Spend(Ledger& ledger, Notes& notes) {
  const Cost cost{.by_mechanism = {.mu_squared = 1, .delta = 1},
                  .by_claim = {.delta = 1, .epsilon = 1},
                  .asked = {.epsilon = 0.1, .delta = 1e-7},
                  .doors = 1,
                  .plan_digest = std::string(64, 'a'),
                  .storable = false};
  ++notes.ready;
  while (!notes.go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  while (!notes.stop) {
    const auto begin = Clock::now();
    const Result<Reservation> reserved = ledger.Reserve(cost);
    const bool paid = reserved.ok();
    const auto took = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin);
    if (!paid && notes.failed++ == 0) {
      const std::string why = reserved.error().code + " " + reserved.error().message;
      why.copy(notes.failure.data(), notes.failure.size() - 1);
    }
    const std::size_t number = paid ? notes.used++ : Notes::kMost;
    if (number < Notes::kMost) {
      notes.microseconds[number] = static_cast<std::uint32_t>(took.count());
    }
  }
}

// Lets the clients run for the time once all are ready. Returns how long it was.
double RunFor(double seconds, int clients, Notes& notes) {
  while (notes.ready < clients) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const auto begin = Clock::now();
  notes.go = true;
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  notes.stop = true;
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double RunThreads(const std::string& path, int clients, double seconds, Notes& notes) {
  Ledger ledger = OpenLedger(path);
  std::vector<std::thread> threads;
  for (int i = 0; i < clients; ++i) threads.emplace_back([&] { Spend(ledger, notes); });
  const double took = RunFor(seconds, clients, notes);
  for (std::thread& thread : threads) thread.join();
  return took;
}

double RunProcesses(const std::string& path, int clients, double seconds, Notes& notes) {
  { OpenLedger(path); }
  std::vector<pid_t> children;
  for (int i = 0; i < clients; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      Ledger ledger = OpenLedger(path);
      Spend(ledger, notes);
      ::_exit(0);
    }
    children.push_back(child);
  }
  const double took = RunFor(seconds, clients, notes);
  for (const pid_t child : children) ::waitpid(child, nullptr, 0);
  return took;
}

void PrintRow(const char* how, int clients, double seconds, Notes& notes) {
  const std::size_t count = std::min<std::size_t>(notes.used, Notes::kMost);
  std::span<std::uint32_t> times(notes.microseconds.data(), count);
  std::sort(times.begin(), times.end());
  const auto at = [&](double share) {
    return count == 0
               ? 0.0
               : times[static_cast<std::size_t>(share * static_cast<double>(count - 1))] / 1000.0;
  };
  std::printf("%-10s %7d %12.0f %12.2f %12.2f %12.2f %8zu\n", how, clients,
              static_cast<double>(count) / seconds, at(0.5), at(0.99), at(1.0),
              notes.failed.load());
  if (notes.failed != 0) std::printf("%-10s %s\n", "", notes.failure.data());
  std::fflush(stdout);
}

// What the disk can do at most: appending a page to a file and flushing it.
void PrintDisk(const Scratch& scratch, double seconds) {
  const int fd = ::open((scratch / "flushes").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  const std::string page(4096, 'x');
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  std::int64_t flushes = 0;
  while (Clock::now() < end) {
    if (::write(fd, page.data(), page.size()) < 0 || ::fdatasync(fd) != 0) break;
    ++flushes;
  }
  ::close(fd);
  std::printf("one writer flushes this disk %.0f times a second; a reservation takes two flushes\n",
              static_cast<double>(flushes) / seconds);
}

Settings ParseArguments(std::span<char*> arguments) {
  Settings settings;
  for (std::size_t i = 1; i + 1 < arguments.size(); i += 2) {
    const std::string_view name = arguments[i];
    if (name == "--directory") settings.directory = arguments[i + 1];
    if (name == "--seconds") settings.seconds = std::atof(arguments[i + 1]);
  }
  return settings;
}

void Main(const Settings& settings) {
  PrintDisk(Scratch(settings.directory), 1);
  std::printf("%-10s %7s %12s %12s %12s %12s %8s\n", "clients", "number", "reserve/s", "median ms",
              "p99 ms", "max ms", "failed");
  for (const int clients : {1, 16, 64}) {
    for (const bool threads : {true, false}) {
      const Scratch scratch(settings.directory);
      SharedNotes notes;
      const auto run = threads ? RunThreads : RunProcesses;
      const double took = run(scratch / "ledger", clients, settings.seconds, *notes);
      PrintRow(threads ? "threads" : "processes", clients, took, *notes);
    }
  }
}

}  // namespace
}  // namespace dpsql

int main(int argc, char** argv) {
  dpsql::Main(dpsql::ParseArguments({argv, static_cast<std::size_t>(argc)}));
}

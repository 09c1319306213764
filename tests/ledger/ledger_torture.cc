// Tries to make the ledger lose a charge, release a plan twice, or stop without need.
// usage: ledger_torture SUITE AMOUNT [SEED]
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <string_view>

#include "ledger/torture_report.h"

namespace dpsql {

void TortureReport::Add(const std::string& scenario, const Verdict& verdict) {
  Count("ledgers judged");
  if (!verdict.code.empty()) Count("of these stopped with " + verdict.code);
  for (const std::string& what : verdict.violations) Violation(scenario, what);
}

void TortureReport::Violation(const std::string& scenario, const std::string& what) {
  constexpr std::int64_t kMostPrinted = 20;
  if (++violations_ <= kMostPrinted) {
    std::printf("VIOLATION %s: %s\n", scenario.c_str(), what.c_str());
    std::fflush(stdout);
  }
}

int TortureReport::Finish() const {
  for (const auto& [name, count] : counts_) {
    std::printf("%-60s %10lld\n", name.c_str(), static_cast<long long>(count));
  }
  std::printf("%-60s %10lld\n", "violations", static_cast<long long>(violations_));
  return violations_ == 0 ? 0 : 1;
}

namespace {

using Suite = void (*)(const TortureTask&, TortureReport&);

Suite FindSuite(std::string_view name) {
  if (name == "faults") return TortureFaults;
  if (name == "power") return TorturePower;
  if (name == "kills") return TortureKills;
  if (name == "slots") return TortureSlots;
  if (name == "damage") return TortureDamage;
  return nullptr;
}

// In memory where there is such a disk: what is durable is decided by the trace, not by the disk.
std::string MakeScratch() {
  const std::filesystem::path memory = "/dev/shm";
  const bool usable = ::access(memory.c_str(), W_OK) == 0;
  const auto root = usable ? memory : std::filesystem::temp_directory_path();
  std::string name = (root / "dpsql-torture-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) std::abort();
  return name;
}

int Main(int argc, char** argv) {
  const Suite suite = argc >= 3 ? FindSuite(argv[1]) : nullptr;
  if (suite == nullptr) {
    std::fputs("usage: ledger_torture faults|power|kills|slots|damage AMOUNT [SEED]\n", stderr);
    return 2;
  }
  TortureTask task;
  task.amount = std::atoll(argv[2]);
  if (argc > 3) task.seed = static_cast<std::uint64_t>(std::atoll(argv[3]));
  task.directory = MakeScratch();
  TortureReport report;
  try {
    suite(task, report);
  } catch (const std::exception& failure) {
    report.Violation(argv[1], std::string("threw: ") + failure.what());
  }
  std::filesystem::remove_all(task.directory);
  return report.Finish();
}

}  // namespace
}  // namespace dpsql

int main(int argc, char** argv) { return dpsql::Main(argc, argv); }

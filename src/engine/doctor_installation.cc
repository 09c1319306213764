#include <sys/resource.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "account/sqlite_library.h"
#include "backend/adbc_driver.h"
#include "backend/loaded_library.h"
#include "base/random_source.h"
#include "engine/doctor.h"

namespace dpsql {
namespace {

namespace fs = std::filesystem;

void ExamineLibraries(AreaReport& area) {
  area.Ok("dpsql " DPSQL_VERSION);
  const LoadedLibrary duckdb = DuckDbLibrary();
  area.Ok("DuckDB " + duckdb.version + ", " + duckdb.path);
  const std::string sqlite = "SQLite " + SqliteLibraryVersion();
  if (!SqliteIsNewEnough()) {
    area.Fail(sqlite + " is too old for a ledger", "install SQLite 3.37 or newer");
  } else if (!SqliteCanBeAsked()) {
    area.Warn(sqlite + " is too old for databases of its own", "install SQLite 3.39 or newer");
  } else {
    area.Ok(sqlite);
  }
}

void ExamineSparkDriver(AreaReport& area) {
  const AdbcDriverPlace spark = FindAdbcDriver("spark");
  if (!spark.path.empty()) {
    area.Ok("a driver for Spark, " + spark.path);
    return;
  }
  std::string looked;
  for (const std::string& place : spark.looked) looked += (looked.empty() ? "" : ", ") + place;
  area.Ok(
      "no driver for Spark, which only spark:// needs: pip install adbc-driver-spark; looked for " +
      looked);
}

// Not a test of randomness: a source that is stuck or absent is what it can see.
void ExamineRandomness(AreaReport& area) {
  std::array<std::uint32_t, 8> first{};
  std::array<std::uint32_t, 8> second{};
  bool works = true;
  try {
    const auto random = MakeRandomSource();
    random->Fill(first);
    random->Fill(second);
  } catch (const std::exception&) {
    works = false;
  }
  if (works && first != second) {
    area.Ok("the operating system gives random numbers");
  } else {
    area.Fail("there are no random numbers, and so no noise",
              "is getrandom forbidden to this process, by a sandbox perhaps?");
  }
}

void ExamineTemporaryFolder(AreaReport& area) {
  constexpr std::uintmax_t kLittle = 1'000'000'000;
  std::error_code failed;
  const fs::path parent = fs::temp_directory_path(failed);
  std::string name = (parent / "dpsql-XXXXXX").string();
  const bool made = !failed && mkdtemp(name.data()) != nullptr;
  const bool written = made && (std::ofstream(fs::path(name) / "x") << "x").flush().good();
  if (made) fs::remove_all(name, failed);
  if (!written) {
    area.Fail("nothing can be written to the folder for temporary files, " + parent.string(),
              "let TMPDIR name a folder that can");
    return;
  }
  const fs::space_info space = fs::space(parent, failed);
  if (!failed && space.available < kLittle) {
    area.Warn("less than 1 GB is free for what large questions spill, in " + parent.string(),
              "free some, or let TMPDIR name a larger disk");
    return;
  }
  area.Ok("temporary files can be written to " + parent.string());
}

void ExamineLimits(AreaReport& area) {
  constexpr rlim_t kFewFiles = 256;
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < kFewFiles) {
    area.Warn("only " + std::to_string(files.rlim_cur) + " files may be open at once",
              "run  ulimit -n 1024");
  } else {
    area.Ok("enough files may be open at once");
  }
}

// Budgets that renew follow it.
void ExamineClock(AreaReport& area) {
  using std::chrono::sys_days;
  using std::chrono::year;
  const auto now = std::chrono::system_clock::now();
  const bool sane = now > sys_days(year(2025) / 1 / 1) && now < sys_days(year(2100) / 1 / 1);
  if (sane) {
    area.Ok("the clock shows a time that can be");
  } else {
    area.Fail("the clock is far off, and budgets that renew follow it", "set it");
  }
}

}  // namespace

// What reaches a database is for those who need it: that there is none is no fault.
void ExamineLibPq(const std::optional<LoadedLibrary>& library, AreaReport& area) {
  area.Ok(library ? "libpq " + library->version + " for PostgreSQL, " + library->path
                  : "no libpq.so.5, which only postgresql:// needs: install Debian's package "
                    "libpq5");
}

void ExamineInstallation(DoctorReport& report) {
  AreaReport area("installation", report);
  ExamineLibraries(area);
  ExamineLibPq(LibPqLibrary(), area);
  ExamineSparkDriver(area);
  ExamineRandomness(area);
  ExamineTemporaryFolder(area);
  ExamineLimits(area);
  ExamineClock(area);
}

}  // namespace dpsql

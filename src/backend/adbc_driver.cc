#include "backend/adbc_driver.h"

#include <dlfcn.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>

#include "base/error_codes.h"
#include "base/names.h"

namespace dpsql {
namespace {

namespace fs = std::filesystem;

std::string Environment(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? "" : value;
}

// The folder of the file that holds this function: the program, or our shared library.
fs::path OwnFolder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&FindAdbcDriver), &info) == 0) return {};
  std::error_code unknown;
  return fs::canonical(info.dli_fname, unknown).parent_path();
}

// What tools/bootstrap fetched, the newest name first.
std::vector<fs::path> FetchedFolders(const std::string& name) {
  std::string cache = Environment("XDG_CACHE_HOME");
  if (cache.empty()) cache = Environment("HOME") + "/.cache";
  std::vector<fs::path> folders;
  std::error_code absent;
  for (const auto& entry : fs::directory_iterator(fs::path(cache) / "dpsql", absent)) {
    if (entry.path().filename().string().starts_with("adbc-" + name + "-")) {
      folders.push_back(entry.path() / "lib");
    }
  }
  std::sort(folders.rbegin(), folders.rend());
  return folders;
}

// lib/python3.x/site-packages of the environment that is active.
std::vector<fs::path> PythonFolders(const std::string& package) {
  std::vector<fs::path> folders;
  const std::string environment = Environment("VIRTUAL_ENV");
  if (environment.empty()) return folders;
  std::error_code absent;
  for (const auto& entry : fs::directory_iterator(fs::path(environment) / "lib", absent)) {
    folders.push_back(entry.path() / "site-packages" / package);
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

// Ends the process as a closed pipe does by default. Async-signal-safe.
void EndByBrokenPipe(int) {
  std::signal(SIGPIPE, SIG_DFL);
  std::raise(SIGPIPE);
}

void KeepBrokenPipes() {
  struct sigaction now {};
  if (sigaction(SIGPIPE, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) return;
  struct sigaction ours {};
  ours.sa_handler = EndByBrokenPipe;
  ours.sa_flags = SA_ONSTACK | SA_NODEFER;  // a thread of the driver's has a small stack
  sigemptyset(&ours.sa_mask);
  sigaction(SIGPIPE, &ours, nullptr);
}

bool HasAllFunctions(const adbc::Driver& driver) {
  return driver.database_new != nullptr && driver.database_set_option != nullptr &&
         driver.database_init != nullptr && driver.database_release != nullptr &&
         driver.connection_new != nullptr && driver.connection_init != nullptr &&
         driver.connection_release != nullptr && driver.statement_new != nullptr &&
         driver.statement_set_sql_query != nullptr && driver.statement_execute_query != nullptr &&
         driver.statement_cancel != nullptr && driver.statement_release != nullptr;
}

std::unique_ptr<adbc::Driver> Load(const std::string& path) {
  KeepBrokenPipes();
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  void* symbol = dlsym(library, "AdbcDriverInit");
  if (symbol == nullptr) return nullptr;
  auto driver = std::make_unique<adbc::Driver>();
  adbc::Error error{};
  const auto init = reinterpret_cast<adbc::InitFunction>(symbol);
  const bool ready = init(adbc::kVersion, driver.get(), &error) == adbc::kOk;
  if (error.release != nullptr) error.release(&error);
  if (!ready || !HasAllFunctions(*driver)) return nullptr;
  return driver;
}

}  // namespace

AdbcDriverPlace FindAdbcDriver(std::string_view name) {
  const std::string driver(name);
  const std::string package = "adbc_driver_" + driver;
  const std::string file = "lib" + package + ".so";
  const std::string variable = "DPSQL_ADBC_" + ToUpper(driver);
  AdbcDriverPlace place;
  std::error_code unknown;
  if (const std::string given = Environment(variable); !given.empty()) {
    place.looked.push_back(variable + "=" + given);
    if (fs::is_regular_file(given, unknown)) place.path = given;
    return place;
  }
  std::vector<fs::path> folders = {OwnFolder(), OwnFolder() / "dpsql",
                                   OwnFolder() / "../lib/dpsql"};
  for (const auto& more : {FetchedFolders(driver), PythonFolders(package)}) {
    folders.insert(folders.end(), more.begin(), more.end());
  }
  for (const fs::path& folder : folders) {
    const fs::path candidate = (folder / file).lexically_normal();
    place.looked.push_back(candidate.string());
    if (!fs::is_regular_file(candidate, unknown)) continue;
    place.path = candidate.string();
    break;
  }
  return place;
}

Result<adbc::Driver*> LoadAdbcDriver(const std::string& path) {
  static std::mutex mutex;
  // Never destroyed: threads that a server has left waiting may still be inside of a driver.
  static auto* const loaded = new std::map<std::string, std::unique_ptr<adbc::Driver>>();
  const std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<adbc::Driver>& driver = (*loaded)[path];
  if (driver == nullptr) driver = Load(path);
  if (driver == nullptr) {
    return MakeError(ErrorCode::kDatabaseOpen, path + " is not a driver that can be loaded", {},
                     "install the driver anew; it must be one of ADBC 1.1 for this machine");
  }
  return driver.get();
}

}  // namespace dpsql

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backend/adbc_abi.h"
#include "dpsql/result.h"

namespace dpsql {

// Where the library of a driver is: "spark" is libadbc_driver_spark.so.
struct AdbcDriverPlace {
  std::string path;                 // empty where there is none
  std::vector<std::string> looked;  // where we looked, in order
};

// Looks in DPSQL_ADBC_SPARK (a path; then nowhere else), beside the program and its library, in
// what tools/bootstrap fetched, and in the site-packages of the Python environment that is active.
AdbcDriverPlace FindAdbcDriver(std::string_view name);

// The table of a driver's functions, loaded once and kept for the life of the process: a driver may
// carry a runtime of its own that cannot be unloaded. Refuses (E501) what is no such library.
//
// Signals. A driver written in Go takes SIGPIPE for itself. Who writes to a closed pipe from a
// thread of ours still ends as before: the driver passes on what does not concern it to the
// handler that was there, and where there was none, one is put there first that ends the process.
Result<adbc::Driver*> LoadAdbcDriver(const std::string& path);

}  // namespace dpsql

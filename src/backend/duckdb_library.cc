#include <dlfcn.h>
#include <duckdb.h>

#include "backend/loaded_library.h"

namespace dpsql {

LoadedLibrary DuckDbLibrary() {
  Dl_info info{};
  const bool found = dladdr(reinterpret_cast<const void*>(&duckdb_library_version), &info) != 0;
  return {.version = duckdb_library_version(),
          .path = found && info.dli_fname != nullptr ? info.dli_fname : ""};
}

}  // namespace dpsql

#pragma once

#include <optional>
#include <string>

namespace dpsql {

// A library of others as this process has it.
struct LoadedLibrary {
  std::string version;
  std::string path;  // of its file
};

LoadedLibrary DuckDbLibrary();

// PostgreSQL's, which is loaded by this where it was not before. Nothing where there is none.
std::optional<LoadedLibrary> LibPqLibrary();

}  // namespace dpsql

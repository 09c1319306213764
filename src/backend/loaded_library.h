#pragma once

#include <string>

namespace dpsql {

// A library of others as this process has it.
struct LoadedLibrary {
  std::string version;
  std::string path;  // of its file
};

LoadedLibrary DuckDbLibrary();

}  // namespace dpsql

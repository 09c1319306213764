#pragma once

#include <CLI/CLI.hpp>
#include <optional>

namespace dpsql::cli {

inline constexpr int kUsageError = 2;

// Reads the arguments of a command. The exit code where there is nothing to run: 0 after --help,
// else that of a mistake, which was said.
inline std::optional<int> ParseOrExit(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kUsageError;
  }
  return std::nullopt;
}

}  // namespace dpsql::cli

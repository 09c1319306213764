#include "support/conformance_engines.h"

#include <array>

namespace dpsql {
namespace {

// One line each: tests/CMakeLists.txt reads its lists of engines from here.
constexpr auto kEngines = std::to_array<ConformanceEngine>({
    {"postgresql", FillPostgreSql},
    {.name = "spark", .fill = FillSpark, .is_files = true},
    {"sqlite", FillSqlite},
});

}  // namespace

const ConformanceEngine* FindConformanceEngine(std::string_view name) {
  for (const ConformanceEngine& engine : kEngines) {
    if (engine.name == name) return &engine;
  }
  return nullptr;
}

}  // namespace dpsql

#include <filesystem>
#include <fstream>

#include "backend/make_database.h"
#include "base/error_codes.h"
#include "base/try.h"
#include "dpsql/demo.h"
#include "engine/guarded.h"
#include "generated/demo_shop.h"

namespace dpsql {

std::string DemoPolicy() { return kDemoPolicy; }

Status MakeDemoShop(const std::string& folder) {
  return Guarded([&]() -> Status {
    const std::filesystem::path database = std::filesystem::path(folder) / "shop.duckdb";
    const std::filesystem::path policy = std::filesystem::path(folder) / "shop.toml";
    for (const auto& path : {database, policy}) {
      if (!std::filesystem::exists(path)) continue;
      return MakeError(ErrorCode::kDatabaseOpen, path.string() + " is there already", {},
                       "choose an empty folder");
    }
    TRY_DONE(MakeDatabase(database.string(), kDemoData));
    std::ofstream file(policy);
    file << kDemoPolicy << std::flush;
    if (file) return Done{};
    return MakeError(ErrorCode::kDatabaseOpen, policy.string() + " cannot be written");
  });
}

}  // namespace dpsql

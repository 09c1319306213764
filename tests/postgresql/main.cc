// Tests of the PostgreSQL engine on a server of their own. Exits with 77, which ctest shows as
// skipped, where none is installed.
#include <iostream>

#include "postgresql/engine_fixture.h"

namespace dpsql {
namespace {

std::unique_ptr<PostgreSqlServer> shared_server;

constexpr const char* kAccounts =
    "CREATE ROLE reader LOGIN PASSWORD 'rose-garden-7'; "
    "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT ON TABLES TO reader;";

}  // namespace

PostgreSqlServer& SharedServer() { return *shared_server; }

}  // namespace dpsql

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  // Which tests there are is asked where no server is installed, too.
  if (testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();
  const std::string why_not = dpsql::PostgreSqlServer::WhyNot();
  if (!why_not.empty()) {
    std::cout << "skipped: " << why_not << "\n";
    return 77;
  }
  dpsql::shared_server = std::make_unique<dpsql::PostgreSqlServer>();
  dpsql::shared_server->Sql(dpsql::kAccounts);
  const int result = RUN_ALL_TESTS();
  dpsql::shared_server.reset();
  return result;
}

#include "engines/exact_side.h"

#include <duckdb.h>
#include <sqlite3.h>

#include <cstdio>
#include <cstdlib>

#include "backend/adbc.h"
#include "backend/adbc_driver.h"
#include "backend/postgresql_connection.h"
#include "backend/postgresql_library.h"
#include "backend/spark_url.h"

namespace dpsql {
namespace {

[[noreturn]] void Fail(const std::string& words) {
  std::fprintf(stderr, "engines: %s\n", words.c_str());
  std::exit(1);
}

class DuckDbSide : public ExactSide {
 public:
  explicit DuckDbSide(const std::string& path) {
    duckdb_config config = nullptr;
    char* words = nullptr;
    duckdb_create_config(&config);
    if (!path.empty()) duckdb_set_config(config, "access_mode", "READ_ONLY");
    const char* const file = path.empty() ? nullptr : path.c_str();
    if (duckdb_open_ext(file, &database_, config, &words) != DuckDBSuccess) Fail(words);
    duckdb_destroy_config(&config);
    if (duckdb_connect(database_, &connection_) != DuckDBSuccess) Fail("no connection");
  }
  ~DuckDbSide() override {
    duckdb_disconnect(&connection_);
    duckdb_close(&database_);
  }
  DuckDbSide(const DuckDbSide&) = delete;
  DuckDbSide& operator=(const DuckDbSide&) = delete;

  void Run(const std::string& sql) override {
    duckdb_result result;
    if (duckdb_query(connection_, sql.c_str(), &result) != DuckDBSuccess) {
      Fail(duckdb_result_error(&result));
    }
    duckdb_destroy_result(&result);
  }

 private:
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
};

class SqliteSide : public ExactSide {
 public:
  explicit SqliteSide(const std::string& path) {
    if (sqlite3_open_v2(path.c_str(), &handle_, SQLITE_OPEN_READONLY, nullptr) != SQLITE_OK) {
      Fail(sqlite3_errmsg(handle_));
    }
  }
  ~SqliteSide() override { sqlite3_close(handle_); }
  SqliteSide(const SqliteSide&) = delete;
  SqliteSide& operator=(const SqliteSide&) = delete;

  void Run(const std::string& sql) override {
    const auto take = [](void*, int, char**, char**) { return 0; };
    if (sqlite3_exec(handle_, sql.c_str(), take, nullptr, nullptr) != SQLITE_OK) {
      Fail(sqlite3_errmsg(handle_));
    }
  }

 private:
  sqlite3* handle_ = nullptr;
};

class PostgreSqlSide : public ExactSide {
 public:
  explicit PostgreSqlSide(const std::string& url) {
    const LibPq* const library = LoadLibPq();
    if (library == nullptr) Fail("there is no libpq");
    StopSign never;
    auto opening = PostgreSqlConnection::Open(*library, url, {.sign = never, .end = {}});
    if (!opening.connection) Fail(opening.failure.text);
    connection_ = std::move(opening.connection);
  }

  void Run(const std::string& sql) override {
    if (const auto failure = connection_->RunScript(sql)) Fail(failure->text);
  }

 private:
  std::unique_ptr<PostgreSqlConnection> connection_;
};

class SparkSide : public ExactSide {
 public:
  SparkSide(const std::string& rest, const std::string& files,
            const std::vector<std::string>& tables)
      : connection_(TargetOf(rest)) {
    for (const std::string& table : tables) {
      Run("CREATE TEMPORARY VIEW " + table + " USING parquet OPTIONS (path '" + files + "/" +
          table + ".parquet')");
    }
  }

  void Run(const std::string& sql) override {
    if (const auto failure = connection_.Run(sql, [](SqlConnection::Row) {})) Fail(failure->text);
  }

 private:
  static AdbcTarget TargetOf(const std::string& rest) {
    auto driver = LoadAdbcDriver(FindAdbcDriver("spark").path);
    auto address = ReadSparkUrl(rest);
    if (!driver.ok() || !address.ok()) Fail("there is no driver for Spark, or the URL is wrong");
    return {.driver = *driver, .options = address->options};
  }

  AdbcConnection connection_;
};

}  // namespace

std::unique_ptr<ExactSide> OpenExactSide(const std::string& url, const std::string& files,
                                         const std::vector<std::string>& tables) {
  const auto behind = [&](const std::string& scheme) { return url.substr(scheme.size()); };
  if (url.starts_with("sqlite:")) return std::make_unique<SqliteSide>(behind("sqlite:"));
  if (url.starts_with("postgresql:")) return std::make_unique<PostgreSqlSide>(url);
  if (url.starts_with("spark:")) {
    return std::make_unique<SparkSide>(behind("spark:"), files, tables);
  }
  auto side = std::make_unique<DuckDbSide>(url);
  if (!url.empty()) return side;
  for (const std::string& table : tables) {
    side->Run("CREATE VIEW " + table + " AS SELECT * FROM '" + files + "/" + table + ".parquet'");
  }
  return side;
}

}  // namespace dpsql

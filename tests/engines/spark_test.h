#pragma once

// The Spark engine on a real server, which spark_server.py starts with settings that would change
// what our SQL means, and ends: DPSQL_TEST_SPARK is its address, DPSQL_TEST_SPARK_PID its process,
// DPSQL_TEST_FOLDER a folder for files that both see; RestartServer puts another one in its place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <sstream>
#include <thread>

#include "backend/adbc.h"
#include "backend/adbc_driver.h"
#include "backend/spark.h"
#include "backend/spark_settings.h"
#include "backend/spark_url.h"
#include "base/incident_log.h"

namespace dpsql {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Rows = std::vector<std::vector<std::string>>;

inline std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

inline std::string Server() { return Environment("DPSQL_TEST_SPARK"); }
inline pid_t ServerProcess() { return std::stoi(Environment("DPSQL_TEST_SPARK_PID")); }

// Kills the server; another one has the same address, the same settings and an empty catalogue.
inline void RestartServer() {
  const fs::path folder = Environment("DPSQL_TEST_FOLDER");
  fs::remove(folder / "restarted");
  std::ofstream(folder / "restart").flush();
  const auto end = Clock::now() + std::chrono::minutes(3);
  while (!fs::exists(folder / "restarted") && Clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  std::string process;
  std::ifstream(folder / "restarted") >> process;
  ASSERT_FALSE(process.empty()) << "no server was started";
  setenv("DPSQL_TEST_SPARK_PID", process.c_str(), 1);
}

class Incidents : public IncidentLog {
 public:
  std::string Record(std::string_view text) override {
    texts.emplace_back(text);
    return "i-000001";
  }
  std::vector<std::string> texts;
};

inline AdbcTarget Target() {
  return {.driver = *LoadAdbcDriver(FindAdbcDriver("spark").path),
          .options = ReadSparkUrl("//" + Server()).value().options};
}

// Runs a statement and shows each row; "FAILED …" where it fails.
inline Rows Ask(SqlConnection& connection, const std::string& sql) {
  Rows rows;
  const auto failure = connection.Run(sql, [&](SqlConnection::Row row) {
    rows.emplace_back();
    for (const auto& cell : row) rows.back().push_back(cell.value_or("NULL"));
  });
  if (failure) return {{"FAILED " + failure->text}};
  return rows;
}

inline TablePolicy Table(const std::string& name, std::optional<std::string> source = {}) {
  TablePolicy table;
  table.name = name;
  if (source) table.source = SourcePolicy{.pattern = *source, .format = SourceFormat::kParquet};
  return table;
}

class SparkTest : public ::testing::Test {
 protected:
  SparkTest()
      : folder_(fs::path(Environment("DPSQL_TEST_FOLDER")) /
                ::testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::create_directories(folder_);
    engine_ = MakeSparkEngine("//" + Server(), incidents_).value();
    policy_.file = (folder_ / "policy.toml").string();
  }

  // One file of Parquet with the rows of a query; its path from the policy's folder on.
  std::string WriteParquet(const std::string& name, const std::string& sql) {
    AdbcConnection writer(Target());
    Ask(writer, "SET spark.sql.variable.substitute=false");
    Ask(writer, "SET spark.sql.ansi.enabled=true");
    Ask(writer, "SET spark.sql.session.timeZone=UTC");
    const Rows rows =
        Ask(writer, "INSERT OVERWRITE DIRECTORY '" + (folder_ / name).string() +
                        "' USING parquet SELECT /*+ COALESCE(1) */ * FROM (" + sql + ")");
    EXPECT_THAT(rows, ::testing::IsEmpty());
    for (const auto& file : fs::directory_iterator(folder_ / name)) {
      if (file.path().extension() == ".parquet") return file.path().string();
    }
    ADD_FAILURE() << "no file was written";
    return "";
  }

  Schema ReadSchema() {
    auto schema = engine_->ReadSchema(policy_);
    if (!schema.ok()) {
      ADD_FAILURE() << schema.error().message << ": " << ::testing::PrintToString(incidents_.texts);
      return {};
    }
    return schema.value();
  }

  std::vector<std::string> Types(const SchemaTable& table) {
    std::vector<std::string> types;
    for (const SchemaColumn& column : table.columns) {
      const bool known = column.type.family != TypeFamily::kOther;
      types.push_back(column.name + " " + (known ? column.type.name : "other"));
      EXPECT_TRUE(column.nullable);
    }
    return types;
  }

  std::unique_ptr<SqlConnection> Connect() { return engine_->Connect(sign_).value(); }

  fs::path folder_;
  Incidents incidents_;
  Policy policy_;
  StopSign sign_;
  std::unique_ptr<SqlEngine> engine_;
};

}  // namespace dpsql

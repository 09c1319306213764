#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "backend/postgresql.h"
#include "backend/sql_engine.h"
#include "base/incident_log.h"
#include "support/postgresql_server.h"

namespace dpsql {

// The server of all tests here; those that stop or kill one start their own.
PostgreSqlServer& SharedServer();

class KeptIncidents : public IncidentLog {
 public:
  std::string Record(std::string_view text) override {
    texts.emplace_back(text);
    return "i-000001";
  }
  std::vector<std::string> texts;
};

// A policy whose tables have these names.
inline Policy PolicyOf(const std::vector<std::string>& tables) {
  Policy policy;
  policy.file = "test.toml";
  for (const std::string& name : tables) {
    policy.tables.push_back({.name = name, .line = static_cast<int>(policy.tables.size()) + 1});
  }
  return policy;
}

// All rows of a statement, "a|b" each, NULL as "NULL"; or "FAILED" and the words.
inline std::vector<std::string> RowsOf(SqlConnection& connection, const std::string& sql) {
  std::vector<std::string> rows;
  const auto failure = connection.Run(sql, [&](SqlConnection::Row row) {
    std::string line;
    for (const auto& cell : row) line += (line.empty() ? "" : "|") + cell.value_or("NULL");
    rows.push_back(line);
  });
  if (failure) rows.push_back("FAILED " + failure->text);
  return rows;
}

// An engine with the schema of some tables read.
class EngineFixture : public testing::Test {
 protected:
  void Open(const std::string& url, const Policy& policy) {
    engine_ = MakePostgreSqlEngine(url, incidents_).value();
    auto read = engine_->ReadSchema(policy);
    ASSERT_TRUE(read.ok()) << read.error().message << testing::PrintToString(incidents_.texts);
    schema_ = std::move(*read);
  }

  void Open(const std::vector<std::string>& tables) {
    Open(SharedServer().Url("reader"), PolicyOf(tables));
  }

  // The message of the refusal, with its hint; "" where there is none.
  std::string RefusalOf(const std::string& url, const std::vector<std::string>& tables) {
    const auto engine = MakePostgreSqlEngine(url, incidents_).value();
    const auto read = engine->ReadSchema(PolicyOf(tables));
    return read.ok() ? ""
                     : read.error().code + " " + read.error().message + " / " + read.error().hint;
  }

  // The same with all that the log was told.
  std::string WordsOf(const std::string& url) {
    std::string words = RefusalOf(url, {"thing"});
    for (const std::string& text : incidents_.texts) words += "\n" + text;
    return words;
  }

  std::unique_ptr<SqlConnection> Connect() {
    auto connected = engine_->Connect(sign_);
    if (!connected) {
      ADD_FAILURE() << connected.error().message << testing::PrintToString(incidents_.texts);
      return nullptr;
    }
    return std::move(*connected);
  }

  const SchemaTable& Table(const std::string& name) const {
    for (const SchemaTable& table : schema_.tables) {
      if (table.name == name) return table;
    }
    throw std::runtime_error("no table " + name);
  }

  std::string Read(const std::string& table) const { return engine_->ReadTable(Table(table)); }

  KeptIncidents incidents_;
  StopSign sign_;
  std::unique_ptr<SqlEngine> engine_;
  Schema schema_;
};

}  // namespace dpsql

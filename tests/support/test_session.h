#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "dpsql/session.h"
#include "support/reference_duckdb.h"

namespace dpsql {

// What differs between the policies of tests that ask a real database.
struct SessionPolicy {
  std::string epsilon_budget = "8.0";
  std::string delta_budget = "1e-6";
  std::string epsilon_query = "0.5";
  std::string delta_query = "1e-7";
  int min_frequency = 1;
  bool labelled = false;
};

// A folder with a policy and a ledger, and sessions over a database that many tests share. The
// folder is in memory where the machine has such a place: a test need not wait for a disk.
class TestHouse {
 public:
  TestHouse(std::string database, const SessionPolicy& policy) : database_(std::move(database)) {
    const std::filesystem::path memory = "/dev/shm";
    const auto parent =
        std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path();
    std::string name = (parent / "dpsql-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
    WritePolicy(policy);
  }
  ~TestHouse() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  TestHouse(const TestHouse&) = delete;
  TestHouse& operator=(const TestHouse&) = delete;

  void WritePolicy(const SessionPolicy& policy) const {
    std::ofstream(folder_ / "shop.toml")
        << "[dataset]\nname = \"shop\"\nunit = \"customer\"\n"
        << (policy.labelled ? "[data]\nversion = \"v1\"\n" : "")
        << "[budget]\nepsilon = " << policy.epsilon_budget << "\ndelta = " << policy.delta_budget
        << "\n[query]\nepsilon = " << policy.epsilon_query << "\ndelta = " << policy.delta_query
        << "\nmin_frequency = " << policy.min_frequency << "\n"
        << "[tables.customer]\nunit = \"customer_id\"\n[tables.customer.columns]\n"
        << "segment = { values = [\"home\", \"office\", \"school\"] }\n"
        << "age = { lower = 0, upper = 100 }\n"
        << "[tables.number]\npublic = true\n";
  }

  std::string ledger() const { return folder_ / "shop.ledger"; }
  std::string incidents() const { return ledger() + ".incidents"; }

  Result<Session> TryOpen(const std::string& analyst = "tester") const {
    return Session::Open({.url = database_,
                          .policy = folder_ / "shop.toml",
                          .ledger = ledger(),
                          .analyst = analyst});
  }

  Session Open(const std::string& analyst = "tester") const {
    Result<Session> session = TryOpen(analyst);
    if (!session) throw std::runtime_error(session.error().message);
    return std::move(session).value();
  }

 private:
  std::string database_;
  std::filesystem::path folder_;
};

// How many rows a test's tables have.
struct Customers {
  int customers = 30;  // as many in each of three segments; none of them lacks an age
  int numbers = 10;    // public, to multiply rows with
};

inline void MakeCustomers(const std::string& path, Customers rows = {}) {
  MakeDatabaseFromText(
      path,
      "CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, segment VARCHAR NOT NULL, "
      "age INTEGER NOT NULL);"
      "INSERT INTO customer SELECT i, ['home', 'office', 'school'][1 + i % 3], i % 100 "
      "FROM range(0, " +
          std::to_string(rows.customers) +
          ") t(i);"
          "CREATE TABLE number (n INTEGER PRIMARY KEY);"
          "INSERT INTO number SELECT i FROM range(0, " +
          std::to_string(rows.numbers) + ") t(i);");
}

}  // namespace dpsql

#include "statistical/audit_house.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "support/reference_duckdb.h"

namespace dpsql {
namespace {

[[noreturn]] void Fail(const Error& error, const std::string& sql) {
  throw std::runtime_error(RenderError(error, sql));
}

void WritePolicy(const std::string& path, const HouseTerms& terms, const std::string& tables) {
  std::ofstream file(path);
  file.precision(17);
  file << "[dataset]\nname = \"audit\"\n[budget]\nepsilon = 100\ndelta = 0.9\naccountant = \""
       << terms.accountant << "\"\n[query]\nepsilon = " << terms.epsilon
       << "\ndelta = " << terms.delta << "\nmin_frequency = " << terms.min_frequency
       << "\nmax_groups_per_unit = " << terms.groups_per_unit << "\n[database]\nthreads = 1\n"
       << tables;
}

}  // namespace

AuditHouse::AuditHouse(const HouseTerms& terms, const std::string& data, const std::string& tables)
    : terms_(terms) {
  MakeDatabaseFromText(folder_ / "audit.duckdb", data);
  WritePolicy(folder_ / "audit.toml", terms, tables);
}

Session AuditHouse::OpenSession() {
  auto session = Session::Open({.url = folder_ / "audit.duckdb",
                                .policy = folder_ / "audit.toml",
                                .ledger = folder_ / ("ledger-" + std::to_string(++ledgers_)),
                                .analyst = "auditor"});
  if (!session) Fail(session.error(), "");
  const std::string set = "SET dp.noise = " + terms_.noise;
  const Status done = session->Run(set, [](const Reply&) {});
  if (!done) Fail(done.error(), set);
  return std::move(session).value();
}

// Memory is not endless.
void AuditHouse::RemoveLedgers() const {
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "")) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("ledger-")) std::filesystem::remove(entry.path());
  }
}

Answer AuditHouse::Ask(const std::string& sql) {
  if (!session_) session_.emplace(OpenSession());
  auto answer = session_->Ask(sql);
  if (!answer && answer.error().code == "B402") {
    session_.reset();
    RemoveLedgers();
    session_.emplace(OpenSession());
    answer = session_->Ask(sql);
  }
  if (!answer) Fail(answer.error(), sql);
  if (answer->stored) throw std::runtime_error("a question was not drawn anew: " + sql);
  return std::move(answer).value();
}

NoisyRows AuditHouse::AskRows(const std::string& sql) {
  NoisyRows rows;
  for (const std::vector<Value>& row : Ask(sql).rows) {
    NoisyRow& numbers = rows[std::get<std::int64_t>(row.at(0))];
    for (std::size_t i = 1; i < row.size(); ++i) numbers.push_back(NumberOf(row[i]));
  }
  return rows;
}

StatedPlan AuditHouse::Explain(const std::string& sql) {
  if (!session_) session_.emplace(OpenSession());
  StatedPlan plan;
  const auto read = [&](const Reply& reply) {
    const auto json = nlohmann::json::parse(std::get<Explanation>(reply).json);
    const auto& door = json.at("doors").at(0);
    for (const auto& one : door.at("statistics")) plan.noise_sds.push_back(one.at("noise_sd"));
    plan.mu = json.at("price").at("mu");
    const auto& release = door.at("release");
    plan.count_noise_sd = release.value("count_noise_sd", 0.0);
    plan.threshold = release.value("threshold", release.value("certain_from", std::int64_t{0}));
    plan.selection_delta = release.value("delta", 0.0);
  };
  const Status done = session_->Run("EXPLAIN (DP) " + sql, read);
  if (!done) Fail(done.error(), sql);
  return plan;
}

std::string TableToml(const std::string& name, const std::string& more) {
  return "[tables." + name + "]\nunit = \"id\"\n" + more;
}

std::string KnownKeysToml(std::int64_t keys) {
  std::string text = "{ values = [0";
  for (std::int64_t key = 1; key < keys; ++key) text += ", " + std::to_string(key);
  return text + "] }";
}

std::optional<double> NumberOf(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

}  // namespace dpsql

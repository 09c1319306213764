#include "conformance/engine_house.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <utility>

#include <nlohmann/json.hpp>

#include "support/reference_duckdb.h"

namespace dpsql {
namespace {

Session Open(const std::string& url, const std::string& policy, const std::string& ledger) {
  auto session =
      Session::Open({.url = url, .policy = policy, .ledger = ledger, .analyst = "tester"});
  if (!session) throw std::runtime_error(url + ": " + session.error().message);
  return std::move(session).value();
}

Session OpenDuckDb(const RandomDatabase& database, const std::string& stem) {
  MakeDatabaseFromText(stem + ".duckdb", database.Sql());
  std::ofstream(stem + ".toml") << database.PolicyText();
  return Open(stem + ".duckdb", stem + ".toml", stem + ".ledger");
}

std::string Digits(double number) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.17g", number);
  return text.data();
}

// Decimals are doubles where an engine has none, and a zero has no sign.
std::string CellText(const Value& value, const std::string& type) {
  if (IsNull(value)) return "NULL";
  if (const auto* real = std::get_if<double>(&value)) return Digits(*real + 0.0);
  const std::string text = ToText(value);
  return type.starts_with("DECIMAL") ? Digits(std::strtod(text.c_str(), nullptr) + 0.0) : text;
}

std::vector<std::string> Lines(const Answer& answer, const Answer& typed, bool sorted) {
  std::vector<std::string> lines;
  for (const std::vector<Value>& row : answer.rows) {
    std::string& line = lines.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += (i == 0 ? "" : " | ") + CellText(row[i], typed.columns[i].type);
    }
  }
  if (!sorted) std::sort(lines.begin(), lines.end());
  return lines;
}

std::optional<std::string> FindDifference(const Answer& duckdb, const Answer& other, bool sorted) {
  if (duckdb.columns.size() != other.columns.size()) return "another number of columns";
  const std::vector<std::string> expected = Lines(duckdb, duckdb, sorted);
  const std::vector<std::string> actual = Lines(other, duckdb, sorted);
  if (expected == actual) return std::nullopt;
  std::string words = std::to_string(actual.size()) + " rows, and DuckDB has " +
                      std::to_string(expected.size()) + "\n";
  for (std::size_t i = 0; i < std::max(expected.size(), actual.size()); ++i) {
    const std::string left = i < actual.size() ? actual[i] : "nothing";
    const std::string right = i < expected.size() ? expected[i] : "nothing";
    if (left != right) return words + "  " + left + "\nand\n  " + right;
  }
  return words;
}

// What the doors of a question sum over rows, with bounds and noise.
std::string Statistics(Session& session, const std::string& sql) {
  std::string statistics;
  const auto keep = [&](const Reply& reply) {
    const auto plan = nlohmann::json::parse(std::get<Explanation>(reply).json);
    for (const auto& door : plan.at("doors")) statistics += door.at("statistics").dump();
  };
  if (auto status = session.Run(sql, keep, {.dry_run = true}); !status) {
    throw std::runtime_error(sql + ": " + status.error().message);
  }
  return statistics;
}

// What the grammar, the binder, the planner and CanRun say, before anything is paid.
bool IsRefusal(const std::string& code) { return code.starts_with("P") || code.starts_with("V"); }

}  // namespace

EngineHouse::EngineHouse(const RandomDatabase& database, const std::string& stem,
                         const std::vector<std::shared_ptr<EngineCopies>>& engines)
    : plain_(database.PlainSql()), duckdb_(OpenDuckDb(database, stem)) {
  const std::string name = std::filesystem::path(stem).filename();
  for (const auto& engine : engines) {
    const auto url = engine->Fill(name, stem + ".duckdb");
    if (!url) throw std::runtime_error(std::string(engine->engine()) + " is no longer there");
    others_.push_back(Open(*url, engine->PolicyOf(name, stem + ".toml"),
                           stem + "." + std::string(engine->engine()) + ".ledger"));
  }
}

std::optional<std::string> EngineHouse::Difference(const RandomCase& asked, const Answer& duckdb,
                                                   const Answer& other, Session& session) {
  const auto* question = std::get_if<Question>(&asked.question);
  if (question == nullptr) return FindDifference(duckdb, other, false);
  const std::vector<const Item*> items = question->items();
  const bool claims = std::any_of(items.begin(), items.end(), [](const Item* item) {
    return item->measure == Measure::kCountDistinct;
  });
  const auto from_plain = [&] {
    return ::dpsql::Difference(*question, Expect(*question, plain_), other);
  };
  if (claims) return from_plain();
  auto difference = FindDifference(duckdb, other, question->is_sorted());
  if (!difference) return std::nullopt;
  const std::string sql = asked.asked();
  return Statistics(duckdb_, sql) == Statistics(session, sql) ? difference : from_plain();
}

std::vector<EngineHouse::Reply> EngineHouse::Try(const RandomCase& asked) {
  const std::string sql = asked.asked();
  const auto expected = duckdb_.Ask(sql);
  if (!expected) return {};
  std::vector<Reply> replies;
  for (Session& session : others_) {
    const auto answer = session.Ask(sql);
    Reply& reply = replies.emplace_back();
    reply.answered = answer.ok();
    if (answer) {
      reply.wrong = Difference(asked, *expected, *answer, session);
      continue;
    }
    reply.refusal = answer.error().code + " " + answer.error().message;
    if (!IsRefusal(answer.error().code)) reply.wrong = reply.refusal;
  }
  return replies;
}

}  // namespace dpsql

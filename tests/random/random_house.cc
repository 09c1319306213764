#include "random/random_house.h"

#include <fstream>
#include <stdexcept>
#include <utility>

#include "support/reference_duckdb.h"

namespace dpsql {
namespace {

Session OpenSession(const RandomDatabase& database, const std::string& stem) {
  MakeDatabaseFromText(stem + ".duckdb", database.Sql());
  std::ofstream(stem + ".toml") << database.PolicyText();
  auto session = Session::Open({.url = stem + ".duckdb",
                                .policy = stem + ".toml",
                                .ledger = stem + ".ledger",
                                .analyst = "tester"});
  if (!session) {
    throw std::runtime_error(session.error().message + "\n" + database.PolicyText() +
                             database.Sql());
  }
  return std::move(session).value();
}

// The grammar, the binder and the planner may refuse, and bounds wider than the policy's; anything
// else is a failure.
bool IsRefusal(const std::string& code) {
  return code.starts_with("P") || code.starts_with("V") || code == "B401";
}

}  // namespace

RandomHouse::RandomHouse(const RandomDatabase& database, const std::string& stem)
    : plain_(database.PlainSql()), session_(OpenSession(database, stem)) {}

std::optional<Answer> RandomHouse::Ask(const std::string& sql, Outcome& outcome) {
  auto answer = session_.Ask(sql);
  outcome.accepted = answer.ok();
  if (answer) return std::move(answer).value();
  outcome.refusal = answer.error().code + " " + answer.error().message;
  if (!IsRefusal(answer.error().code)) outcome.wrong = outcome.refusal;
  return std::nullopt;
}

RandomHouse::Outcome RandomHouse::Try(const Question& question) {
  Outcome outcome;
  const auto answer = Ask(question.Asked(), outcome);
  if (answer) outcome.wrong = Difference(question, Expect(question, plain_), *answer);
  return outcome;
}

RandomHouse::Outcome RandomHouse::Try(const NestedQuestion& question) {
  Outcome outcome;
  const auto answer = Ask(question.asked, outcome);
  if (answer) outcome.wrong = Difference(plain_.Rows(question.plain), *answer);
  return outcome;
}

}  // namespace dpsql

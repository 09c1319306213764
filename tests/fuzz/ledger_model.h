#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "account/budget_terms.h"
#include "privacy/cost.h"

namespace dpsql {

// What a ledger must say, computed the plain way: every charge is kept, and a question goes through
// all of them. Answers in the codes of the ledger's refusals, "" where it admits.
class LedgerModel {
 public:
  LedgerModel(FixedTerms terms, std::int64_t created)
      : terms_(std::move(terms)), created_(created), mark_(created) {}

  std::string Reserve(const std::string& analyst, const Cost& cost, std::int64_t now);
  // What Stored answers: "" and whether there is an answer.
  struct Outcome {
    std::string code;
    bool answered = false;
    bool charged = false;
  };
  Outcome Stored(const std::string& analyst, const Cost& cost, std::int64_t now);

  void Store(const std::string& analyst, const Cost& cost, std::int64_t now);
  void Abandon(const std::string& analyst, bool failed, std::int64_t now);
  // Reservations that ended with their holder; they count as open until the owner pardons them.
  void Lose(const std::string& analyst) { ++people_[analyst].lost; }
  // Whether the owner can: the analyst has asked, or was spoken of by the owner.
  bool Pardon(const std::string& analyst, std::int64_t now);
  void Granted(FixedTerms terms, const std::string& owner, std::int64_t now);
  void Revoke(const std::string& analyst, std::int64_t now);
  void Admit(const std::string& analyst, std::int64_t now);
  bool Knows(const std::string& analyst) const;

  const FixedTerms& terms() const { return terms_; }
  std::int64_t Window(std::int64_t now) const;
  Purses Spent(std::int64_t window) const;
  Purses AnalystSpent(const std::string& analyst, std::int64_t window) const;
  std::int64_t releases() const { return releases_; }

 private:
  struct Charge {
    std::string analyst;
    std::int64_t window = 0;
    bool of_dataset = false;
    Purses amount;
  };
  struct Person {
    std::int64_t open = 0;    // reservations that have not ended, lost ones included
    std::int64_t lost = 0;    // of these
    std::int64_t aborts = 0;  // since the last pardon
    bool in_chain = false;    // a row of the ledger names him
  };

  std::string CheckAborts(const std::string& analyst) const;
  std::string CheckCaps(const Purses& caps, const Purses& spent, const Purses& charge) const;
  void Note(const std::string& analyst, std::int64_t now);

  FixedTerms terms_;
  std::int64_t created_;
  std::int64_t mark_;
  std::int64_t releases_ = 0;
  std::vector<Charge> charges_;
  std::map<std::string, Person> people_;
  std::map<std::string, std::string> kept_;               // plan and whose answer it is
  std::set<std::pair<std::string, std::string>> buyers_;  // plan, and who paid for it as well
};

}  // namespace dpsql

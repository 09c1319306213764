#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "plan/dp_plan.h"

namespace dpsql {

// What the accepted questions had in them, read off their plans, and what units moved: so that it
// shows how much of the language was tried.
class LanguageTally {
 public:
  // Among the statistics that units moved: a unit that is at its caps, or above them.
  static constexpr const char* kWholeCharge = "all that is charged";

  // A plan, and the text that it was made of: some words leave no trace in a plan.
  void Add(const DpPlan& plan, const std::string& sql);
  void Add(const LanguageTally& other);

  // How many units a database has, and in how many cases one moved something.
  void AddPeople(std::size_t units, std::int64_t moved);

  // In how many cases the unit moved a statistic of this name.
  void AddMoved(const std::map<std::string, std::int64_t>& statistics);

  std::int64_t questions() const { return questions_; }

  // What the language has and no question had, and statistics that no unit moved; a sentence each.
  std::vector<std::string> Missing() const;

  // The same of a run on another engine, which refuses some of the language: of what each has.
  // A short one asks too little for all of that.
  std::vector<std::string> MissingOnEngine(bool is_long) const;

  // A line for each subject: its words, and in how many questions they were.
  std::string Table() const;

 private:
  bool Has(const std::string& subject, const std::string& word) const;

  std::int64_t questions_ = 0;
  std::map<std::string, std::map<std::string, std::int64_t>> counts_;
};

}  // namespace dpsql

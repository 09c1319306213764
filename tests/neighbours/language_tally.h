#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "plan/dp_plan.h"

namespace dpsql {

// What the accepted questions had in them, read off their plans: so that a reader sees how much of
// the language was tried.
class LanguageTally {
 public:
  void Add(const DpPlan& plan);
  void Add(const LanguageTally& other);

  std::int64_t questions() const { return questions_; }

  // A line for each subject: its words, and in how many questions they were.
  std::string Table() const;

 private:
  std::int64_t questions_ = 0;
  std::map<std::string, std::map<std::string, std::int64_t>> counts_;
};

}  // namespace dpsql

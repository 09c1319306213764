#pragma once

#include <string>
#include <vector>

#include "speed/question.h"

namespace dpsql {

// What is asked of all engines, and how their data is declared.
struct EngineQuestions {
  QuestionSet set;
  std::vector<std::string> tables;
  std::string timeout;  // of the policy, in its words; or nothing
};

// The ten queries of the paper. Lines have their customer beside them, because Spark keeps no keys
// that a link could lead over, and every table has its cap for the same reason.
EngineQuestions TpchOnEngines();

// The same and Q1, Q5, Q6, Q14 and Q19 of TPC-H, on the tables of bench/peers. What is joined with
// lines says that both are of one customer, because a line is not linked to its order here.
EngineQuestions BesidePeers();

// Generated rows in 1,000 groups, for the growth with the data (growth.sql).
EngineQuestions GrowthOnEngines();

// The exact form in SQLite's words: it has no variance, so that is written out.
std::string InSqlite(const Question& question);

// With a source for each table where `files` says in which folder they are.
std::string PolicyText(const EngineQuestions& questions, const std::string& files);

}  // namespace dpsql

#pragma once

#include <string>
#include <vector>

namespace dpsql {

// One question in three forms. The second is what any exact answer with bounded contributions has
// to compute: the same aggregates for each privacy unit and key, summed up in the database so that
// no rows travel.
struct Question {
  std::string name;
  std::string exact;
  std::string per_unit;  // may be empty: not measured
  std::string settings;  // SET statements before the private form; may be empty
  std::string sql;       // the private form
};

// A policy and what is asked under it.
struct QuestionSet {
  std::string tables;  // the policy's part about tables
  std::vector<Question> questions;
};

// What the owner of TPC-H knows of it.
struct TpchKnowledge {
  bool keys = true;      // the keys of groups are declared
  bool extremes = true;  // bounds and caps are the true extremes at scale 1; else round numbers
};

// The ten queries of the DPSQL+ paper on TPC-H.
QuestionSet PaperQuestions(const TpchKnowledge& knowledge = {});

// The same where no cell may show fewer than ten units: they are counted in every pass.
QuestionSet FrequencyQuestions();

// Groups of TPC-H whose keys nobody declared, with minimum frequency 1 and 10.
QuestionSet UnknownKeyQuestions();

// A table of ten million rows and a million units, in 10 to 1,000,000 groups, of which a unit may
// count in one to five.
QuestionSet GroupQuestions();

// Ten million rows of 1,000 to 10,000,000 units in ten declared groups, k = 10.
QuestionSet UnitQuestions();

// Queries 1, 5, 6, 14 and 19 of TPC-H as tests/tpch has them, under the tables of
// tests/databases/tpch.toml. Ends the program where a file is missing.
QuestionSet TpchQuestions();

// A whole policy over these tables, with a budget for `MostRepetitions` questions.
std::string PolicyOf(const QuestionSet& set, const std::string& accountant);

int MostRepetitions(const std::string& accountant);

}  // namespace dpsql

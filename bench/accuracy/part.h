#pragma once

#include <string>
#include <vector>

#include "speed/question.h"

namespace dpsql {

// Some questions under one policy, each asked many times at each epsilon.
struct Case {
  std::string system;    // "ours, k = 5"
  std::string settings;  // SET statements, beside that of epsilon
  std::vector<double> epsilons;
  QuestionSet set;
};

// A part of the measurement, by its name; empty where there is none of it.
// - paper: the ten queries as in the paper.
// - frequency: the same with k = 5, 10 and 50.
// - unknown: its two grouped queries where nobody declared the keys, with k = 1, 5, 10 and 50.
// - round: the ten queries with bounds and caps that an owner would write.
// - skew: counts and sums of a few heavy and many light people, by the cap on rows and on groups.
std::vector<Case> FindPart(const std::string& name);

// A policy over the tables of a set: under `basic` the largest budget that there is, at k = 1; or
// under `gdp` a session of (1, 1e-6) with questions of (0.09, 1e-7).
std::string BasicPolicy(const QuestionSet& set);
std::string SessionPolicy(const QuestionSet& set);

// What is spent of the largest budget, 100: charges are rounded up, so a thousand of 0.1 do not
// fit.
inline constexpr double kSpentEpsilon = 99;
inline constexpr double kSessionEpsilon = 0.09;
inline constexpr int kSessionRounds = 10;

}  // namespace dpsql

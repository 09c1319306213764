#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "statistical/audit_house.h"

// Pairs of databases that differ by one unit, and how an attacker scores what comes back. A
// database holds many pairs at once: groups come in blocks, and only the even ones have their unit.
// The blocks' noise is independent, which the part noise_law tests, so that each answer is as many
// draws of the same pair.
namespace dpsql {

// What the attacker reads off a cell, in rows: the first column over the larger bound of x, or the
// upper or the lower coordinate of the moments, from the sum and the count.
enum class CellScore { kCount, kSum, kUpper, kLower };

struct GdpPair {
  std::string name;
  std::string sql;  // SELECT g, …
  CellScore score = CellScore::kCount;
  std::int64_t block = 4;   // groups of one unit
  std::int64_t scored = 4;  // how many of them are summed
  double sensitivity = 1;   // the longest vector that the policy allows one unit
  double shift = 0;         // what the unit adds to a scored cell on average
  double base = 0;          // what the others add to it
  bool whole = false;       // answers are whole numbers, and coarse ones
  double uncapped = 0;      // the shift where the unit's cap is forgotten; 0: not asked
};

constexpr std::int64_t kGroups = 1024;
constexpr std::int64_t kRowCap = 16;
constexpr std::int64_t kGroupCap = 4;
constexpr double kLower = -1;
constexpr double kUpper = 3;

// Keys are declared and k is 1: every cell is released.
std::string KnownKeyData();
std::string KnownKeyTables();
std::vector<GdpPair> KnownKeyPairs();

// Keys are discovered; in every group there are so many others that it is always found.
constexpr std::int64_t kOthers = 40;
constexpr std::int64_t kMinFrequency = 5;
std::string DiscoveredData();
std::string DiscoveredTables();
std::vector<GdpPair> DiscoveredPairs();

double ScoreOf(const GdpPair& pair, const NoisyRow& row);

}  // namespace dpsql

#pragma once

#include <string>

#include "neighbours/neighbour_house.h"

namespace dpsql {

// How a finding was seen, as its file says it: which cells were shown, by which seed, the way of
// the backend, the engine, and whether answers were compared. "some 412 statements postgresql"
struct KeptManner {
  NeighbourHouse::Manner manner;  // without copies: who replays it makes them
  std::string engine;             // nothing: DuckDB
};

std::string WriteManner(const NeighbourHouse::Manner& manner);

// Throws std::runtime_error where WriteManner did not write it.
KeptManner ReadManner(const std::string& text);

}  // namespace dpsql

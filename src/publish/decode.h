#pragma once

#include <vector>

#include "aggregates/aggregate.h"
#include "backend/public_table.h"
#include "noise/add_noise.h"
#include "plan/dp_plan.h"

namespace dpsql {

// The numbers of a release, as an analyst reads them: digits that the grid can mean, whole counts.
class Decoder {
 public:
  explicit Decoder(const Door& door) : door_(door) {}

  // Of one aggregate of the door in one of its rows; nothing where the cell is withheld.
  Estimate Decode(const NoisyTable& table, std::size_t row, std::size_t aggregate) const;
  Value Cell(const Estimate& estimate, std::size_t aggregate) const;

 private:
  bool IsWhole(std::size_t aggregate) const;

  const Door& door_;
};

// A door's release as a table for the SQL above it and for the doors behind it.
PublicTable DecodeRelease(const Door& door, std::size_t number, const NoisyTable& noisy);

// The rows of a release by their keys' own order.
std::vector<std::size_t> SortedRows(const Door& door, const NoisyTable& noisy);

}  // namespace dpsql

#pragma once

#include "backend/exact_table.h"
#include "backend/key_set.h"
#include "noise/noise.h"
#include "plan/dp_plan.h"

namespace dpsql {

// Chooses the cells that may be shown: at least k units counted exactly, and a noisy count of at
// least tau or a coin that falls so. Where keys are known, all of them are in the set, with their
// cells marked or not; where the door selects no keys, every cell is. Ensures: sorted by key, so
// that no order of rows shows; independent noise for every cell. Proof:
// docs/proofs/double-threshold.md and truncated-geometric.md.
KeySet SelectKeys(ExactTable counts, std::vector<std::vector<Value>> known, const Door& door,
                  Noise& noise);

}  // namespace dpsql

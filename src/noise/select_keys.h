#pragma once

#include "backend/exact_table.h"
#include "backend/key_set.h"
#include "noise/noise.h"
#include "plan/dp_plan.h"

namespace dpsql {

// Chooses the cells that may be shown: at least k units counted exactly, and a noisy count of at
// least tau. Where keys are known, all of them are in the set, with their cells marked or not;
// where the door selects no keys, every cell is.
// Ensures: sorted by key, so that no order of rows shows; independent noise for every cell.
// Proof: docs/proofs/double-threshold.md.
KeySet SelectKeys(ExactTable counts, const Door& door, Noise& noise);

}  // namespace dpsql

#pragma once

namespace dpsql {

// Whether several machines may mount a disk of this kind at once, by what statfs calls it. Locks
// and shared memory do not hold across machines, and the ledger rests on both. Disks behind FUSE
// say nothing of where they are, and rootless containers live on it: they pass for local ones.
bool IsNetworkDisk(unsigned long kind);

}  // namespace dpsql

#pragma once

#include <sys/types.h>

namespace dpsql {

// The CPU time so far of a process, of all below it, and of those of them that ended and were
// waited for: of a server with a process for each connection. It counts in ticks of the clock, so
// differences are sure over many questions only.
double MillisecondsBelow(pid_t process);

}  // namespace dpsql

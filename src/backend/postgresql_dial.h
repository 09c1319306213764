#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "backend/postgresql_library.h"
#include "backend/stop_sign.h"

namespace dpsql {

// What ends the waiting for a server that is called: the sign, and a time.
struct DialLimits {
  StopSign& sign;
  std::optional<std::chrono::steady_clock::time_point> end;
};

// What a call ended with. A handle belongs to the caller, also where PQstatus says that it is of no
// use.
struct Dialled {
  PGconn* handle = nullptr;
  bool stopped = false;  // by the sign; with neither the time was over, or no thread or memory left
};

// Connects on a thread of its own, and does not wait for it beyond the limits. libpq can connect
// step by step, but looks names up and signs in without a pause even so, and leaves it to its own
// waiting alone to go on to the next of several servers. The thread that nobody waits for any more
// ends when libpq gives up, and harms nobody until then.
Dialled Dial(const LibPq& library,
             const std::vector<std::pair<std::string, std::string>>& parameters,
             const DialLimits& limits);

}  // namespace dpsql

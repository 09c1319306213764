#pragma once

#include <functional>
#include <nlohmann/json.hpp>

namespace dpsql {

// Runs `task` in a process of its own and hands over what it returns, so that its memory is its own
// and what it leaves in caches helps nobody else. Requires: this process has one thread.
// A process that dies is {"refused": how}.
nlohmann::json RunApart(const std::function<nlohmann::json()>& task);

// The most memory of this process so far, in MB.
double PeakMegabytes();

// The CPU time of all threads of this process so far.
double CpuMilliseconds();

}  // namespace dpsql

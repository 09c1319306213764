#pragma once

#include <future>
#include <system_error>

namespace dpsql {

// Starts work on a thread of its own; where no thread is left it is done when it is asked for.
template <typename Work>
auto StartBeside(Work work) -> std::future<decltype(work())> {
  try {
    return std::async(std::launch::async, work);
  } catch (const std::system_error&) {
    return std::async(std::launch::deferred, work);
  }
}

}  // namespace dpsql

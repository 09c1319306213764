#pragma once

#include <functional>

namespace dpsql {

// Runs `work` to its end on a new thread with a stack of 64 MB, because PostgreSQL's grammar
// recurses as deep as the text nests. What `work` throws is thrown here. A thread of its own for
// each call keeps nothing alive between calls: no state, and nothing to lose in a fork.
void RunOnLargeStack(const std::function<void()>& work);

}  // namespace dpsql

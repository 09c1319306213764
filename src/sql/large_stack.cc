#include "sql/large_stack.h"

#include <pthread.h>

#include <cstddef>
#include <exception>

#include "base/check.h"

namespace dpsql {
namespace {

constexpr std::size_t kStackBytes = std::size_t{64} << 20;

struct Job {
  const std::function<void()>* work;
  std::exception_ptr thrown;
};

void* RunJob(void* argument) {
  Job& job = *static_cast<Job*>(argument);
  try {
    (*job.work)();
  } catch (...) {
    job.thrown = std::current_exception();
  }
  return nullptr;
}

}  // namespace

void RunOnLargeStack(const std::function<void()>& work) {
  Job job{.work = &work, .thrown = nullptr};
  pthread_attr_t attributes;
  Check(pthread_attr_init(&attributes) == 0, "thread attributes can be made");
  pthread_t thread{};
  const bool started = pthread_attr_setstacksize(&attributes, kStackBytes) == 0 &&
                       pthread_create(&thread, &attributes, RunJob, &job) == 0;
  pthread_attr_destroy(&attributes);
  Check(started, "a thread with a large stack can be started");
  Check(pthread_join(thread, nullptr) == 0, "a thread can be joined");
  if (job.thrown) std::rethrow_exception(job.thrown);
}

}  // namespace dpsql

#pragma once

#include <chrono>
#include <string>

namespace dpsql {

// The time of the query that is being bound. now() and its like are written out as literals when
// they are bound, so that both stages of a query, and every row, see one time.
class QueryClock {
 public:
  using Time = std::chrono::time_point<std::chrono::system_clock, std::chrono::microseconds>;

  // Fixes the time of everything this thread binds until the object goes.
  explicit QueryClock(Time time);
  ~QueryClock();
  QueryClock(const QueryClock&) = delete;
  QueryClock& operator=(const QueryClock&) = delete;

  // The fixed time; the system's where none is fixed.
  static Time Now();

 private:
  const QueryClock* outer_;
  Time time_;
};

// "2026-11-15" and "2026-11-15 10:00:00.000000", in UTC.
std::string DateText(QueryClock::Time time);
std::string TimestampText(QueryClock::Time time);

}  // namespace dpsql

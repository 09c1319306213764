#include "validate/query_clock.h"

#include <array>
#include <cstdio>

namespace dpsql {
namespace {

thread_local const QueryClock* current = nullptr;

}  // namespace

QueryClock::QueryClock(Time time) : outer_(current), time_(time) { current = this; }

QueryClock::~QueryClock() { current = outer_; }

QueryClock::Time QueryClock::Now() {
  if (current != nullptr) return current->time_;
  return std::chrono::time_point_cast<std::chrono::microseconds>(std::chrono::system_clock::now());
}

std::string DateText(QueryClock::Time time) {
  const std::chrono::year_month_day day(std::chrono::floor<std::chrono::days>(time));
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02u", static_cast<int>(day.year()),
                static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()));
  return text.data();
}

std::string TimestampText(QueryClock::Time time) {
  const auto midnight = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::hh_mm_ss clock(time - midnight);
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), " %02d:%02d:%02d.%06d",
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()),
                static_cast<int>(clock.subseconds().count()));
  return DateText(time) + text.data();
}

}  // namespace dpsql

#pragma once

#include <string>
#include <string_view>

namespace dpsql {

// Where a database's own words go. They may hold values of private rows, so an analyst gets the
// number of the incident and the owner reads the text.
class IncidentLog {
 public:
  virtual ~IncidentLog() = default;

  // Keeps the text and returns its number, "i-000003".
  virtual std::string Record(std::string_view text) = 0;
};

}  // namespace dpsql

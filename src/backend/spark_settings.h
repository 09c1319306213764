#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What a Spark session must be set to so that our SQL means the same on every server.
namespace dpsql {

struct SparkSetting {
  std::string_view name;
  std::string_view value;
  bool is_default = true;  // of Spark 4.1, where nobody has set it
};

std::span<const SparkSetting> SparkSettings();

// The statements that are needed in a session, given what SET lists: all that somebody has set.
// Where the server is of a version whose defaults we know, a default that nobody has touched needs
// no statement.
std::vector<std::string> NeededSettings(const std::map<std::string, std::string>& listed,
                                        bool known_version);

// A setting of the server's that is neither one of ours nor one that only concerns speed, places
// and names: it could change what a query means. None where all is well.
std::optional<std::string> UnknownSetting(const std::map<std::string, std::string>& listed);

}  // namespace dpsql

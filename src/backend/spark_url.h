#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dpsql/result.h"

namespace dpsql {

// Where a Spark Connect server is, and whose tables a policy without sources means.
struct SparkAddress {
  std::string server;                 // "host:port", for messages
  std::vector<std::string> database;  // "default", or a catalogue and a database in it
  std::vector<std::pair<std::string, std::string>> options;  // for the driver; may hold a token
};

// Reads what stands behind "spark:" in spark://host[:port][/database][/;name=value…]. Parameters
// are those of Spark Connect: token, use_ssl, user_id, and headers by any other name. Without a
// token the environment's SPARK_CONNECT_AUTHENTICATE_TOKEN is used, as Spark's own client does.
// Refuses (E501) what is no such URL, and session_id: another program could change settings and
// views of a session that is shared.
Result<SparkAddress> ReadSparkUrl(const std::string& rest);

}  // namespace dpsql

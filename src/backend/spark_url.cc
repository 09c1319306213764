#include "backend/spark_url.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/error_codes.h"
#include "base/names.h"
#include "base/try.h"

namespace dpsql {
namespace {

Error BadUrl(std::string message) {
  return MakeError(ErrorCode::kDatabaseOpen, std::move(message), {},
                   "write  spark://HOST:PORT , spark://HOST:PORT/DATABASE  or  "
                   "spark://HOST:PORT/;token=…;use_ssl=true");
}

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = std::min(text.find(separator), text.size());
    parts.emplace_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

// The texts of parameters are never repeated in a message: a token may be among them.
Result<bool> HasToken(std::string_view parameters) {
  bool token = false;
  for (const std::string& parameter : Split(parameters, ';')) {
    if (parameter.empty()) continue;
    const std::size_t equals = parameter.find('=');
    if (equals == std::string::npos) return BadUrl("a parameter of the URL has no value");
    const std::string name = ToLower(std::string_view(parameter).substr(0, equals));
    if (name == "session_id" || name == "sessionid") {
      return BadUrl("a session of Spark cannot be shared: the URL has a session_id");
    }
    token = token || name == "token";
  }
  return token;
}

}  // namespace

Result<SparkAddress> ReadSparkUrl(const std::string& rest) {
  std::string_view text = rest;
  if (!text.starts_with("//")) return BadUrl("the URL of a Spark server starts with spark://");
  if (text.find_first_of("\"\\ \t\r\n") != std::string_view::npos) {
    return BadUrl("the URL of the Spark server has a character that no URL has");
  }
  text.remove_prefix(2);
  const std::size_t semicolon = std::min(text.find(';'), text.size());
  const std::string_view parameters = text.substr(std::min(semicolon + 1, text.size()));
  std::string_view place = text.substr(0, semicolon);
  while (place.ends_with('/')) place.remove_suffix(1);
  const std::size_t slash = std::min(place.find('/'), place.size());
  SparkAddress address{
      .server = std::string(place.substr(0, slash)), .database = {}, .options = {}};
  if (address.server.empty() || address.server.front() == ':') {
    return BadUrl("the URL of the Spark server names no host");
  }
  // An account may have a password in it, which must not be shown.
  if (address.server.find('@') != std::string::npos) {
    return BadUrl("the URL of a Spark server has no account");
  }
  address.database = {"spark_catalog", "default"};
  if (slash < place.size()) {
    std::vector<std::string> parts = Split(place.substr(slash + 1), '.');
    const auto bad = [](const std::string& part) {
      return part.empty() || part.find('/') != std::string::npos;
    };
    if (parts.size() > 2 || std::any_of(parts.begin(), parts.end(), bad)) {
      return BadUrl("the URL of the Spark server names no database that can be");
    }
    if (parts.size() == 1) parts.insert(parts.begin(), "spark_catalog");
    address.database = std::move(parts);
  }
  TRY(const bool has_token, HasToken(parameters));
  address.options.emplace_back("uri", "sc://" + address.server + "/;" + std::string(parameters));
  address.options.emplace_back("adbc.spark.user_agent", "dpsql");
  const char* token = std::getenv("SPARK_CONNECT_AUTHENTICATE_TOKEN");
  if (!has_token && token != nullptr && *token != '\0') {
    address.options.emplace_back("adbc.spark.token", token);
  }
  return address;
}

}  // namespace dpsql

#pragma once

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#ifndef DPSQL_TEST_DATA_DIR
#define DPSQL_TEST_DATA_DIR DPSQL_SOURCE_DIR "/tests/data"
#endif

namespace dpsql {

// Known answers computed with 40 to 50 digits. Numbers are strings, so that no reader rounds them.
inline const nlohmann::json& TestVectors() {
  static const nlohmann::json vectors =
      nlohmann::json::parse(std::ifstream(DPSQL_TEST_DATA_DIR "/vectors.json"));
  return vectors;
}

inline double NumberOf(const nlohmann::json& text) { return std::stod(text.get<std::string>()); }

}  // namespace dpsql

#include "backend/text_columns.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error_codes.h"
#include "base/names.h"
#include "base/utf8.h"

namespace dpsql {
namespace {

// Numbers, dates and times; but a year may well be the name of a column.
bool LooksLikeNumber(const std::string& name) {
  constexpr std::size_t kYear = 4;
  const bool digits = name.find_first_not_of("0123456789") == std::string::npos;
  return name.find_first_not_of("0123456789+-.,:/ eETZ") == std::string::npos &&
         name.find_first_of("0123456789") != std::string::npos && !(digits && name.size() == kYear);
}

bool LooksLikeValue(const std::string& name) {
  return LooksLikeNumber(name) || name.find('@') != std::string::npos;
}

}  // namespace

Status CheckColumnNames(const std::vector<std::string>& names) {
  if (names.size() == 1 && names[0].find_first_of(";\t|") != std::string::npos) {
    return MakeError(ErrorCode::kPolicyTable, "its columns are not separated by commas", {},
                     "write the file again with commas between fields");
  }
  if (!std::all_of(names.begin(), names.end(), IsValidUtf8)) {
    return MakeError(ErrorCode::kPolicyTable, "the names in its first line are not in UTF-8", {},
                     "write the file again in UTF-8");
  }
  if (std::none_of(names.begin(), names.end(), LooksLikeValue)) return Done{};
  return MakeError(ErrorCode::kPolicyTable, "its first line looks like a row, not like names", {},
                   "write the names of the columns there, separated by commas");
}

Result<std::vector<std::string>> ReadJsonKeys(const std::string& path) {
  constexpr std::size_t kLongestLine = 2'000'000;
  std::ifstream file(path, std::ios::binary);
  std::string text(kLongestLine, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  text.resize(std::min(text.find('\n'), text.size()));
  const auto object = nlohmann::ordered_json::parse(text, nullptr, false);
  if (!object.is_object() || object.empty()) {
    return MakeError(ErrorCode::kPolicyTable, "its first line is no JSON object", {},
                     "write one object in each line, not a list of them");
  }
  std::vector<std::string> keys;
  for (const auto& item : object.items()) {
    const std::string& key = item.key();
    const auto same = [&](const std::string& other) { return SameName(other, key); };
    if (std::none_of(keys.begin(), keys.end(), same)) keys.push_back(key);
  }
  return keys;
}

}  // namespace dpsql

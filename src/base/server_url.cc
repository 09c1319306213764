#include "base/server_url.h"

#include <algorithm>

#include "base/names.h"

namespace dpsql {
namespace {

constexpr std::string_view kSlashes = "://";

}  // namespace

bool IsServerUrl(std::string_view url) { return url.find(kSlashes) != std::string_view::npos; }

std::string WithoutPassword(std::string_view url) {
  std::string shown(url);
  if (!IsServerUrl(url)) return shown;
  const std::size_t start = shown.find(kSlashes) + kSlashes.size();
  const std::size_t end = shown.find_first_of("@/", start);
  const std::size_t colon = shown.find(':', start);
  const bool has_account = end != std::string::npos && shown[end] == '@';
  if (has_account && colon < end) shown.erase(colon, end - colon);
  shown.erase(std::min(shown.find(';'), shown.size()));
  const std::size_t options = shown.find('?');
  const bool told =
      options != std::string::npos && ToLower(shown).find("password", options) != std::string::npos;
  return told ? shown.substr(0, options) : shown;
}

std::string DatabaseOf(std::string_view url) {
  if (!IsServerUrl(url)) return "";
  const std::string shown = WithoutPassword(url);
  const std::size_t start = shown.find(kSlashes) + kSlashes.size();
  const std::string place = shown.substr(start, shown.find('?') - start);
  const std::size_t slash = place.rfind('/');
  return slash == std::string::npos ? "" : place.substr(slash + 1);
}

}  // namespace dpsql

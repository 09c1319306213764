#include "base/server_url.h"

#include <algorithm>
#include <array>

#include "base/names.h"

namespace dpsql {
namespace {

constexpr std::string_view kSlashes = "://";

// A ? with a name and = behind it, or the end; for Spark a semicolon.
std::size_t StartOfOptions(std::string_view url, std::size_t from) {
  if (url.starts_with("spark:")) return std::min(url.find(';', from), url.size());
  for (std::size_t at = url.find('?', from); at != url.npos; at = url.find('?', at + 1)) {
    const std::size_t end = url.find_first_of("=&@/?:", at + 1);
    if (end != url.npos && url[end] == '=') return at;
  }
  return url.size();
}

// Where the @ behind an account stands, if there is one. As libpq reads it, it is the first one
// that has no / before it, so that no options begin before that.
std::size_t EndOfAccount(std::string_view url, std::size_t start) {
  const std::size_t first = url.find_first_of("@/", start);
  const bool is_account = first != url.npos && url[first] == '@';
  const std::size_t options = StartOfOptions(url, is_account ? first : start);
  const std::size_t last = url.substr(0, options).rfind('@');
  return last == url.npos || last < start ? url.npos : last;
}

// Options are name=value&name=value. Libpq reads %70assword as a password too.
bool TellsSecret(std::string_view options) {
  static constexpr auto kWords =
      std::to_array<std::string_view>({"password", "secret", "key", "token", "%"});
  for (std::size_t start = 0; start < options.size();) {
    const std::size_t end = std::min(options.find('&', start), options.size());
    const std::string_view option = options.substr(start, end - start);
    const std::string name = ToLower(option.substr(0, option.find('=')));
    const auto is_part = [&](std::string_view word) { return name.find(word) != name.npos; };
    if (std::any_of(kWords.begin(), kWords.end(), is_part)) return true;
    start = end + 1;
  }
  return false;
}

}  // namespace

bool IsServerUrl(std::string_view url) { return url.find(kSlashes) != std::string_view::npos; }

std::string WithoutPassword(std::string_view url) {
  std::string shown(url);
  if (!IsServerUrl(url)) return shown;
  const std::size_t start = shown.find(kSlashes) + kSlashes.size();
  const std::size_t end = EndOfAccount(shown, start);
  const std::size_t colon = shown.find(':', start);
  if (end != std::string::npos && colon < end) shown.erase(colon, end - colon);
  shown.erase(std::min(shown.find(';'), shown.size()));
  const std::size_t options = std::min(shown.find('?'), shown.size());
  if (TellsSecret(std::string_view(shown).substr(options))) shown.erase(options);
  return shown;
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

#pragma once

#include <toml++/toml.h>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dpsql/result.h"

namespace dpsql {

// Where a number in the policy may lie.
struct NumberRange {
  double low = 0;
  double high = 0;
  bool open_high = false;
};

// One table of the TOML file (the whole file has no name) that remembers which keys were asked for,
// so that a key nobody knows is an error with its line and the nearest known name. The first error
// sticks; later reads return their defaults.
class TomlSection {
 public:
  TomlSection(const toml::table& table, std::string name, std::string file);

  std::optional<std::string> Text(std::string_view key);
  std::optional<bool> Boolean(std::string_view key);
  std::optional<std::int64_t> Integer(std::string_view key, std::int64_t low, std::int64_t high);
  std::optional<double> Number(std::string_view key, NumberRange range);
  // A single text or an array of texts.
  std::vector<std::string> Texts(std::string_view key);
  const toml::node* Node(std::string_view key);
  const toml::table* Table(std::string_view key);

  // Requires that a key is there, and remembers its absence as the error.
  template <typename T>
  T Required(std::optional<T> value, std::string_view key) {
    if (!value) Missing(key);
    return value.value_or(T{});
  }

  // Refuses a key that the format knows and this version cannot honour.
  void Unavailable(std::string_view key, std::string_view what);
  void Fail(const toml::node* node, const std::string& message, std::string hint = "");

  // The first error of this section, an unread key included.
  Status Finish();

  int line() const;
  const std::string& name() const { return name_; }

 private:
  void Missing(std::string_view key);
  std::string Where(const toml::node* node) const;

  const toml::table& table_;
  std::string name_;
  std::string file_;
  std::vector<std::string> known_;
  std::optional<Error> error_;
  std::optional<Error> missing_;  // said last: a misspelt key is the better explanation
};

}  // namespace dpsql

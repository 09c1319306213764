#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/policy_problem.h"

namespace dpsql {

// Where a number in the policy may lie.
struct NumberRange {
  double low = 0;
  double high = 0;
  bool open_high = false;
};

// One table of the TOML file (the whole file has no name) that remembers which keys were asked for,
// so that a key nobody knows is a problem with its line and the nearest known name. A value that
// cannot be read is a problem too; the read returns its default and goes on.
class TomlSection {
 public:
  TomlSection(const toml::table& table, std::string name);

  std::optional<std::string> Text(std::string_view key);
  std::optional<bool> Boolean(std::string_view key);
  std::optional<std::int64_t> Integer(std::string_view key, std::int64_t low, std::int64_t high);
  std::optional<double> Number(std::string_view key, NumberRange range);
  // A single text or an array of texts.
  std::vector<std::string> Texts(std::string_view key);
  bool Has(std::string_view key) const { return table_.contains(key); }
  const toml::node* Node(std::string_view key);
  const toml::table* Table(std::string_view key);

  // Requires that a key is there, and remembers its absence as the problem.
  template <typename T>
  T Required(std::optional<T> value, std::string_view key) {
    if (!Has(key)) Missing(key);
    return value.value_or(T{});
  }

  // Refuses a key that the format knows and this version cannot honour.
  void Unavailable(std::string_view key, std::string_view what);
  void Fail(const toml::node* node, const std::string& message, std::string hint = "");

  // Adds what is wrong with this section, unread keys included.
  void Finish(PolicyProblems& problems);

  int line() const;
  const std::string& name() const { return name_; }

 private:
  void Missing(std::string_view key);
  int LineOf(const toml::node* node) const;

  const toml::table& table_;
  std::string name_;
  std::vector<std::string> known_;
  PolicyProblems problems_;
  PolicyProblems missing_;  // said only where no key is misspelt, which explains it better
};

}  // namespace dpsql

#include "catalog/toml_section.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "base/suggest.h"

namespace dpsql {
namespace {

std::string RangeText(const NumberRange& range) {
  std::ostringstream text;
  text << range.low << " <= value " << (range.open_high ? "< " : "<= ") << range.high;
  return text.str();
}

bool Inside(double value, const NumberRange& range) {
  const bool below = range.open_high ? value < range.high : value <= range.high;
  return value >= range.low && below;
}

}  // namespace

TomlSection::TomlSection(const toml::table& table, std::string name)
    : table_(table), name_(std::move(name)) {}

int TomlSection::line() const { return LineOf(nullptr); }

int TomlSection::LineOf(const toml::node* node) const {
  const auto line = node != nullptr ? node->source().begin.line : table_.source().begin.line;
  return static_cast<int>(line);
}

void TomlSection::Fail(const toml::node* node, const std::string& message, std::string hint) {
  problems_.push_back({.code = ErrorCode::kPolicyValue,
                       .line = LineOf(node),
                       .message = message,
                       .hint = std::move(hint)});
}

void TomlSection::Missing(std::string_view key) {
  missing_.push_back({.code = ErrorCode::kPolicyKey,
                      .line = LineOf(nullptr),
                      .message = "[" + name_ + "] needs " + std::string(key),
                      .hint = "add  " + std::string(key) + " = …  under [" + name_ + "]"});
}

const toml::node* TomlSection::Node(std::string_view key) {
  known_.emplace_back(key);
  return table_.get(key);
}

void TomlSection::Unavailable(std::string_view key, std::string_view what) {
  const toml::node* node = Node(key);
  if (node == nullptr) return;
  problems_.push_back(
      {.code = ErrorCode::kPolicyUnavailable,
       .line = LineOf(node),
       .message = std::string(what) + " is not available in this version: " + std::string(key),
       .hint = "remove  " + std::string(key) + "  from [" + name_ + "]"});
}

std::optional<std::string> TomlSection::Text(std::string_view key) {
  const toml::node* node = Node(key);
  if (node == nullptr) return std::nullopt;
  if (auto text = node->value_exact<std::string>()) return text;
  Fail(node, "[" + name_ + "] " + std::string(key) + " is a text in quotes",
       "write  " + std::string(key) + " = \"…\"");
  return std::nullopt;
}

std::optional<bool> TomlSection::Boolean(std::string_view key) {
  const toml::node* node = Node(key);
  if (node == nullptr) return std::nullopt;
  if (const auto flag = node->value_exact<bool>()) return flag;
  Fail(node, "[" + name_ + "] " + std::string(key) + " is true or false",
       "write  " + std::string(key) + " = true  or  " + std::string(key) + " = false");
  return std::nullopt;
}

std::optional<std::int64_t> TomlSection::Integer(std::string_view key, std::int64_t low,
                                                 std::int64_t high) {
  const toml::node* node = Node(key);
  if (node == nullptr) return std::nullopt;
  const auto number = node->value_exact<std::int64_t>();
  if (number && *number >= low && *number <= high) return number;
  Fail(node,
       "[" + name_ + "] " + std::string(key) + " is a whole number from " + std::to_string(low) +
           " to " + std::to_string(high),
       "write  " + std::string(key) + " = …  with such a number, or leave the line out");
  return std::nullopt;
}

std::optional<double> TomlSection::Number(std::string_view key, NumberRange range) {
  const toml::node* node = Node(key);
  if (node == nullptr) return std::nullopt;
  const auto number = node->is_number() ? node->value<double>() : std::nullopt;
  if (number && Inside(*number, range)) return number;
  Fail(node, "[" + name_ + "] " + std::string(key) + " is a number, " + RangeText(range),
       "write  " + std::string(key) + " = …  with such a number");
  return std::nullopt;
}

std::vector<std::string> TomlSection::Texts(std::string_view key) {
  const toml::node* node = Node(key);
  if (node == nullptr) return {};
  if (const auto text = node->value_exact<std::string>()) return {*text};
  std::vector<std::string> texts;
  if (const toml::array* array = node->as_array()) {
    for (const toml::node& item : *array) {
      if (const auto text = item.value_exact<std::string>()) texts.push_back(*text);
    }
    if (!texts.empty() && texts.size() == array->size()) return texts;
  }
  Fail(node, "[" + name_ + "] " + std::string(key) + " is a text or a list of texts",
       "write  " + std::string(key) + " = \"…\"  or  " + std::string(key) + " = [\"…\", \"…\"]");
  return {};
}

const toml::table* TomlSection::Table(std::string_view key) {
  const toml::node* node = Node(key);
  if (node == nullptr) return nullptr;
  if (const toml::table* table = node->as_table()) return table;
  const std::string place = name_.empty() ? "" : name_ + ".";
  Fail(node, "[" + name_ + "] " + std::string(key) + " is a section of its own",
       "write  [" + place + std::string(key) + "]  and its keys below");
  return nullptr;
}

void TomlSection::Finish(PolicyProblems& problems) {
  bool unknown = false;
  problems.insert(problems.end(), problems_.begin(), problems_.end());
  for (const auto& [key, node] : table_) {
    const std::string name(key.str());
    if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
    const std::string place = name_.empty() ? "the policy" : "[" + name_ + "]";
    const auto nearest = Suggest(name, known_);
    problems.push_back({.code = ErrorCode::kPolicyKey,
                        .line = LineOf(&node),
                        .message = place + " has no key " + name,
                        .hint = nearest ? "did you mean  " + *nearest + " ?"
                                        : "remove it; docs/reference/policy.md has all keys"});
    unknown = true;
  }
  if (!unknown) problems.insert(problems.end(), missing_.begin(), missing_.end());
}

}  // namespace dpsql

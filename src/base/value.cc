#include "dpsql/value.h"

#include <array>
#include <charconv>

namespace dpsql {
namespace {

struct TextPrinter {
  std::string operator()(std::monostate) const { return "NULL"; }
  std::string operator()(bool truth) const { return truth ? "true" : "false"; }
  std::string operator()(std::int64_t number) const { return std::to_string(number); }
  std::string operator()(double number) const {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
    return {text.data(), end};
  }
  std::string operator()(const std::string& text) const { return text; }
};

}  // namespace

std::string ToText(const Value& value) { return std::visit(TextPrinter{}, value); }

}  // namespace dpsql

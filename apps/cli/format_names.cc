#include "format_names.h"

#include <array>

namespace dpsql::cli {
namespace {

struct NamedFormat {
  std::string_view name;
  Format format;
};

constexpr std::array<NamedFormat, 5> kFormats = {{{"box", Format::kBox},
                                                  {"csv", Format::kCsv},
                                                  {"json", Format::kJson},
                                                  {"jsonl", Format::kJsonLines},
                                                  {"markdown", Format::kMarkdown}}};

}  // namespace

std::optional<Format> FindFormat(std::string_view name) {
  for (const NamedFormat& known : kFormats) {
    if (known.name == name) return known.format;
  }
  return std::nullopt;
}

std::string FormatName(Format format) {
  for (const NamedFormat& known : kFormats) {
    if (known.format == format) return std::string(known.name);
  }
  return "";
}

std::vector<std::string> FormatNames() {
  std::vector<std::string> names;
  for (const NamedFormat& known : kFormats) names.emplace_back(known.name);
  return names;
}

}  // namespace dpsql::cli

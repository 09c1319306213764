#include "neighbours/kept_manner.h"

#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace dpsql {
namespace {

// By Shown::Rule and by Way.
constexpr std::string_view kRules[] = {"threshold", "all", "some"};
constexpr std::string_view kWays[] = {"own", "outgrown", "statements"};
constexpr std::string_view kDuckDb = "duckdb";
constexpr std::string_view kPublished = "published";

template <typename Enum, std::size_t size>
Enum Find(const std::string_view (&words)[size], const std::string& word) {
  for (std::size_t i = 0; i < size; ++i) {
    if (words[i] == word) return static_cast<Enum>(i);
  }
  throw std::runtime_error("no manner has the word \"" + word + "\"");
}

}  // namespace

std::string WriteManner(const NeighbourHouse::Manner& manner) {
  std::string text(kRules[static_cast<std::size_t>(manner.shown.rule)]);
  text += " " + std::to_string(manner.shown.seed) + " ";
  text += kWays[static_cast<std::size_t>(manner.way)];
  text += " ";
  text += manner.engine == nullptr ? kDuckDb : manner.engine->engine();
  if (manner.publishes) text += " " + std::string(kPublished);
  return text;
}

KeptManner ReadManner(const std::string& text) {
  std::istringstream words(text);
  std::string rule;
  std::string way;
  std::string last;
  KeptManner kept;
  if (!(words >> rule >> kept.manner.shown.seed >> way >> kept.engine)) {
    throw std::runtime_error("no manner: " + text);
  }
  kept.manner.shown.rule = Find<Shown::Rule>(kRules, rule);
  kept.manner.way = Find<Way>(kWays, way);
  if (kept.engine == kDuckDb) kept.engine.clear();
  if (words >> last) kept.manner.publishes = last == kPublished;
  return kept;
}

}  // namespace dpsql

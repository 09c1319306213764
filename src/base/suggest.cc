#include "base/suggest.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace dpsql {
namespace {

// Names are short; longer ones are not worth a quadratic comparison.
constexpr std::size_t kLongestName = 128;

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool Same(char a, char b) { return Lower(a) == Lower(b); }

// Three rows of the usual table are enough: a swap of neighbours looks two rows back.
std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (Same(a[i - 1], b[j - 1]) ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && Same(a[i - 1], b[j - 2]) && Same(a[i - 2], b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::optional<std::string> Suggest(std::string_view name, std::span<const std::string> candidates) {
  if (name.empty() || name.size() > kLongestName) return std::nullopt;
  std::optional<std::string> best;
  std::size_t best_distance = std::max<std::size_t>(name.size(), 3) / 3 + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.empty() || candidate.size() > kLongestName) continue;
    const std::size_t distance = EditDistance(name, candidate);
    // One that shares no letter is no suggestion: x is not y.
    if (distance >= std::max(name.size(), candidate.size())) continue;
    // Of two that are as near the longer one: a letter is sooner left out than put in.
    const bool longer = best && distance == best_distance && candidate.size() > best->size();
    if (distance >= best_distance && !longer) continue;
    best_distance = distance;
    best = candidate;
  }
  return best;
}

}  // namespace dpsql

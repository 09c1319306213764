#include "sql/regex_arcs.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/check.h"

namespace dpsql {
namespace {

using Kind = Regex::Kind;

// The places where a class of the whole begins or has just ended.
void AddBorders(const Regex& regex, std::vector<char32_t>& borders) {
  for (const CharSet::Range& range : regex.set.ranges()) {
    borders.push_back(range.low);
    borders.push_back(range.high + 1);
  }
  for (const Regex& part : regex.parts) AddBorders(part, borders);
}

// A part of the automaton by its ends.
struct Ends {
  bool empty = true;  // it may take nothing
  double first = 0;   // sorts of characters that may stand first, for each class that has them
  double last = 0;    // classes that may stand last
  double arcs = 0;    // inside

  void Then(const Ends& next) {
    arcs += next.arcs + last * next.first;
    if (empty) first += next.first;
    last = next.last + (next.empty ? last : 0);
    empty = empty && next.empty;
  }
};

class ArcCount {
 public:
  explicit ArcCount(const Regex& whole) {
    AddBorders(whole, borders_);
    std::sort(borders_.begin(), borders_.end());
    borders_.erase(std::unique(borders_.begin(), borders_.end()), borders_.end());
  }

  Ends Of(const Regex& regex) const {
    switch (regex.kind) {
      case Kind::kBegin:
      case Kind::kEnd:
        return {};
      case Kind::kSet:
        return {.empty = false, .first = SortsOf(regex.set), .last = 1};
      case Kind::kSequence:
        return OfSequence(regex.parts);
      case Kind::kChoice:
        return OfChoice(regex.parts);
      case Kind::kRepeat:
        return OfRepeat(regex);
    }
    throw Bug("a part of a regular expression has a kind");
  }

 private:
  double SortsOf(const CharSet& set) const {
    double sorts = 0;
    for (const CharSet::Range& range : set.ranges()) {
      const auto begin = std::lower_bound(borders_.begin(), borders_.end(), range.low);
      const auto end = std::upper_bound(begin, borders_.end(), range.high);
      sorts += static_cast<double>(std::distance(begin, end));
    }
    return sorts;
  }

  Ends OfSequence(const std::vector<Regex>& parts) const {
    Ends all;
    for (const Regex& part : parts) all.Then(Of(part));
    return all;
  }

  Ends OfChoice(const std::vector<Regex>& parts) const {
    Ends all{.empty = false};
    for (const Regex& part : parts) {
      const Ends one = Of(part);
      all.empty = all.empty || one.empty;
      all.first += one.first;
      all.last += one.last;
      all.arcs += one.arcs;
    }
    return all;
  }

  Ends OfRepeat(const Regex& repeat) const {
    Ends once = Of(repeat.parts.front());
    if (repeat.most == Regex::kUnbounded) {
      once.arcs += once.last * once.first;
      once.empty = once.empty || repeat.least == 0;
      return once;
    }
    Ends all;
    Ends optional = once;
    optional.empty = true;
    for (int i = 0; i < repeat.most; ++i) all.Then(i < repeat.least ? once : optional);
    return all;
  }

  std::vector<char32_t> borders_;
};

}  // namespace

double CountArcs(const Regex& regex) { return ArcCount(regex).Of(regex).arcs; }

}  // namespace dpsql

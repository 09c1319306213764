#include "sql/regex_java.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "base/check.h"
#include "sql/regex_spelling.h"

namespace dpsql {
namespace {

using Kind = Regex::Kind;
using Parts = std::vector<Regex>;

constexpr CharSpelling kSpelling{.before = "\\x{", .digits = 1, .behind = "}"};

constexpr double kMostSteps = 1'000;  // from one place of the text

constexpr const char* kManyPaths =
    "Java may try it in too many ways at each place of a text; write fewer ?, | and {m,n}";
constexpr const char* kGroupLoop =
    "Java repeats a group by * or + in time beyond the length of the text; write {m,n} behind it";
constexpr const char* kOpenLoop =
    "Java may read the same text again for its * or +; begin with ^, put characters that the * or "
    "+ "
    "does not take around it, or write {m,n}";
constexpr const char* kAnchoredLoop =
    "Java may read the same text again for its * or +; write ^ first, $ last, or {m,n}";
constexpr const char* kLoosePiece =
    "Java may read the same text again for its .*; what stands before a .* must begin with ^ or "
    "have one length";

bool IsLoop(const Regex& regex) {
  return regex.kind == Kind::kRepeat && regex.most == Regex::kUnbounded;
}

bool Any(const Regex& regex, bool (*is)(const Regex&)) {
  return is(regex) || std::any_of(regex.parts.begin(), regex.parts.end(),
                                  [&](const Regex& part) { return Any(part, is); });
}

bool HasLoop(const Regex& regex) { return Any(regex, IsLoop); }
bool HasAnchor(const Regex& regex) {
  return Any(regex, [](const Regex& part) {
    return part.kind == Kind::kBegin || part.kind == Kind::kEnd;
  });
}

bool CanBeEmpty(const Regex& regex) {
  const auto empty = [](const Regex& part) { return CanBeEmpty(part); };
  switch (regex.kind) {
    case Kind::kSet:
      return false;
    case Kind::kBegin:
    case Kind::kEnd:
      return true;
    case Kind::kChoice:
      return std::any_of(regex.parts.begin(), regex.parts.end(), empty);
    case Kind::kSequence:
      return std::all_of(regex.parts.begin(), regex.parts.end(), empty);
    case Kind::kRepeat:
      return regex.least == 0 || CanBeEmpty(regex.parts.front());
  }
  throw Bug("a part of a regular expression has a kind");
}

// What one character beside a place may be, by the pattern, and whether there may be none of it.
struct Beside {
  CharSet chars;
  bool none = true;
};

// The characters that may stand first in what [begin, end) takes, or last with reverse iterators,
// and those of `outer` where it may take none.
template <typename Iterator>
Beside Edge(Iterator begin, Iterator end, const Beside& outer);

Beside EdgeOf(const Regex& regex, bool last) {
  Beside edge{.chars = regex.set, .none = CanBeEmpty(regex)};
  if (regex.kind == Kind::kSequence) {
    return last ? Edge(regex.parts.rbegin(), regex.parts.rend(), {})
                : Edge(regex.parts.begin(), regex.parts.end(), {});
  }
  for (const Regex& part : regex.parts) edge.chars.Add(EdgeOf(part, last).chars);
  return edge;
}

template <typename Iterator>
Beside Edge(Iterator begin, Iterator end, const Beside& outer) {
  constexpr bool kLast = !std::is_same_v<Iterator, Parts::const_iterator>;
  Beside edge{.chars = {}, .none = true};
  for (; begin != end && edge.none; ++begin) {
    const Beside part = EdgeOf(*begin, kLast);
    edge.chars.Add(part.chars);
    edge.none = part.none;
  }
  if (!edge.none) return edge;
  edge.chars.Add(outer.chars);
  edge.none = outer.none;
  return edge;
}

// The number of characters that it takes, where that is always the same.
std::optional<int> LengthOf(const Regex& regex) {
  if (regex.kind == Kind::kSet) return 1;
  if (regex.kind == Kind::kBegin || regex.kind == Kind::kEnd) return 0;
  std::optional<int> length;
  for (const Regex& part : regex.parts) {
    const std::optional<int> of_part = LengthOf(part);
    const bool differs = regex.kind == Kind::kChoice && length && length != of_part;
    if (!of_part || differs) return std::nullopt;
    length = regex.kind == Kind::kSequence ? length.value_or(0) + *of_part : *of_part;
  }
  if (regex.kind != Kind::kRepeat) return length;
  return regex.least == regex.most ? std::optional(*length * regex.least) : std::nullopt;
}

// The paths through a part, and the steps on all of them; a loop's rounds are counted by the
// argument in the header.
struct Cost {
  double paths = 1;
  double steps = 0;

  void Then(const Cost& next) {
    steps += paths * next.steps;
    paths *= next.paths;
  }
};

Cost CountSteps(const Regex& regex) {
  Cost cost;
  if (IsLoop(regex)) return {.paths = 1, .steps = 2};
  switch (regex.kind) {
    case Kind::kSequence:
      for (const Regex& part : regex.parts) cost.Then(CountSteps(part));
      return cost;
    case Kind::kChoice:
      cost = {.paths = 0, .steps = 1};
      for (const Regex& part : regex.parts) {
        const Cost of_part = CountSteps(part);
        cost.paths += of_part.paths;
        cost.steps += of_part.steps;
      }
      return cost;
    case Kind::kRepeat: {
      const Cost once = CountSteps(regex.parts.front());
      cost = {.paths = 0, .steps = 1};
      for (int i = 0; i <= regex.most; ++i) {
        const double reaching = std::pow(once.paths, i);
        cost.steps += reaching * (i < regex.most ? once.steps + 1 : 1);
        if (i >= regex.least) cost.paths += reaching;
      }
      return cost;
    }
    default:
      return {.paths = 1, .steps = 1};
  }
}

Cost CountSteps(const Parts& parts) {
  Cost cost;
  for (const Regex& part : parts) cost.Then(CountSteps(part));
  return cost;
}

// Writes the parts of one piece.
class PieceWriter {
 public:
  struct Place {
    bool one_beginning = false;  // the branch begins with \A, and no .*? stands before
    bool may_give_back = false;  // and none stands behind
    bool anchors_inside = false;
  };

  explicit PieceWriter(Place place) : place_(place) {}

  const std::string& fault() const { return fault_; }

  std::string Write(const Parts& parts, const Beside& before, const Beside& behind) {
    return Sequence(parts, before, behind, place_.may_give_back);
  }

 private:
  std::string Fail(const char* fault) {
    if (fault_.empty()) fault_ = fault;
    return "";
  }

  std::string Sequence(const Parts& parts, const Beside& before, const Beside& behind,
                       bool may_give_back) {
    std::string text;
    for (auto part = parts.begin(); part != parts.end(); ++part) {
      const Beside left = Edge(std::make_reverse_iterator(part), parts.rend(), before);
      const Beside right = Edge(part + 1, parts.end(), behind);
      const bool last_loop = may_give_back && std::none_of(part + 1, parts.end(), HasLoop);
      text += Part(*part, left, right, last_loop);
    }
    return text;
  }

  std::string Part(const Regex& part, const Beside& before, const Beside& behind, bool last_loop) {
    switch (part.kind) {
      case Kind::kSet:
        return SpellSet(part.set, kSpelling);
      case Kind::kBegin:
        return "\\A";
      case Kind::kEnd:
        return "\\z";
      case Kind::kSequence:
        return Sequence(part.parts, before, behind, false);
      case Kind::kChoice:
        return "(?:" + Choice(part, before, behind) + ")";
      case Kind::kRepeat:
        break;
    }
    if (IsLoop(part)) return Loop(part, before, behind, last_loop);
    const Regex& once = part.parts.front();
    if (once.kind == Kind::kSet) return SpellSet(once.set, kSpelling) + SpellTimes(part);
    return WrittenOut(part, before, behind);
  }

  std::string Choice(const Regex& choice, const Beside& before, const Beside& behind) {
    std::string text;
    for (const Regex& branch : choice.parts) {
      if (!text.empty()) text += "|";
      text += Part(branch, before, behind, false);
    }
    return text;
  }

  std::string Loop(const Regex& loop, const Beside& before, const Beside& behind, bool last_loop) {
    const Regex& once = loop.parts.front();
    if (once.kind != Kind::kSet) return Fail(kGroupLoop);
    if (place_.anchors_inside) return Fail(kAnchoredLoop);
    const bool alone = !before.none && !before.chars.Meets(once.set);
    if (!alone && !place_.one_beginning) return Fail(kOpenLoop);
    const std::string text = SpellSet(once.set, kSpelling) + (loop.least == 0 ? "*" : "+");
    if (!behind.chars.Meets(once.set)) return text + "+";
    return last_loop ? text + "?" : Fail(kOpenLoop);
  }

  // xx(?:x(?:x)?)?, for x{2,4}.
  std::string WrittenOut(const Regex& repeat, Beside before, Beside behind) {
    const Regex& once = repeat.parts.front();
    before.chars.Add(EdgeOf(once, true).chars);
    behind.chars.Add(EdgeOf(once, false).chars);
    const std::string body = Part(once, before, behind, false);
    std::string text;
    for (int i = 0; i < repeat.most; ++i) text += (i < repeat.least ? "" : "(?:") + body;
    for (int i = repeat.least; i < repeat.most; ++i) text += ")?";
    return text;
  }

  Place place_;
  std::string fault_;
};

// One alternative of the whole: pieces with .* between them.
class Branch {
 public:
  explicit Branch(Parts parts) {
    while (!parts.empty() && parts.front().kind == Kind::kBegin) {
      parts.erase(parts.begin());
      from_begin_ = true;
    }
    while (!parts.empty() && parts.back().kind == Kind::kEnd) {
      parts.pop_back();
      to_end_ = true;
    }
    Split(std::move(parts));
    Shorten();
    DropEmpty();
  }

  JavaRegex Write() const {
    if (pieces_.empty()) return {};
    const auto shut = [](const Parts& piece) {
      return std::all_of(piece.begin(), piece.end(),
                         [](const Regex& part) { return LengthOf(part).has_value(); });
    };
    const bool begins = from_begin_ || pieces_.size() > 1;
    std::string text = begins ? "\\A" : "";
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      const bool first = i == 0 && (from_begin_ || pieces_.size() == 1);
      const bool last = i + 1 == pieces_.size();
      if (!first && !last && !shut(pieces_[i])) return {.text = "", .fault = kLoosePiece};
      JavaRegex piece = WritePiece(i);
      if (!piece.fault.empty()) return piece;
      const std::string searched = first ? piece.text : ".*?" + piece.text;
      text += first || last ? searched : "(?>" + searched + ")";
    }
    return {.text = text + (to_end_ ? "\\z" : ""), .fault = ""};
  }

  // From one place of the text.
  double steps() const {
    Cost cost;
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      cost.Then(CountSteps(pieces_[i]));
      if (i > 0 || !from_begin_) cost.paths = i > 0 ? first_paths() : 1;
    }
    return cost.steps;
  }

 private:
  double first_paths() const { return from_begin_ ? CountSteps(pieces_[0]).paths : 1; }

  static bool IsGap(const Regex& part) { return IsLoop(part) && part.parts.front().set.is_all(); }

  // .+ is a character and .* behind it.
  void Split(Parts parts) {
    pieces_.emplace_back();
    for (Regex& part : parts) {
      if (!IsGap(part)) {
        pieces_.back().push_back(std::move(part));
        continue;
      }
      if (part.least == 1) pieces_.back().push_back(part.parts.front());
      pieces_.emplace_back();
    }
  }

  // A repeated part where anything may stand beside it; false where it must stay as it is.
  static bool ShortenAt(Parts& piece, Parts::iterator at) {
    if (at->kind != Kind::kRepeat || at->least == at->most) return false;
    if (at->least == 0) {
      piece.erase(at);
    } else if (at->least == 1) {
      Regex once = std::move(at->parts.front());
      Parts parts = once.kind == Kind::kSequence ? std::move(once.parts) : Parts{std::move(once)};
      piece.insert(piece.erase(at), parts.begin(), parts.end());
    } else {
      at->most = at->least;
    }
    return true;
  }

  void Shorten() {
    for (std::size_t i = 0; i < pieces_.size(); ++i) {
      Parts& piece = pieces_[i];
      const bool open_left = i > 0 || !from_begin_;
      const bool open_right = i + 1 < pieces_.size() || !to_end_;
      while (open_left && !piece.empty() && ShortenAt(piece, piece.begin())) continue;
      while (open_right && !piece.empty() && ShortenAt(piece, piece.end() - 1)) continue;
    }
  }

  void DropEmpty() {
    if (pieces_.size() == 1) return;
    if (pieces_.front().empty()) from_begin_ = false;
    if (pieces_.back().empty()) to_end_ = false;
    std::erase_if(pieces_, [](const Parts& piece) { return piece.empty(); });
  }

  JavaRegex WritePiece(std::size_t i) const {
    const bool one_beginning = i == 0 && from_begin_;
    const bool last = i + 1 == pieces_.size();
    const Parts& piece = pieces_[i];
    PieceWriter writer({.one_beginning = one_beginning,
                        .may_give_back = one_beginning && last,
                        .anchors_inside = std::any_of(piece.begin(), piece.end(), HasAnchor)});
    const Beside behind{.chars = last ? CharSet() : CharSet::All(), .none = true};
    std::string text = writer.Write(piece, {}, behind);
    return {.text = std::move(text), .fault = writer.fault()};
  }

  bool from_begin_ = false;
  bool to_end_ = false;
  std::vector<Parts> pieces_;  // with a .* between each two
};

}  // namespace

JavaRegex WriteJavaRegex(const Regex& regex) {
  const Parts branches = regex.kind == Kind::kChoice ? regex.parts : Parts{regex};
  JavaRegex written{.text = "(?s)", .fault = ""};
  double steps = 0;
  for (const Regex& part : branches) {
    const Branch branch(part.kind == Kind::kSequence ? part.parts : Parts{part});
    const JavaRegex text = branch.Write();
    if (!text.fault.empty()) return {.text = "", .fault = text.fault};
    written.text += (&part == &branches.front() ? "" : "|") + text.text;
    steps += branch.steps();
  }
  if (steps > kMostSteps) return {.text = "", .fault = kManyPaths};
  return written;
}

}  // namespace dpsql

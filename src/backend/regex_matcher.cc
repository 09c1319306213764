#include "backend/regex_matcher.h"

#include <utility>

#include "base/check.h"
#include "base/utf8.h"

namespace dpsql {

// The program is written from its end, so that each step knows what follows it.
RegexMatcher::RegexMatcher(const Regex& regex) : regex_(regex) {
  const std::size_t found = Add({.kind = Step::Kind::kFound});
  start_ = Compile(regex_, found);
  reached_.assign(program_.size(), 0);
}

std::size_t RegexMatcher::Add(Step step) {
  program_.push_back(step);
  return program_.size() - 1;
}

// The first step of a part with `next` behind it.
std::size_t RegexMatcher::Compile(const Regex& regex, std::size_t next) {
  switch (regex.kind) {
    case Regex::Kind::kSet:
      return Add({.kind = Step::Kind::kSet, .set = &regex.set, .next = next});
    case Regex::Kind::kBegin:
      return Add({.kind = Step::Kind::kBegin, .next = next});
    case Regex::Kind::kEnd:
      return Add({.kind = Step::Kind::kEnd, .next = next});
    case Regex::Kind::kSequence:
      for (auto part = regex.parts.rbegin(); part != regex.parts.rend(); ++part) {
        next = Compile(*part, next);
      }
      return next;
    case Regex::Kind::kChoice: {
      std::size_t first = Compile(regex.parts.back(), next);
      for (auto part = regex.parts.rbegin() + 1; part != regex.parts.rend(); ++part) {
        const std::size_t branch = Compile(*part, next);
        first = Add({.kind = Step::Kind::kEither, .next = branch, .other = first});
      }
      return first;
    }
    case Regex::Kind::kRepeat:
      return CompileRepeat(regex, next);
  }
  throw Bug("a part of a regular expression has a kind");
}

std::size_t RegexMatcher::CompileRepeat(const Regex& repeat, std::size_t next) {
  const Regex& once = repeat.parts.front();
  if (repeat.most == Regex::kUnbounded) {
    const std::size_t again = Add({.kind = Step::Kind::kEither, .other = next});
    const std::size_t first = Compile(once, again);
    program_[again].next = first;
    return repeat.least == 0 ? again : first;
  }
  const std::size_t behind = next;
  for (int i = repeat.most; i > 0; --i) {
    next = Compile(once, next);
    if (i > repeat.least) next = Add({.kind = Step::Kind::kEither, .next = next, .other = behind});
  }
  return next;
}

// Goes on from a step to all that wait for a character at this place; whether the end is reached.
bool RegexMatcher::Follow(std::size_t step, Place place) {
  todo_.push_back(step);
  while (!todo_.empty()) {
    const std::size_t at = todo_.back();
    todo_.pop_back();
    if (reached_[at] == round_) continue;
    reached_[at] = round_;
    const Step& here = program_[at];
    if (here.kind == Step::Kind::kFound) return true;
    if (here.kind == Step::Kind::kSet) waiting_.push_back(at);
    const bool holds = here.kind == Step::Kind::kEither ||
                       (here.kind == Step::Kind::kBegin && place.begin) ||
                       (here.kind == Step::Kind::kEnd && place.end);
    if (holds) todo_.push_back(here.next);
    if (here.kind == Step::Kind::kEither) todo_.push_back(here.other);
  }
  return false;
}

bool RegexMatcher::IsFoundIn(std::string_view text) {
  waiting_.clear();
  todo_.clear();
  ++round_;
  if (Follow(start_, {.begin = true, .end = text.empty()})) return true;
  while (!text.empty()) {
    const CodePoint character = DecodeUtf8(text);
    text.remove_prefix(character.size);
    const Place place{.begin = false, .end = text.empty()};
    std::swap(before_, waiting_);
    waiting_.clear();
    ++round_;
    for (const std::size_t at : before_) {
      if (program_[at].set->Has(character.value) && Follow(program_[at].next, place)) return true;
    }
    if (Follow(start_, place)) return true;
  }
  return false;
}

}  // namespace dpsql

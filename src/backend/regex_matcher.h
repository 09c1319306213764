#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "sql/regex.h"

namespace dpsql {

// Searches texts for a regular expression, for databases that cannot. It follows all paths at once:
// a text of n characters takes at most n times the size of the program in steps, whatever it is,
// and no call inside a call; no text makes it fail. Bytes that are not UTF-8 are read as U+FFFD.
class RegexMatcher {
 public:
  explicit RegexMatcher(const Regex& regex);
  RegexMatcher(const RegexMatcher&) = delete;  // steps point into its own tree
  RegexMatcher& operator=(const RegexMatcher&) = delete;

  bool IsFoundIn(std::string_view text);

 private:
  // One step of the program. What has two ways has both in `next` and `other`.
  struct Step {
    enum class Kind { kSet, kBegin, kEnd, kEither, kFound } kind;
    const CharSet* set = nullptr;
    std::size_t next = 0;
    std::size_t other = 0;
  };

  struct Place {
    bool begin;
    bool end;
  };

  std::size_t Add(Step step);
  std::size_t Compile(const Regex& regex, std::size_t next);
  std::size_t CompileRepeat(const Regex& repeat, std::size_t next);
  bool Follow(std::size_t step, Place place);

  Regex regex_;
  std::vector<Step> program_;
  std::size_t start_ = 0;

  // While it searches: the steps that wait for a character, and for each step the round in which
  // it was reached.
  std::vector<std::size_t> waiting_;
  std::vector<std::size_t> before_;  // those of the character before
  std::vector<std::size_t> reached_;
  std::vector<std::size_t> todo_;
  std::size_t round_ = 0;
};

}  // namespace dpsql

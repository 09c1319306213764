#include "sql/regex_postgresql.h"

#include "base/check.h"
#include "sql/regex_spelling.h"

namespace dpsql {
namespace {

using Kind = Regex::Kind;

constexpr CharSpelling kSpelling{.before = "\\U", .digits = 8, .behind = ""};

std::string Repeat(const Regex& repeat) {
  const Regex& once = repeat.parts.front();
  const std::string text = WritePostgreSqlRegex(once);
  const bool alone = once.kind == Kind::kSet || once.kind == Kind::kChoice;
  const std::string body = alone ? text : "(?:" + text + ")";
  if (repeat.most != Regex::kUnbounded) return body + SpellTimes(repeat);
  return body + (repeat.least == 0 ? "*" : "+");
}

}  // namespace

std::string WritePostgreSqlRegex(const Regex& regex) {
  std::string text;
  switch (regex.kind) {
    case Kind::kSet:
      return SpellSet(regex.set, kSpelling);
    case Kind::kBegin:
      return "\\A";
    case Kind::kEnd:
      return "\\Z";
    case Kind::kSequence:
      for (const Regex& part : regex.parts) text += WritePostgreSqlRegex(part);
      return text;
    case Kind::kChoice:
      for (const Regex& part : regex.parts) {
        text += (text.empty() ? "" : "|") + WritePostgreSqlRegex(part);
      }
      return "(?:" + text + ")";
    case Kind::kRepeat:
      return Repeat(regex);
  }
  throw Bug("a part of a regular expression has a kind");
}

}  // namespace dpsql

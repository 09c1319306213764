#include "catalog/column_words.h"

#include <algorithm>
#include <array>

#include "base/names.h"

namespace dpsql {
namespace {

constexpr auto kPersonalWords = std::to_array<std::string_view>(
    {"name", "firstname", "lastname", "fullname", "surname", "email", "mail", "phone", "mobile",
     "telephone", "fax", "address", "street", "ssn", "passport", "iban", "login", "password"});
constexpr auto kIdentifierWords = std::to_array<std::string_view>({"id", "uuid", "guid"});

// What a column that names a person adds to the word for him.
constexpr auto kKeyWords = std::to_array<std::string_view>(
    {"id", "uuid", "guid", "key", "no", "nr", "number", "code", "sk", "pk", "fk"});

// An account or a household comes last: where there are people too, they are meant.
constexpr auto kPeople = std::to_array<std::string_view>(
    {"customer",    "user",      "person", "patient",    "member",     "employee",  "client",
     "citizen",     "student",   "pupil",  "subscriber", "individual", "resident",  "participant",
     "respondent",  "passenger", "guest",  "visitor",    "voter",      "taxpayer",  "worker",
     "teacher",     "driver",    "player", "donor",      "borrower",   "applicant", "tenant",
     "beneficiary", "subject",   "cust",   "emp",        "household",  "account"});

template <std::size_t N>
bool IsOneOf(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

template <std::size_t N>
bool HasWord(std::string_view name, const std::array<std::string_view, N>& words) {
  const std::vector<std::string> parts = WordsOf(name);
  return std::any_of(parts.begin(), parts.end(),
                     [&](const std::string& part) { return IsOneOf(part, words); });
}

bool IsLower(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
// Letters beyond ASCII are parts of words.
bool IsLetter(char c) { return IsLower(c) || IsUpper(c) || static_cast<unsigned char>(c) >= 0x80; }

}  // namespace

std::vector<std::string> WordsOf(std::string_view name) {
  std::vector<std::string> words;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(ToLower(word));
    word.clear();
  };
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool hump = i > 0 && IsUpper(name[i]) && IsLower(name[i - 1]);
    if (hump || !IsLetter(name[i])) end_word();
    if (IsLetter(name[i])) word += name[i];
  }
  end_word();
  return words;
}

bool LooksPersonal(std::string_view name) { return HasWord(name, kPersonalWords); }

bool LooksLikeIdentifier(std::string_view name) { return HasWord(name, kIdentifierWords); }

std::span<const std::string_view> KindsOfPeople() { return kPeople; }

std::string Singular(std::string_view name) {
  std::string word = ToLower(name);
  if (word == "people") return "person";
  if (word.ends_with("ies")) return word.substr(0, word.size() - 3) + "y";
  if (word.ends_with("s") && !word.ends_with("ss")) return word.substr(0, word.size() - 1);
  return word;
}

std::string PeopleOf(std::string_view table) {
  const std::vector<std::string> words = WordsOf(table);
  if (words.empty()) return "";
  std::string last = Singular(words.back());
  return IsOneOf(last, kPeople) ? last : "";
}

std::string PersonNamedBy(std::string_view column) {
  std::vector<std::string> words = WordsOf(column);
  // custkey and userid are one word each.
  for (const std::string_view key : kKeyWords) {
    if (words.empty() || !words.back().ends_with(key)) continue;
    const std::string rest = words.back().substr(0, words.back().size() - key.size());
    if (!IsOneOf(rest, kPeople)) continue;
    words.back() = rest;
    words.emplace_back(key);
    break;
  }
  if (words.size() < 2) return !words.empty() && IsOneOf(words[0], kPeople) ? words[0] : "";
  if (IsOneOf(words.back(), kKeyWords) && IsOneOf(words[words.size() - 2], kPeople)) {
    return words[words.size() - 2];
  }
  return words.size() == 2 && words[0] == "id" && IsOneOf(words[1], kPeople) ? words[1] : "";
}

}  // namespace dpsql

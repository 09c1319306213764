// Every scalar function is asked in tests/sql, through a session and of every engine.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <string>

#include "golden/golden_file.h"
#include "validate/functions.h"

namespace dpsql {
namespace {

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool IsOfAWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// All questions of tests/sql, without what is only their reference.
std::string Questions() {
  const std::string folder = std::string(DPSQL_SOURCE_DIR) + "/tests/sql";
  std::string text;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    for (const GoldenCase& golden : ReadGoldenFile(entry.path()).cases) text += golden.sql;
  }
  return Lower(text);
}

// What stands in a question that calls it: "log(", "extract(year from", "is distinct from", "#".
std::string Spelling(const ScalarFunction& function) {
  const std::string form = Lower(WriteForm(function));
  const std::string name(function.name);
  if (name.starts_with("cast ")) return "as " + name.substr(5);
  if (name.starts_with("extract ")) return form.substr(0, form.find(" from ") + 6);
  if (name.starts_with("date_trunc ")) return form.substr(0, form.find(','));
  return form.starts_with(name + "(") ? name + "(" : name;
}

bool Mentions(const std::string& text, const std::string& words) {
  for (std::size_t at = 0; (at = text.find(words, at)) != std::string::npos; ++at) {
    const std::size_t end = at + words.size();
    const bool begins = at == 0 || !IsOfAWord(words.front()) || !IsOfAWord(text[at - 1]);
    const bool ends = end == text.size() || !IsOfAWord(words.back()) || !IsOfAWord(text[end]);
    if (begins && ends) return true;
  }
  return false;
}

bool IsAsked(const std::string& questions, const ScalarFunction& function) {
  const std::string spelling = Spelling(function);
  if (Mentions(questions, spelling)) return true;
  return spelling.starts_with("as ") && Mentions(questions, "::" + spelling.substr(3));
}

TEST(Functions, AreAllAskedInTestsSql) {
  const std::string questions = Questions();
  EXPECT_TRUE(Mentions(questions, "length("));
  EXPECT_FALSE(Mentions(questions, "ngth("));
  for (const ScalarFunction& function : AllScalarFunctions()) {
    EXPECT_TRUE(IsAsked(questions, function)) << "no file of tests/sql has " << Spelling(function);
  }
}

}  // namespace
}  // namespace dpsql

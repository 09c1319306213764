#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <vector>

namespace dpsql {

// Patterns and texts of few characters, so that many match, some with more than one case or byte.
class RegexMaker {
 public:
  std::string Text() {
    std::string text;
    for (std::size_t i = Below(9); i > 0; --i) text += Character();
    return text;
  }

  std::string Choice(int depth) {
    std::string text = Sequence(depth);
    while (Below(3) == 0) text += "|" + Sequence(depth);
    return text;
  }

 private:
  std::size_t Below(std::size_t end) { return random_() % end; }

  std::string Character() {
    static const std::vector<std::string> kCharacters = {
        "a",      "b", "c",      "A", "k",      "s",      "K", "S",      "1",
        "\n",     " ", "é",      "É", "\u212A", "\u017F", "å", "\u212B", "ß",
        "\u1E9E", "µ", "\u03BC", "ÿ", "\u0178", "×",      "÷", "東",     "\U0001F600"};
    return kCharacters[Below(Below(2) == 0 ? 3 : kCharacters.size())];
  }

  std::string Sequence(int depth) {
    std::string text;
    for (std::size_t i = 1 + Below(4); i > 0; --i) text += Part(depth);
    return text;
  }

  std::string Part(int depth) {
    static const std::vector<std::string> kClasses = {"[ab]",  "[^a]",  "[a-c1]", "[k-t]",  "[^k]",
                                                      "[^S1]", "[0-9]", "[a-z]",  "[^\n-]", "."};
    const std::size_t kind = Below(12);
    if (kind == 0) return "^";
    if (kind == 1) return "$";
    if (kind < 4 && depth > 0) return "(" + Choice(depth - 1) + ")" + Quantifier();
    return (kind < 8 ? kClasses[Below(kClasses.size())] : Character()) + Quantifier();
  }

  std::string Quantifier() {
    static const std::vector<std::string> kQuantifiers = {"*", "+", "?", "{2}", "{0,2}", "{1,3}"};
    return Below(2) == 0 ? "" : kQuantifiers[Below(kQuantifiers.size())];
  }

  std::mt19937 random_{20'261'118};
};

}  // namespace dpsql

#include "properties/property.h"

#include <cstdio>

namespace dpsql {

void Expect(bool holds, const char* claim, std::initializer_list<double> inputs) {
  if (holds) return;
  std::string text = claim;
  for (const double input : inputs) {
    char number[80];
    std::snprintf(number, sizeof number, "  %.17g (%a)", input, input);
    text += number;
  }
  throw PropertyBroken(text);
}

std::int64_t Draws::Whole(std::int64_t low, std::int64_t high) {
  return std::uniform_int_distribution(low, high)(random_);
}

double Draws::Uniform(double low, double high) {
  return std::uniform_real_distribution(low, high)(random_);
}

double Draws::LogUniform(double low, double high) {
  return std::exp2(Uniform(std::log2(low), std::log2(high)));
}

double Draws::OneOf(std::initializer_list<double> values) {
  return values.begin()[random_() % values.size()];
}

UInt128 Draws::Bits() {
  const UInt128 word = (UInt128{random_()} << 64) | random_();
  const auto width = random_() % 129;
  return width == 0 ? 0 : word >> (128 - width);
}

}  // namespace dpsql

#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <span>
#include <stdexcept>
#include <string>

#include "base/int128.h"

// Properties of src/privacy over random inputs. Each checks one function both ways: it never errs
// on the wrong side, and it is not far on the right one.
namespace dpsql {

class PropertyBroken : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Throws PropertyBroken, with the inputs in full, when `holds` is false.
void Expect(bool holds, const char* claim, std::initializer_list<double> inputs);

// Random inputs that are the same in every run.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : random_(seed) {}

  std::uint64_t Word() { return random_(); }
  std::int64_t Whole(std::int64_t low, std::int64_t high);
  double Uniform(double low, double high);
  double LogUniform(double low, double high);  // even over orders of magnitude
  bool OneIn(std::uint64_t n) { return random_() % n == 0; }
  double OneOf(std::initializer_list<double> values);
  UInt128 Bits();  // of a random width from 0 to 128 bits

 private:
  std::mt19937_64 random_;
};

// One input. False where it is outside what the function promises, and was not checked.
using InputCheck = bool (*)(Draws&);

struct Property {
  const char* name;
  InputCheck check;
};

std::span<const Property> NormalProperties();
std::span<const Property> GaussianProperties();
std::span<const Property> ThresholdProperties();
std::span<const Property> FixedPointProperties();
std::span<const Property> ZcdpProperties();
std::span<const Property> BoundingProperties();
std::span<const Property> ConversionProperties();
std::span<const Property> LaplaceProperties();
std::span<const Property> SelectionProperties();

}  // namespace dpsql

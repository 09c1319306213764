#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "properties/property.h"

// dpsql_properties                       names every property
// dpsql_properties listed <name>...      fails unless these are all of them
// dpsql_properties <name> <inputs>       checks one of them on so many random inputs
namespace dpsql {
namespace {

std::array<std::span<const Property>, 9> AllProperties() {
  return {NormalProperties(),     GaussianProperties(), ThresholdProperties(),
          FixedPointProperties(), ZcdpProperties(),     BoundingProperties(),
          ConversionProperties(), LaplaceProperties(),  SelectionProperties()};
}

// An input outside a function's promises does not count; a property that finds hardly any inside
// would say nothing, and fails.
int Run(const Property& property, std::int64_t inputs) {
  Draws draws(20250101);
  std::int64_t checked = 0;
  std::int64_t tried = 0;
  try {
    for (; checked < inputs && tried < 10 * inputs; ++tried) checked += property.check(draws);
  } catch (const std::exception& broken) {
    std::printf("%s, input %lld: %s\n", property.name, static_cast<long long>(tried),
                broken.what());
    return EXIT_FAILURE;
  }
  std::printf("%s: %lld inputs\n", property.name, static_cast<long long>(checked));
  return inputs > 0 && checked == inputs ? EXIT_SUCCESS : EXIT_FAILURE;
}

int List() {
  for (const auto& family : AllProperties()) {
    for (const Property& property : family) std::puts(property.name);
  }
  return EXIT_SUCCESS;
}

// The tests name the properties one by one; this one finds a property that they forgot.
int Listed(std::span<const char* const> names) {
  std::vector<std::string_view> expected;
  for (const auto& family : AllProperties()) {
    for (const Property& property : family) expected.emplace_back(property.name);
  }
  const bool same = std::equal(names.begin(), names.end(), expected.begin(), expected.end());
  if (!same) std::puts("the list of properties in tests/CMakeLists.txt is not this program's");
  return same ? EXIT_SUCCESS : EXIT_FAILURE;
}

int Main(std::span<const char* const> arguments) {
  if (arguments.size() == 1) return List();
  if (arguments[1] == std::string_view("listed")) return Listed(arguments.subspan(2));
  if (arguments.size() != 3) return EXIT_FAILURE;
  for (const auto& family : AllProperties()) {
    for (const Property& property : family) {
      if (std::string_view(property.name) != arguments[1]) continue;
      return Run(property, std::strtoll(arguments[2], nullptr, 10));
    }
  }
  std::printf("no such property: %s\n", arguments[1]);
  return EXIT_FAILURE;
}

}  // namespace
}  // namespace dpsql

int main(int count, char** arguments) {
  return dpsql::Main({arguments, static_cast<std::size_t>(count)});
}

#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <span>
#include <string>

namespace dpsql {

// The bytes as a line of a corpus, *.hex.
inline std::string HexOf(std::span<const std::uint8_t> bytes) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

// Whatever a target throws is a finding: libFuzzer keeps the input of a program that aborts, and
// replay.cc ends with it.
template <typename Work>
void OrAbort(Work work, const std::string& context = "") {
  try {
    work();
  } catch (const std::exception& thrown) {
    std::fprintf(stderr, "finding: %s\n%s\n", thrown.what(), context.c_str());
    std::abort();
  }
}

// The one target of a program.
template <typename Target>
Target& TheTarget() {
  static Target target;
  return target;
}

// Prints what the target has seen when the program ends. For LLVMFuzzerInitialize.
template <typename Target>
int SummarizeAtExit() {
  TheTarget<Target>();  // before the handler: it must outlive it
  return std::atexit([] { std::fputs(TheTarget<Target>().Summary().c_str(), stderr); });
}

}  // namespace dpsql

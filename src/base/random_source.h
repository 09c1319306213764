#pragma once

#include <cstdint>
#include <memory>
#include <span>

namespace dpsql {

// Where random bits come from. The product has one implementation, seeded by the operating system;
// a deterministic one exists in the test library only.
class RandomSource {
 public:
  virtual ~RandomSource() = default;

  // Fills `words` with independent uniform bits, or throws Bug: there is no answer without
  // randomness. Safe to call from several threads and after fork.
  virtual void Fill(std::span<std::uint32_t> words) = 0;
};

// Chosen at link time: the product's library links the operating system's source.
std::shared_ptr<RandomSource> MakeRandomSource();

}  // namespace dpsql

#pragma once

#include <cstdint>
#include <memory>

#include "base/random_source.h"

struct evp_cipher_ctx_st;

namespace dpsql {

// The key stream of ChaCha20 with nonce and counter 0: the same words in every run. The key is the
// seed in its first eight bytes, little-endian, then zeros. For tests only; not for several
// threads.
class ChaChaRandomSource final : public RandomSource {
 public:
  explicit ChaChaRandomSource(std::uint64_t seed);
  ~ChaChaRandomSource() override;

  void Fill(std::span<std::uint32_t> words) override;

 private:
  evp_cipher_ctx_st* cipher_;
};

}  // namespace dpsql

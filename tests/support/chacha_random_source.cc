#include "support/chacha_random_source.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include "base/check.h"

namespace dpsql {

ChaChaRandomSource::ChaChaRandomSource(std::uint64_t seed) : cipher_(EVP_CIPHER_CTX_new()) {
  std::array<unsigned char, 32> key = {};
  const std::array<unsigned char, 16> counter_and_nonce = {};
  for (std::size_t i = 0; i < 8; ++i) key[i] = static_cast<unsigned char>(seed >> (8 * i));
  const int done =
      EVP_EncryptInit_ex(cipher_, EVP_chacha20(), nullptr, key.data(), counter_and_nonce.data());
  Check(done == 1, "OpenSSL has ChaCha20");
}

ChaChaRandomSource::~ChaChaRandomSource() { EVP_CIPHER_CTX_free(cipher_); }

void ChaChaRandomSource::Fill(std::span<std::uint32_t> words) {
  // Encrypting zeros yields the key stream.
  std::fill(words.begin(), words.end(), 0);
  auto* bytes = reinterpret_cast<unsigned char*>(words.data());
  int written = 0;
  const int done =
      EVP_EncryptUpdate(cipher_, bytes, &written, bytes, static_cast<int>(words.size_bytes()));
  Check(done == 1, "ChaCha20 runs");
}

}  // namespace dpsql

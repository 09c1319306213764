#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "base/check.h"
#include "base/random_source.h"

// The product's only source of randomness: OpenSSL's generator, seeded by the operating system.
namespace dpsql {
namespace {

void FillFromOpenSsl(std::span<std::uint32_t> words) {
  // RAND_priv_bytes counts in int; a request beyond that is cut into pieces.
  constexpr std::size_t kPieceMax = std::numeric_limits<int>::max() / sizeof(std::uint32_t);
  while (!words.empty()) {
    const std::span<std::uint32_t> piece = words.first(std::min(words.size(), kPieceMax));
    auto* bytes = reinterpret_cast<unsigned char*>(piece.data());
    const int done = RAND_priv_bytes(bytes, static_cast<int>(piece.size_bytes()));
    Check(done == 1, "the operating system gives randomness");
    words = words.subspan(piece.size());
  }
}

// Unused words of one thread. A child of fork would inherit them and repeat its parent's noise, so
// the words carry the process that fetched them.
class WordPool {
 public:
  ~WordPool() { OPENSSL_cleanse(words_.data(), sizeof(words_)); }

  // Requires: words.size() <= kWords.
  void Take(std::span<std::uint32_t> words) {
    if (owner_ != getpid() || words_.size() - next_ < words.size()) Refill();
    std::copy_n(words_.begin() + static_cast<std::ptrdiff_t>(next_), words.size(), words.begin());
    OPENSSL_cleanse(words_.data() + next_, words.size_bytes());
    next_ += words.size();
  }

  static constexpr std::size_t kWords = 1024;  // 4 KiB: a call costs more than its bytes

 private:
  void Refill() {
    owner_ = 0;  // should the generator fail, what is here belongs to nobody
    FillFromOpenSsl(words_);
    owner_ = getpid();
    next_ = 0;
  }

  pid_t owner_ = 0;
  std::size_t next_ = kWords;
  std::array<std::uint32_t, kWords> words_ = {};
};

class OpenSslRandomSource final : public RandomSource {
 public:
  void Fill(std::span<std::uint32_t> words) override {
    thread_local WordPool pool;
    if (words.size() < WordPool::kWords) {
      pool.Take(words);
    } else {
      FillFromOpenSsl(words);
    }
  }
};

}  // namespace

std::shared_ptr<RandomSource> MakeRandomSource() { return std::make_shared<OpenSslRandomSource>(); }

}  // namespace dpsql

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "base/check.h"
#include "base/random_source.h"

// The product's only source of randomness: OpenSSL's private generator, an AES-256-CTR DRBG of each
// thread below one that the operating system seeds. It reseeds itself: after 2^16 requests or seven
// minutes, its parent after 2^8 requests or an hour (crypto/rand/rand_local.h of OpenSSL 3.0; the
// parameters reseed_requests and reseed_time_interval of EVP_RAND-CTR-DRBG(7), which a test reads).
//
// OpenSSL also reseeds when getpid() changes. That is not enough: a process can have the number of
// an ancestor, by reuse or because both are the first of a PID namespace, as in containers. So a
// fork is recognised by a page that the kernel hands to children as zeros.
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

// Makes this thread's generator fetch new entropy from the operating system, through its parent.
void ReseedOpenSsl() {
  constexpr int kPredictionResistance = 1;  // from the live source, not from the parent's state
  EVP_RAND_CTX* const generator = RAND_get0_private(nullptr);
  Check(generator != nullptr &&
            EVP_RAND_reseed(generator, kPredictionResistance, nullptr, 0, nullptr, 0) == 1,
        "the operating system gives a seed");
}

// Whether this thread has ended so far that its words are gone; it outlives them.
thread_local bool pool_is_gone = false;

// Unused words of one thread, on pages that are zeros in a new thread and in a child of fork: in
// both the generator is reseeded before a word is handed out. A child of vfork shares the pages and
// takes words away from its parent.
class WordPool {
 public:
  WordPool() {
    void* const memory =
        mmap(nullptr, sizeof(Pages), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    Check(memory != MAP_FAILED, "there is memory for random words");
    pages_ = static_cast<Pages*>(memory);
    // An emulator may say yes to whatever it is advised; one that says yes to nonsense is not
    // believed.
    constexpr int kNonsense = -1;
    wiped_by_fork_ = madvise(memory, sizeof(Pages), MADV_WIPEONFORK) == 0 &&
                     madvise(memory, sizeof(Pages), kNonsense) != 0;
  }
  ~WordPool() {
    OPENSSL_cleanse(pages_, sizeof(Pages));
    munmap(pages_, sizeof(Pages));
    pool_is_gone = true;
  }
  WordPool(const WordPool&) = delete;
  WordPool& operator=(const WordPool&) = delete;

  void Fill(std::span<std::uint32_t> words) {
    if (!pages_->seeded) Reseed();
    if (words.size() >= kWords || !pages_->seeded) {
      FillFromOpenSsl(words);
    } else {
      Take(words);
    }
  }

 private:
  static constexpr std::size_t kWords = 1024;  // 4 KiB: a call costs more than its bytes

  struct Pages {
    bool seeded;
    std::size_t left;  // how many of the last words are unused
    std::array<std::uint32_t, kWords> words;
  };

  // A kernel before Linux 4.14 does not wipe. There every request counts as the first after a fork:
  // slower, and nothing is kept that a child could repeat.
  void Reseed() {
    ReseedOpenSsl();
    pages_->seeded = wiped_by_fork_;
  }

  void Take(std::span<std::uint32_t> words) {
    if (pages_->left < words.size()) {
      pages_->left = 0;  // should the generator fail, nothing here is handed out
      FillFromOpenSsl(pages_->words);
      pages_->left = kWords;
    }
    const auto from = std::span(pages_->words).last(pages_->left).first(words.size());
    std::copy(from.begin(), from.end(), words.begin());
    OPENSSL_cleanse(from.data(), from.size_bytes());
    pages_->left -= words.size();
  }

  Pages* pages_;
  bool wiped_by_fork_;
};

class OpenSslRandomSource final : public RandomSource {
 public:
  void Fill(std::span<std::uint32_t> words) override {
    Check(!pool_is_gone, "a thread draws no noise while it ends");
    thread_local WordPool pool;
    pool.Fill(words);
  }
};

}  // namespace

std::shared_ptr<RandomSource> MakeRandomSource() { return std::make_shared<OpenSslRandomSource>(); }

}  // namespace dpsql

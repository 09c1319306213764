#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <utility>
#include <vector>

// Memory with a limit. What a fast pass keeps is taken from one allowance by all of its threads.
namespace dpsql {

// Thrown where the allowance is used up; caught where a chunk of rows came in, never shown.
struct CellLimitReached : std::bad_alloc {};

class CellMemory {
 public:
  explicit CellMemory(std::size_t bytes) : left_(static_cast<std::int64_t>(bytes)) {}

  void Take(std::size_t bytes) {
    const auto amount = static_cast<std::int64_t>(bytes);
    if (left_.fetch_sub(amount, std::memory_order_relaxed) >= amount) return;
    left_.fetch_add(amount, std::memory_order_relaxed);
    throw CellLimitReached{};
  }

  void Give(std::size_t bytes) {
    left_.fetch_add(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
  }

  std::size_t left() const {
    const std::int64_t left = left_.load(std::memory_order_relaxed);
    return left < 0 ? 0 : static_cast<std::size_t>(left);
  }

 private:
  std::atomic<std::int64_t> left_;
};

template <typename T>
class CellAllocator {
 public:
  using value_type = T;

  explicit CellAllocator(CellMemory& memory) : memory_(&memory) {}
  template <typename U>
  CellAllocator(const CellAllocator<U>& other) : memory_(other.memory()) {}

  T* allocate(std::size_t n) {
    memory_->Take(n * sizeof(T));
    try {
      return std::allocator<T>().allocate(n);
    } catch (const std::bad_alloc&) {
      memory_->Give(n * sizeof(T));
      throw;
    }
  }

  void deallocate(T* block, std::size_t n) {
    std::allocator<T>().deallocate(block, n);
    memory_->Give(n * sizeof(T));
  }

  CellMemory* memory() const { return memory_; }
  template <typename U>
  bool operator==(const CellAllocator<U>& other) const {
    return memory_ == other.memory();
  }

 private:
  CellMemory* memory_;
};

template <typename T>
using CellVector = std::vector<T, CellAllocator<T>>;

// Zeroed words of fixed number, in large pages where the system gives them: cells are reached at
// random. Pages never touched cost nothing but the allowance.
class ZeroedWords {
 public:
  explicit ZeroedWords(CellMemory& memory) : memory_(&memory) {}
  ZeroedWords(CellMemory& memory, std::size_t words) : memory_(&memory), words_(words) {
    if (words == 0) return;
    memory_->Take(bytes());
    void* block =
        mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) {
      memory_->Give(bytes());
      throw std::bad_alloc();
    }
    data_ = static_cast<std::uint64_t*>(block);
    madvise(block, bytes(), MADV_HUGEPAGE);
  }
  ~ZeroedWords() { Free(); }
  ZeroedWords(ZeroedWords&& other) noexcept
      : memory_(other.memory_),
        data_(std::exchange(other.data_, nullptr)),
        words_(std::exchange(other.words_, 0)) {}
  ZeroedWords& operator=(ZeroedWords&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(data_, other.data_);
    std::swap(words_, other.words_);
    return *this;
  }
  ZeroedWords(const ZeroedWords&) = delete;
  ZeroedWords& operator=(const ZeroedWords&) = delete;

  // Adds zeroed words at the end; pages move, their content is not copied.
  // Requires: not empty, `words` is not less than before.
  void Extend(std::size_t words) {
    const std::size_t added = (words - words_) * sizeof(std::uint64_t);
    memory_->Take(added);
    void* block = mremap(data_, bytes(), bytes() + added, MREMAP_MAYMOVE);
    if (block == MAP_FAILED) {
      memory_->Give(added);
      throw std::bad_alloc();
    }
    data_ = static_cast<std::uint64_t*>(block);
    words_ = words;
    madvise(block, bytes(), MADV_HUGEPAGE);
  }

  std::uint64_t* data() { return data_; }
  const std::uint64_t* data() const { return data_; }
  std::size_t words() const { return words_; }

 private:
  std::size_t bytes() const { return words_ * sizeof(std::uint64_t); }

  void Free() {
    if (data_ == nullptr) return;
    munmap(data_, bytes());
    memory_->Give(bytes());
  }

  CellMemory* memory_;
  std::uint64_t* data_ = nullptr;
  std::size_t words_ = 0;
};

}  // namespace dpsql

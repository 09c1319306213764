#include "backend/unit_cells.h"

#include <algorithm>
#include <array>

// How rows are added to cells that have been found.
namespace dpsql {
namespace {

constexpr std::size_t kRowsAhead = 24;         // fetched while a row is added
constexpr std::size_t kAny = ~std::size_t{0};  // known only when it runs
constexpr std::size_t kMostKnownSums = 4;
constexpr std::size_t kMostKnownClasses = 2;
constexpr std::size_t kFewCells = 16;
constexpr std::size_t kLanes = 4;

constexpr std::size_t kBlock = 1024;  // rows that are added up in one word
constexpr int kCountBit = 52;         // from here on a word counts rows

// A sum of terms and how many rows of a class there were, in one word: count * 2^52 + sum.
// Proof: a term is at most 2^40 in size (MonomialSum), so that a block of them is at most 2^50,
// and its rows are 2^10.
struct SumAndCount {
  std::int64_t sum = 0;
  std::uint32_t count = 0;
};

SumAndCount Unpack(std::uint64_t word) {
  const auto sum = static_cast<std::int64_t>(word << (64 - kCountBit)) >> (64 - kCountBit);
  return {
      .sum = sum,
      .count = static_cast<std::uint32_t>((word - static_cast<std::uint64_t>(sum)) >> kCountBit)};
}

using FewWords = std::array<std::uint64_t, kFewCells>;

// The packed totals of each cell over a block. A cell's rows mostly follow each other, and to add a
// row to what the last has just stored takes longer than to add it elsewhere: hence lanes.
template <typename WordOf>
FewWords TotalsOf(const std::uint32_t* cells, std::size_t n, const WordOf& word_of) {
  std::array<std::uint64_t, kLanes * kFewCells> lanes{};
  std::uint64_t* const totals = lanes.data();
  std::size_t row = 0;
  for (; row + kLanes <= n; row += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      totals[lane * kFewCells + cells[row + lane]] += word_of(row + lane);
    }
  }
  for (; row < n; ++row) totals[cells[row]] += word_of(row);
  FewWords words{};
  for (std::size_t at = 0; at < lanes.size(); ++at) words[at % kFewCells] += totals[at];
  return words;
}

}  // namespace

void UnitCells::AddTotals(std::size_t n) {
  std::uint64_t* const record = listed_ ? records_.data() : dense_.data();
  cells_[0] = 0;
  for (std::size_t s = 0; s < record_.sums; ++s) {
    const std::int64_t* const terms = terms_.sum(s);
    std::int64_t total = 0;
    for (std::size_t i = 0; i < n; ++i) total += terms[i];
    record[s] += static_cast<std::uint64_t>(total);
  }
  for (std::size_t c = 0; c < record_.classes; ++c) {
    const std::uint8_t* const in_class = terms_.in_class(c);
    std::uint32_t total = 0;
    for (std::size_t i = 0; i < n; ++i) total += in_class[i];
    std::uint32_t& count = record_.counts(record)[c];
    count += total;
    if (count >= layout_.rows_before_spill) Spill(0, c);
  }
}

bool UnitCells::HasFewCells() const {
  return layout_.rows_are_units && !listed_ && stride_ <= kFewCells;
}

void UnitCells::AddToFewCells(std::size_t n) {
  for (std::size_t first = 0; first < n; first += kBlock) {
    AddBlockToFewCells(first, std::min(kBlock, n - first));
  }
}

// The sum and the class of one number share a word, whichever they are.
void UnitCells::AddBlockToFewCells(std::size_t first, std::size_t n) {
  const std::uint32_t* const cells = codes_.data() + first;
  for (std::size_t i = 0; i < std::max(record_.sums, record_.classes); ++i) {
    const std::int64_t* const terms = i < record_.sums ? terms_.sum(i) + first : nullptr;
    const std::uint8_t* const in = i < record_.classes ? terms_.in_class(i) + first : nullptr;
    const auto term = [terms](std::size_t row) { return static_cast<std::uint64_t>(terms[row]); };
    const auto one = [in](std::size_t row) { return std::uint64_t{in[row]} << kCountBit; };
    FewWords words;
    if (terms != nullptr && in != nullptr) {
      words = TotalsOf(cells, n, [&](std::size_t row) { return term(row) + one(row); });
    } else {
      words = terms != nullptr ? TotalsOf(cells, n, term) : TotalsOf(cells, n, one);
    }
    for (std::uint32_t code = 0; code < stride_; ++code) {
      std::uint64_t* const record = dense_.data() + code * record_.words;
      const SumAndCount total = Unpack(words[code]);
      if (terms != nullptr) record[i] += static_cast<std::uint64_t>(total.sum);
      if (in == nullptr) continue;
      std::uint32_t& count = record_.counts(record)[i];
      count += total.count;
      if (count < layout_.rows_before_spill) continue;
      record_.Spill(layout_, i, record, spilled_[NameOf(0, code)]);
    }
  }
}

template <std::size_t sums, std::size_t classes>
void UnitCells::AddRowsOf(std::size_t n) {
  const std::size_t sum_count = sums == kAny ? record_.sums : sums;
  const std::size_t class_count = classes == kAny ? record_.classes : classes;
  const std::size_t words = record_.words;
  const std::uint32_t limit = layout_.rows_before_spill;
  const std::uint32_t* const cells = cells_.data();
  std::uint64_t* const base = listed_ ? records_.data() : dense_.data();
  std::vector<const std::int64_t*> terms(sum_count);
  std::vector<const std::uint8_t*> in_class(class_count);
  for (std::size_t s = 0; s < sum_count; ++s) terms[s] = terms_.sum(s);
  for (std::size_t c = 0; c < class_count; ++c) in_class[c] = terms_.in_class(c);
  const std::int64_t* const* const term = terms.data();
  const std::uint8_t* const* const in = in_class.data();
  for (std::size_t i = 0; i < n; ++i) {
    if (i + kRowsAhead < n) __builtin_prefetch(base + cells[i + kRowsAhead] * words);
    std::uint64_t* const record = base + cells[i] * words;
    for (std::size_t s = 0; s < sum_count; ++s) {
      record[s] += static_cast<std::uint64_t>(term[s][i]);
    }
    std::uint32_t* const counts = reinterpret_cast<std::uint32_t*>(record + sum_count);
    for (std::size_t c = 0; c < class_count; ++c) {
      counts[c] += in[c][i];
      if (counts[c] >= limit) [[unlikely]] {
        Spill(i, c);
      }
    }
  }
}

void UnitCells::AddRows(std::size_t n) {
  if (record_.sums > kMostKnownSums || record_.classes > kMostKnownClasses) {
    return AddRowsOf<kAny, kAny>(n);
  }
  using Method = void (UnitCells::*)(std::size_t);
  constexpr std::array<std::array<Method, kMostKnownClasses>, kMostKnownSums + 1> methods{{
      {&UnitCells::AddRowsOf<0, 1>, &UnitCells::AddRowsOf<0, 2>},
      {&UnitCells::AddRowsOf<1, 1>, &UnitCells::AddRowsOf<1, 2>},
      {&UnitCells::AddRowsOf<2, 1>, &UnitCells::AddRowsOf<2, 2>},
      {&UnitCells::AddRowsOf<3, 1>, &UnitCells::AddRowsOf<3, 2>},
      {&UnitCells::AddRowsOf<4, 1>, &UnitCells::AddRowsOf<4, 2>},
  }};
  (this->*methods[record_.sums][record_.classes - 1])(n);
}

void UnitCells::Spill(std::size_t row, std::size_t row_class) {
  std::uint64_t* const base = listed_ ? records_.data() : dense_.data();
  record_.Spill(layout_, row_class, base + cells_[row] * record_.words,
                spilled_[NameOf(slots_[row], codes_[row])]);
}

}  // namespace dpsql

#pragma once

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

#include "statistical/audit_house.h"

namespace dpsql {

// Noise by itself: sums and moments of an empty table with declared keys, over their stated
// standard deviations. Each question has four numbers a cell: sums of two columns, which have
// statistics of their own, and the two coordinates of the moments of one.
class NoiseSample {
 public:
  static constexpr std::int64_t kCells = 256;
  static constexpr std::size_t kCoordinates = 4;
  static constexpr std::size_t kWidth = kCoordinates * kCells;

  static std::string Data();
  static std::string Tables();

  // Asks as many questions, in one session.
  static NoiseSample Draw(AuditHouse& house, std::int64_t questions);

  void Append(const NoiseSample& other);
  void Write(std::ostream& out) const;
  static NoiseSample Read(std::istream& in);

  std::size_t questions() const { return numbers_.size() / kWidth; }

  // The numbers of a question, those of a coordinate side by side.
  std::span<const double> question(std::size_t i) const {
    return std::span(numbers_).subspan(i * kWidth, kWidth);
  }
  double number(std::size_t question, std::size_t coordinate, std::size_t cell) const {
    return numbers_[question * kWidth + coordinate * kCells + cell];
  }
  std::span<const double> numbers() const { return numbers_; }

 private:
  std::vector<double> numbers_;
};

}  // namespace dpsql

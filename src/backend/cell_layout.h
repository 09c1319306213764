#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/int128.h"
#include "dpsql/value.h"

// What a fast pass over the rows of a door keeps for each unit and group, and how rows reach it.
namespace dpsql {

// A row's number in steps: Y = floor((clamp(x, low, high) - origin) * scale + 1/2); a NULL or NaN
// has none. The same doubles in the same order as the SQL of encode.cc, so that both give the same
// Y. Requires: |Y| <= 2^20 for each x within the bounds.
struct ValueEncoding {
  double low = 0;
  double high = 0;
  double origin = 0;
  double scale = 1;
};

// The rows in which all of these inputs are present; none named: every row.
struct RowClass {
  std::vector<std::size_t> values;
  std::vector<std::size_t> presences;
};

// The sum of Ya^power_a * Yb^power_b over the rows of a class.
// Requires: at most 2^40 in size for each row; the class asks for the values used.
struct MonomialSum {
  std::size_t row_class = 0;
  std::size_t a = 0;
  int power_a = 1;
  std::optional<std::size_t> b;
  int power_b = 1;
};

// The set of values that a presence input has in the rows of a class.
// Requires: the class asks for that presence.
struct DistinctSet {
  std::size_t row_class = 0;
  std::size_t presence = 0;
};

class UnitLinks;

// Numbers up to so far apart are an array without a question.
inline constexpr std::uint64_t kFreeRange = std::uint64_t{1} << 23;

struct CellLayout {
  // Where there are, rows come with a parent's key in the place of the unit column, or before the
  // others where there is none, and those whose key leads to no unit are left out.
  std::shared_ptr<const UnitLinks> links;
  // No unit column: each row is a unit of its own, or as good as one, because all rows of any unit
  // are inside of its bounds and nothing counts units.
  bool rows_are_units = false;
  std::size_t keys = 0;
  // Per key, the values that a group may have; none: any. Rows of other groups are no rows.
  std::vector<std::vector<Value>> listed;
  std::vector<bool> as_places;  // per key, whether it comes as the place in its list, from 1
  std::vector<ValueEncoding> values;
  std::size_t presences = 0;
  std::vector<RowClass> classes;
  std::vector<MonomialSum> sums;
  std::vector<DistinctSet> distincts;
  std::size_t memory_limit = std::size_t{1} << 30;  // in bytes, over all threads
  // A table of at most so many words is an array whatever the number of groups; else rows are
  // listed, and put together when there are more than so many.
  std::size_t dense_words = std::size_t{1} << 20;
  std::size_t log_cells = std::size_t{1} << 20;
  std::uint64_t free_range = kFreeRange;
  // A cell with this many rows of a class moves its numbers to 128 bits.
  // Proof: two tables are merged when both are below it, so less than 2^23 rows of 2^40 each are
  // the most that an int64 ever holds.
  std::uint32_t rows_before_spill = std::uint32_t{1} << 22;

  // Columns of the input: the unit, the keys, the values, the presences.
  std::size_t first_key() const { return rows_are_units ? 0 : 1; }
  std::size_t first_value() const { return first_key() + keys; }
  std::size_t first_presence() const { return first_value() + values.size(); }
  std::size_t columns() const { return first_presence() + presences; }
  // Whether the values of a presence are kept, and not only that there is one.
  bool keeps_values(std::size_t presence) const {
    for (const DistinctSet& set : distincts) {
      if (set.presence == presence) return true;
    }
    return false;
  }
  bool comes_as_place(std::size_t key) const { return key < as_places.size() && as_places[key]; }
};

// How a column lies in memory. Equal values, and only they, have equal payloads.
enum class Payload {
  kNone,  // only validity is read
  kBool,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kUint8,
  kUint16,
  kUint32,
  kUint64,
  kWide,   // 16 bytes
  kFloat,  // values only
  kDouble,
  kText,  // 16 bytes: a 32-bit length, then up to 12 bytes and zeros, or a prefix and a pointer
};

// 16 bytes of a payload; narrower integers are sign-extended into `low`.
struct RawValue {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  bool operator==(const RawValue&) const = default;
};

struct ColumnType {
  Payload payload = Payload::kNone;
  double divisor = 1;  // of a decimal that is stored as an integer
  // What the slow path would give for a payload; where absent, booleans, numbers and texts as such.
  std::function<Value(RawValue)> to_value;
};

// One column of one chunk of rows; a bit of `validity` is set where the row has a value.
struct ColumnData {
  const void* data = nullptr;
  const std::uint64_t* validity = nullptr;  // null: all rows have one

  bool valid(std::size_t row) const {
    return validity == nullptr || ((validity[row / 64] >> (row % 64)) & 1) != 0;
  }
  // Of the first n rows.
  bool all_valid(std::size_t n) const {
    if (validity == nullptr) return true;
    std::uint64_t common = ~std::uint64_t{0};
    for (std::size_t word = 0; word < n / 64; ++word) common &= validity[word];
    const std::uint64_t last = (std::uint64_t{1} << (n % 64)) - 1;
    return ~common == 0 && (last == 0 || (validity[n / 64] & last) == last);
  }
};

}  // namespace dpsql

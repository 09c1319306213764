#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace dpsql {

// Some rows of a database by the text that reads them: what they are joined of and whose they are,
// and the conditions that each of them fulfils.
struct DescribedRows {
  std::string from;
  std::set<std::string> conditions;
};

// How many rows any one unit has, as passes over the same data have counted them. A bound on rows
// that no unit reaches changes nothing, and need not be computed.
// Requires: used while the data is what it was at the first Learn, with texts that alone say which
// rows they mean: none that reads what a query released, or a file of which a reader leaves out
// lines by the columns that it is asked for.
// Proof: under more conditions there are no more rows. The answer is the same function of the rows
// with and without the bound where it is not reached, so a database that lacks a unit, or has one
// more, is answered as if nothing were known here; what differs is how long it takes. That is why
// only rows and bounds of the owner's come here (backend/owner_rows.h).
class RowFacts {
 public:
  void Learn(DescribedRows rows, std::int64_t most);

  // Whether rows of which nothing is known are asked for again: then it is time to count them. True
  // once for each.
  bool IsSecondAsking(const DescribedRows& rows);

  // A bound on the rows of any unit; nothing where none is known. Any thread may ask.
  std::optional<std::int64_t> MostRows(const DescribedRows& rows) const;

 private:
  struct Fact {
    DescribedRows rows;
    std::int64_t most = 0;
  };

  mutable std::mutex mutex_;
  std::vector<Fact> facts_;             // the oldest go first
  std::map<std::string, int> askings_;  // for rows, by their text
};

}  // namespace dpsql

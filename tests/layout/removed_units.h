#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "layout/layout_questions.h"
#include "layout/row_orders.h"

namespace dpsql {

// A large table with and without one unit, whose rows lie anywhere in it, on every number of
// threads: what everybody else contributes is the same to the last bit, wherever their rows then
// lie. It follows from what is compared, with the same priorities and the same shown cells: stage 1
// moves by 1 in at most C0 groups, stage 2 by what its noise is for, and both by exactly the
// numbers of a third database, which has this unit alone. Only claims are not added up, as a value
// that one unit leaves may be another's.
//
// Units with thousands of rows and with a handful are removed; the rest is laid down in the same
// order or in another. "Some" remove one of each; "all" do it for every order and type of unit.
class RemovedUnits {
 public:
  // Requires: the folder outlives it.
  RemovedUnits(LayoutFolder& folder, std::int64_t rows, bool all);

  // Those that Run reads beside the ones of all rows.
  std::vector<LaidRows> Databases() const;

  // `databases` have all rows, one for each of RowOrders(). Answers the number of violations.
  int Run(const std::vector<std::string>& databases);

 private:
  // A unit, and the order in which all rows lie while it is there.
  struct Removal {
    std::int64_t unit = 0;
    std::size_t order = 0;
    std::vector<std::size_t> unit_columns;  // of UnitColumns()
    LaidRows without;
    LaidRows alone;
  };
  void Add(std::int64_t unit, std::size_t order, std::vector<std::size_t> unit_columns);
  void Try(const Removal& removal, std::size_t unit_column, const std::string& database);
  void Compare(ExactHouse& without, const Removal& removal, std::size_t question,
               const Setup& setup);

  // What the unit is held against, of one question.
  struct Reference {
    std::vector<KeySet> shown;
    ExactNumbers with;
    ExactNumbers alone;
  };

  LayoutFolder& folder_;
  bool all_;
  std::vector<Removal> removals_;
  std::vector<Reference> references_;  // by question
  int compared_ = 0;
  int violations_ = 0;
};

}  // namespace dpsql

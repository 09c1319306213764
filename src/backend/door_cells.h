#pragma once

#include <cstddef>
#include <vector>

#include "backend/cell_bounding.h"
#include "backend/cell_layout.h"
#include "plan/dp_plan.h"

// A door as one pass over its rows, which fills cells. Both stages are made from them.
namespace dpsql {

struct DoorCells {
  CellLayout layout;
  std::vector<CellStatistic> statistics;  // those of the door, in its order
};

// Who says that keys are unique. Units are left out of a pass where each has one row at most, but
// only on the word of the database: where the owner verified a key and was wrong, the clip of the
// units keeps the guarantee.
enum class Keys { kEnforced, kVerified };

// Whether a pass reads whose a row is.
enum class Units { kRead, kLeftOut };

// What the database's own keys allow.
Units UnitsOf(const Door& door, Keys keys);

// What a pass reads of a row beside unit and keys, each once.
class RowInputs {
 public:
  explicit RowInputs(const Door& door);

  CellLayout Layout(Units units) const;

  const std::vector<const BoundExpr*>& values() const { return values_; }
  const std::vector<const BoundExpr*>& presences() const { return presences_; }

  // The input of a statistic's argument: among the values, or the presences for a distinct one.
  std::size_t InputOf(std::size_t statistic, std::size_t argument) const {
    return inputs_[statistic][argument];
  }

 private:
  void AddArgument(const Statistic& statistic, std::size_t argument);
  std::size_t PresenceOf(const BoundExpr& expr);
  RowClass ClassOf(const CellClass& cell_class);

  const Door& door_;
  std::vector<const BoundExpr*> values_;
  std::vector<ValueEncoding> encodings_;
  std::vector<const BoundExpr*> presences_;
  std::vector<std::vector<std::size_t>> inputs_;  // per statistic, per argument
  std::vector<RowClass> classes_;
};

// Every key comes as its value.
DoorCells CellsOf(const Door& door, Units units);

}  // namespace dpsql

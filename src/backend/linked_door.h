#pragma once

#include <memory>
#include <optional>
#include <string>

#include "backend/door_cells.h"
#include "plan/dp_plan.h"
#include "sql/ast.h"

namespace dpsql {

// A door that reads a parent table to find the unit of a child's rows or to leave some of them out,
// and for nothing else, without the join: rows come with their foreign key in the unit's place,
// which links turn into the unit.
// Ensures: the rows of `door` whose key leads to a unit, each with that unit, are the rows of the
// door that it was made of.
// Proof: the parent's key is one that the database keeps unique, so a child's row has at most one
// partner. Of the conditions that name the parent one is the equality, and the others name nothing
// else, so that they choose among the parent's rows: the links are of those alone. Rows without a
// chosen partner, or whose partner has no unit, are no rows of the join; their keys are not among
// the links. Where the foreign key is itself the unit, it leads to itself.
struct LinkedDoor {
  std::shared_ptr<const BoundDoor> query;  // what `door` and the parent are of
  Door door;
  Relation parent;  // alone, under the conditions that name only it
  BoundExprPtr parent_key;
};

// Whether keys and units of these types can be links: numbers of a machine's size.
bool LinksTake(const std::string& key_type, const std::string& unit_type);

// Nothing where the door is not of this form.
std::optional<LinkedDoor> WithoutParent(const Door& door, Keys keys);

// The statement that fills links; `id` is that of the pass where they arrive.
ast::Select LowerLinks(const LinkedDoor& linked, std::int64_t id);

}  // namespace dpsql

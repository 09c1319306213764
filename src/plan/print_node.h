#pragma once

#include <functional>
#include <string>

#include "plan/dp_plan.h"

namespace dpsql {

// Takes the lines of a printed query, top down, each with its indent.
using LineSink = std::function<void(const std::string&)>;

// The inputs of a relation, what each is joined on, and the queries among them indented below.
void PrintScans(const RelationView& view, const DoorNumbers& doors, const std::string& indent,
                const LineSink& line);

// A query: its inputs, its conditions, its groups and its columns.
void PrintNode(const QueryNode& node, const Catalog& catalog, const DoorNumbers& doors,
               const std::string& indent, const LineSink& line);

}  // namespace dpsql

#pragma once

#include "sql/regex.h"

namespace dpsql {

// How many arcs the automaton of a regular expression has: for each two characters or classes of
// which one may follow the other, with every {m,n} written out, as many as there are sorts of
// characters in the second, where characters that no class of the whole tells apart are of one
// sort. That is what a compiler to automata works through (PostgreSQL's, when it has taken out the
// empty transitions), so that its time is bounded by it, and its refusal of what is too complex.
double CountArcs(const Regex& regex);

}  // namespace dpsql

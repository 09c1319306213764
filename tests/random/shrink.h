#pragma once

#include <functional>
#include <string>
#include <variant>

#include "random/random_house.h"

namespace dpsql {

// A question to a database, to be asked again.
struct RandomCase {
  RandomDatabase database;
  std::variant<Question, NestedQuestion> question;

  std::string asked() const;
};

// What is wrong with the case, asked in a house of its own; nothing where all is well.
std::optional<std::string> Wrong(const RandomCase& tried, const std::string& stem);

// Takes away parts of the question and rows of the database for as long as `fails`, with so many
// tries at most.
RandomCase Shrink(RandomCase failing, const std::function<bool(const RandomCase&)>& fails,
                  int tries);

}  // namespace dpsql

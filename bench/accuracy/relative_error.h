#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "dpsql/answer.h"
#include "speed/exact_engine.h"

namespace dpsql {

// The exact value of each group of a query: its last column by the texts of those before it.
using Truth = std::map<std::string, double>;
Truth ReadTruth(ExactEngine& engine, const std::string& sql);

// The mean relative error as the DPSQL+ paper defines it: over draws and groups the mean of
// |released - true| / |true|, in %. A group that a draw withholds counts in keys_released alone.
class RelativeErrors {
 public:
  explicit RelativeErrors(Truth truth) : truth_(std::move(truth)) {}

  void Add(const Answer& answer);
  std::size_t draws() const { return draws_.size(); }

  // "mre" and its standard error over the first `draws`, "trials", "keys_released" from 0 to 1, the
  // "mechanism" of the noise, and the "truth" where it is one number.
  // Without a released group the error is null.
  nlohmann::json Row(std::size_t draws) const;

 private:
  struct Draw {
    double sum = 0;  // of the relative errors of its groups
    std::size_t groups = 0;
  };
  Truth truth_;
  std::vector<Draw> draws_;
  std::string mechanism_;
};

}  // namespace dpsql

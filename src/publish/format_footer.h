#pragma once

#include <cstddef>
#include <string>

#include "dpsql/answer.h"

namespace dpsql {

// How the lines below a table are printed.
struct FooterLook {
  std::size_t width = 0;  // 0: no line is broken
  bool color = false;
  bool swamped = false;           // a shown cell is marked with ~
  std::size_t columns_shown = 0;  // of the answer's; 0: all
};

// What ~ means where there is one, the notices, how many rows there are, what they cost and what is
// left. The price takes one line where there is room, else two or more.
std::string FooterLines(const Answer& answer, const FooterLook& look);

// The parts of the price, for those who lay them out themselves.
struct PriceText {
  std::string spent;  // "7 rows; spent ε 0.5, δ 1e-07 (r-000001)"
  std::string left;   // "left ε 3.96, about 55 more queries like this"; may be empty
};
PriceText DescribePrice(const Answer& answer, std::size_t columns_shown);

}  // namespace dpsql

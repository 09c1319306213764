#include "noise/exact_normal.h"

#include "noise/gaussian_weight.h"

namespace dpsql {

void DrawExactNormal(WordStream& words, ExactNormal& normal) {
  do {
    normal.fraction.Forget();
  } while (!DrawInteger(words, normal.integer) ||
           !AcceptFraction(normal.integer, normal.fraction, words));
  normal.negative = (words.Next() & 1) != 0;
}

}  // namespace dpsql

// The noise has no seed: nobody can draw it twice.
// EXPECT-ERROR: too many arguments to function 'std::unique_ptr<dpsql::Noise> dpsql::MakeNoise()'
#include "noise/noise.h"

namespace dpsql {

std::unique_ptr<Noise> Fresh() {
#ifdef MUST_NOT_COMPILE
  return MakeNoise(42);
#else
  return MakeNoise();
#endif
}

}  // namespace dpsql

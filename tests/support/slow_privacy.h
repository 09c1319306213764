#pragma once

#include "privacy/door_calibration.h"

// The definitions as they stand in the literature, evaluated with fifty digits and no care for
// speed. They share no code with src/privacy.
namespace dpsql {

double SlowUpperTail(double x);
double SlowGaussianDelta(double epsilon, double mu);
double SlowJointDelta(const JointDeltaInput& input);

}  // namespace dpsql

#pragma once

#include <string>

#include "statistical/noise_sample.h"
#include "statistical/verdicts.h"

// Whether noise follows its law and nothing in it is the same twice. Signs are compared where
// numbers should be independent: they agree as often as a fair coin falls, whatever the law.
namespace dpsql {

enum class NoiseKind { kGaussian, kLaplace };

constexpr int kTestsOfSpread = 2;
constexpr int kTestsOfSigns = 5;

// The size of the noise of each coordinate, and of each cell.
void TestSpread(Verdicts& verdicts, NoiseKind kind, const NoiseSample& sample);

// Signs of pairs of cells, of pairs of coordinates, of questions that follow each other, of any two
// questions in `all`, and how many are positive in a question.
void TestSigns(Verdicts& verdicts, NoiseKind kind, const NoiseSample& sample,
               const NoiseSample& all);

std::string NameOf(NoiseKind kind);

}  // namespace dpsql

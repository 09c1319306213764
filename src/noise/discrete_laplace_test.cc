#include "noise/discrete_laplace.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <string>
#include <vector>

#include "base/check.h"
#include "noise/exact_exponential.h"
#include "support/chacha_random_source.h"
#include "support/scripted_random_source.h"

namespace dpsql {
namespace {

using boost::multiprecision::cpp_int;

constexpr std::uint64_t kMost = ~std::uint64_t{0};

std::vector<Int128> Drawn(std::uint64_t seed, LaplaceRate rate, std::size_t count) {
  ChaChaRandomSource source(seed);
  std::vector<Int128> draws(count);
  DiscreteLaplace(source).Draw(rate, draws);
  return draws;
}

struct Known {
  LaplaceRate rate;
  std::vector<std::string> values;
  std::uint64_t words;
};

// From tests/statistical/discrete_known_answers.py, which shares no code with the sampler.
const Known kKnown[] = {
    {{1, 10},
     {"5", "-7", "24", "-32", "-7", "-23", "2", "-1", "31", "0", "-22", "31", "0", "-11", "0",
      "-11"},
     113},
    {{3, 2},
     {"0", "1", "-2", "-1", "0", "2", "0", "-1", "2", "0", "0", "1", "0", "-2", "0", "0"},
     155},
    {{3, 1099511627777},
     {"-206504845388", "-38551543876", "-907984706687", "150893653354", "96362181690",
      "-100188166988", "-441345718986", "-859888944761", "-760705229931", "818728815716",
      "22329039427", "288780900207", "8706604465", "208936896670", "414522611927", "-439856605294"},
     103},
    {{7, 9223372036854775819u},
     {"-742409227741927667", "-138597338302790339", "-3264311903310464051", "542480446146645542",
      "346433386383575073", "-360188253903519912", "-1586689812450375986", "-3091401977629127022",
      "-2734824847473135657", "-2856421345188484095", "2355825906575749250", "31301267945988894",
      "751152738387507237", "1490257585111371936", "-1581336273440184745", "724667767494034428"},
     109},
    {{1, 18446744073709551615u},
     {"-10393729188386987327", "-64147110720056048276", "4491151038014484018",
      "-15364549596999770539", "-635428310198806553", "61726371760517329876",
      "27943661603461629174", "-6203934356551920360", "21543154758929225673",
      "-5128267464201314435", "-5587461883115671775", "57757094338978310311",
      "23908035008593102060", "-21793825012342827756", "18994225938885496966",
      "-42096890319945907494"},
     134},
};

TEST(DiscreteLaplaceTest, KnownAnswersBitForBit) {
  for (const Known& known : kKnown) {
    const std::vector<Int128> draws = Drawn(0, known.rate, known.values.size());
    ChaChaRandomSource source(0);
    WordStream words(source, 1);
    for (std::size_t i = 0; i < draws.size(); ++i) {
      EXPECT_EQ(ToString(draws[i]), known.values[i]) << known.rate.denominator << " " << i;
      EXPECT_EQ(ToString(DrawDiscreteLaplace(known.rate, words)), known.values[i]);
    }
    EXPECT_EQ(words.taken(), known.words);
  }
}

// The sampler in its plainest form, in unbounded integers only.
Int128 PlainDraw(LaplaceRate rate, WordStream& words) {
  ExactExponential drawn;
  while (true) {
    DrawExactExponential(words, drawn);
    cpp_int prefix = drawn.integer;
    cpp_int unit = rate.numerator;
    cpp_int floor = -1;
    for (std::uint32_t digit = 0; floor < 0; ++digit) {
      prefix = prefix * (cpp_int(1) << 32) + drawn.fraction.Digit(digit, words);
      unit <<= 32;
      const cpp_int low = prefix * rate.denominator / unit;
      if (low == ((prefix + 1) * rate.denominator - 1) / unit) floor = low;
    }
    const bool negative = words.Next() % 2 == 1;
    if (!negative || floor != 0) return static_cast<Int128>(negative ? cpp_int(-floor) : floor);
  }
}

TEST(DiscreteLaplaceTest, NarrowAndWideArithmeticAgreeWithThePlainForm) {
  const LaplaceRate rates[] = {
      {1, 1},     {1, kMost},         {kMost, 1},         {kMost, kMost},
      {3, 1000},  {1, kMost / 2 + 1}, {kMost, kMost - 1}, {kMost / 3, kMost},
      {2, kMost}, {12345, kMost / 7}, {kMost - 1, kMost}};
  for (const LaplaceRate rate : rates) {
    const std::vector<Int128> draws = Drawn(17, rate, 1500);
    ChaChaRandomSource source(17);
    WordStream words(source, 1);
    for (const Int128 draw : draws) {
      ASSERT_EQ(ToString(draw), ToString(PlainDraw(rate, words)))
          << rate.numerator << " / " << rate.denominator;
    }
  }
}

TEST(DiscreteLaplaceTest, TheSameRateWrittenOtherwiseDrawsTheSame) {
  EXPECT_TRUE(Drawn(3, {3, 7}, 5000) ==
              Drawn(3, {std::uint64_t{3} << 60, std::uint64_t{7} << 60}, 5000));
  EXPECT_TRUE(Drawn(3, {1, 1000}, 5000) == Drawn(3, {1000003, 1000003000}, 5000));
}

// Scale 3, so x = 0.5555... = 1/3 - 2^-32 / 3 may end on either side of 1: one digit cannot tell.
TEST(DiscreteLaplaceTest, AnIntervalAcrossAnIntegerNeedsOneMoreDigit) {
  for (const std::uint32_t second : {0x55555554u, 0x55555556u}) {
    ScriptedRandomSource source({0xffffffff, 0x55555555, second, 0});
    WordStream words(source, 1);
    EXPECT_EQ(ToString(DrawDiscreteLaplace({1, 3}, words)), second == 0x55555556u ? "1" : "0");
    EXPECT_EQ(words.taken(), 4u);
  }
}

// [0.7fffffff, 0.80000000) doubled ends at 1, which is not in it.
TEST(DiscreteLaplaceTest, AnIntervalThatEndsAtAnIntegerNeedsNoMore) {
  ScriptedRandomSource source({0xffffffff, 0x7fffffff, 0, 0xffffffff, 0x80000000, 1});
  WordStream words(source, 1);
  EXPECT_EQ(ToString(DrawDiscreteLaplace({1, 2}, words)), "0");
  EXPECT_EQ(words.taken(), 3u);
  EXPECT_EQ(ToString(DrawDiscreteLaplace({1, 2}, words)), "-1");
  EXPECT_EQ(words.taken(), 6u);
}

// 0 with a minus sign is drawn anew, magnitude and sign.
TEST(DiscreteLaplaceTest, MinusZeroIsRejected) {
  ScriptedRandomSource source({9, 8, 1,                      // -0
                               9, 8, 0,                      // +0
                               9, 8, 1,                      // -0
                               0xffffffff, 0xc0000000, 1});  // -1
  WordStream words(source, 1);
  EXPECT_EQ(ToString(DrawDiscreteLaplace({1, 2}, words)), "0");
  EXPECT_EQ(words.taken(), 6u);
  EXPECT_EQ(ToString(DrawDiscreteLaplace({1, 2}, words)), "-1");
  EXPECT_EQ(words.taken(), 12u);
}

TEST(DiscreteLaplaceTest, AnImpossibleRateIsABug) {
  EXPECT_THROW(Drawn(1, {0, 1}, 1), Bug);
  EXPECT_THROW(Drawn(1, {1, 0}, 1), Bug);
  EXPECT_TRUE(Drawn(1, {1, 1}, 0).empty());
}

}  // namespace
}  // namespace dpsql

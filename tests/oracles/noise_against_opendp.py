#!/usr/bin/env python3
"""Compares our samplers with OpenDP's, draw against draw.

usage: noise_against_opendp.py PATH_OF_noise_draws [--draws N] [--verbose]

Two samples of equal size, from the operating system's randomness on both sides, go through the
two-sample chi-square test (cells of the pooled sample) and Kolmogorov and Smirnov's. The rounded
Gaussian has no counterpart in OpenDP; its discrete Gaussian on a grid 2^20 times finer, rounded
half up, has the same law but for 1e-12. A run without any fault fails with probability FALSE_ALARM
at most. Exits 77 (skipped) where the package of opendp_requirements.txt is absent.
"""

import argparse
import math
import subprocess
import sys
from collections import Counter
from statistics import NormalDist

FALSE_ALARM = 1e-6
SKIPPED = 77
FINE = 2**20

# (law, a, b) as noise_draws takes them, and OpenDP's scale.
CASES = [
    ("laplace", 5, 1, 0.2),
    ("laplace", 1, 1, 1.0),
    ("laplace", 2, 15, 7.5),
    ("laplace", 1, 2**30, 2.0**30),
    ("laplace", 1, 2**45, 2.0**45),
    ("gaussian", 77, 8, 77 / 256),
    ("gaussian", 3, 1, 1.5),
    ("gaussian", 25, 0, 25.0),
    ("gaussian", 4429896, 0, 4429896.0),
    ("rounded", 77, 8, 77 / 256),
    ("rounded", 5, 0, 5.0),
    ("rounded", 4429896, 0, 4429896.0),
]


def ours(tool, law, a, b, count):
    run = subprocess.run([tool], input=f"{law} {a} {b} {count}\n", check=True,
                         capture_output=True, text=True)
    return [int(line) for line in run.stdout.split()]


def theirs(dp, law, scale, count):
    domain = dp.vector_domain(dp.atom_domain(T="i64"))
    zeros = [0] * count
    if law == "laplace":
        return dp.m.make_laplace(domain, dp.l1_distance(T="i64"), scale=scale)(zeros)
    metric = dp.l2_distance(T="f64")
    if law == "gaussian":
        return dp.m.make_gaussian(domain, metric, scale=scale)(zeros)
    fine = dp.m.make_gaussian(domain, metric, scale=scale * FINE)(zeros)
    return [(x + FINE // 2) // FINE for x in fine]


def cells_of(pooled, least):
    """Upper ends of cells that hold `least` draws or more each; the last is open."""
    ends, held = [], 0
    counts = sorted(Counter(pooled).items())
    left = len(pooled)
    for value, count in counts:
        held += count
        left -= count
        if held >= least and left >= least:
            ends.append(value)
            held = 0
    return ends


def chi_square_share(mine, other):
    """The two-sample chi-square statistic over its limit, by Wilson and Hilferty."""
    pooled = mine + other
    ends = cells_of(pooled, max(100, len(pooled) // 400))
    degrees = len(ends)
    seen = []
    for sample in (mine, other):
        counts, place = [0] * (degrees + 1), 0
        for value in sorted(sample):
            while place < degrees and value > ends[place]:
                place += 1
            counts[place] += 1
        seen.append(counts)
    statistic = sum((a - b) ** 2 / (a + b) for a, b in zip(*seen))
    quantile = NormalDist().inv_cdf(1 - FALSE_ALARM / (2 * len(CASES)))
    spread = 2 / (9 * degrees)
    return statistic / (degrees * (1 - spread + quantile * math.sqrt(spread)) ** 3)


def distance_share(mine, other):
    """The largest distance of the two empirical laws over its limit.

    P(D > t) <= 2 exp(-n t^2) for two samples of n >= 458 (Wei and Dudley, 2012), also where values
    are equal.
    """
    ours_seen, other_seen = Counter(mine), Counter(other)
    difference, largest = 0, 0
    for value in sorted(set(ours_seen) | set(other_seen)):
        difference += ours_seen[value] - other_seen[value]
        largest = max(largest, abs(difference))
    n = len(mine)
    limit = math.sqrt(math.log(2 * 2 * len(CASES) / FALSE_ALARM) / n)
    return largest / n / limit


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool")
    parser.add_argument("--draws", type=int, default=100_000)
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    try:
        import opendp.prelude as dp
    except ImportError:
        print("skipped: opendp is not installed (tests/oracles/opendp_requirements.txt)")
        return SKIPPED
    dp.enable_features("contrib")
    failures, worst = 0, 0.0
    for law, a, b, scale in CASES:
        mine = ours(arguments.tool, law, a, b, arguments.draws)
        other = theirs(dp, law, scale, arguments.draws)
        shares = chi_square_share(mine, other), distance_share(mine, other)
        worst = max(worst, *shares)
        failures += max(shares) > 1
        if arguments.verbose or max(shares) > 1:
            print(f"{law} {a} {b}: chi-square {shares[0]:.2f}, "
                  f"distance {shares[1]:.2f} of the limit")
    print(f"{len(CASES)} laws, {arguments.draws} draws each of ours and of OpenDP's; the largest "
          f"statistic is {worst:.2f} of its limit")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

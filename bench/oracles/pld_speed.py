#!/usr/bin/env python3
"""Times our PLD accountant and Google's dp-accounting on one plan of 1,000 different mechanisms.

usage: pld_speed.py PATH_OF_pld_epsilons [--mechanisms N]

Both discretise by connecting the dots on a grid of 1e-4 and compose everything. dp-accounting is
given the plan in two ways: one mechanism after the other, as its accountant does, and in pairs of
the shortest, which is the order that suits it best. Processor time, so that the machine's other
work counts for neither. Exits 77 where the package of tests/oracles/requirements.txt is absent.
"""

import argparse
import heapq
import itertools
import subprocess
import sys
import time

SKIPPED = 77
GRID = 1e-4
DELTA = 1e-6
OUR_RUNS = 5
TOLERANCE = 1e-5  # dp-accounting composes the Gaussians on the grid; we merge them exactly


def workload(mechanisms):
    """Laplace, black box and Gaussian in turn (the letters of pld_epsilons.cc), no two alike."""
    # dp-accounting rounds the losses of a black box up to the grid: only there is it tight.
    on_grid = (k * GRID for k in itertools.count(100) if k * GRID / GRID == k)
    return [("b", next(on_grid)) if i % 3 == 1 else ("lbg"[i % 3], 0.01 + 2e-5 * i)
            for i in range(mechanisms)]


def ours(tool, steps):
    """The epsilon, and the least processor time of a run, its start apart as for the other side."""
    words = [repr(DELTA), repr(GRID)]
    for letter, parameter in steps:
        words += [letter, repr(parameter), "0", "1"]
    line = " ".join(words) + "\n"
    seconds = []
    for _ in range(OUR_RUNS):
        run = subprocess.run([tool, "--time"], input=line, check=True, capture_output=True, text=True)
        epsilon, taken = run.stdout.split()
        seconds.append(float(taken))
    return float(epsilon), min(seconds)


def law(package, letter, parameter):
    options = {"value_discretization_interval": GRID, "use_connect_dots": True}
    if letter == "g":
        return package.from_gaussian_mechanism(1 / parameter, **options)
    if letter == "l":
        return package.from_laplace_mechanism(1 / parameter, **options)
    return package.from_privacy_parameters(
        package.common.DifferentialPrivacyParameters(parameter, 0.0),
        value_discretization_interval=GRID)


def in_order(laws):
    total = laws[0]
    for other in laws[1:]:
        total = total.compose(other)
    return total


def in_pairs(laws):
    heap = [(1, number, one) for number, one in enumerate(laws)]
    while len(heap) > 1:
        size, number, one = heapq.heappop(heap)
        other_size, _, other = heapq.heappop(heap)
        heapq.heappush(heap, (size + other_size, number, one.compose(other)))
    return heap[0][2]


def theirs(package, steps, compose):
    start = time.process_time()
    total = compose([law(package, letter, parameter) for letter, parameter in steps])
    epsilon = total.get_epsilon_for_delta(DELTA)
    return epsilon, time.process_time() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool")
    parser.add_argument("--mechanisms", type=int, default=1000)
    arguments = parser.parse_args()
    try:
        from dp_accounting.pld import privacy_loss_distribution as package
    except ImportError:
        print("skipped: dp-accounting is not installed (tests/oracles/requirements.txt)")
        return SKIPPED
    steps = workload(arguments.mechanisms)
    epsilon, seconds = ours(arguments.tool, steps)
    print(f"PLD of {len(steps)} different mechanisms (Laplace, black box, Gaussian), "
          f"grid {GRID:g}, epsilon at delta {DELTA:g}; processor time")
    print(f"  ours                    {seconds * 1e3:9.1f} ms   epsilon {epsilon:.9f}")
    worst = 0.0
    for name, compose in (("in order", in_order), ("in pairs", in_pairs)):
        other, other_seconds = theirs(package, steps, compose)
        difference = epsilon / other - 1
        worst = max(worst, abs(difference))
        print(f"  dp-accounting, {name} {other_seconds:9.2f} s    epsilon {other:.9f}   "
              f"{other_seconds / seconds:.0f} times ours; epsilon ours/theirs {difference:+.1e}")
    if worst > TOLERANCE:
        print(f"the epsilons differ by more than {TOLERANCE:g}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

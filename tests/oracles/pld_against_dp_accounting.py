#!/usr/bin/env python3
"""Compares our PLD accountant with Google's dp-accounting on random workloads.

usage: pld_against_dp_accounting.py PATH_OF_pld_epsilons [--workloads N] [--verbose]

Both discretise by connecting the dots on the same grid. We merge Gaussian steps exactly where
dp-accounting composes them on the grid, so its Gaussian steps are merged too in one half of the
workloads that have some, and in the other half the grid is fine enough for both to agree. Black
boxes lie on the grid, because dp-accounting rounds their losses up to it. Exits 77 (skipped) where the package of requirements.txt is absent.
"""

import argparse
import math
import random
import subprocess
import sys
import time

TOLERANCE = 1e-6
SKIPPED = 77


def random_step(rng, letters):
    letter = rng.choice(letters)
    low, high = {"g": (0.02, 0.6), "l": (0.02, 0.8), "b": (0.02, 0.6)}[letter]
    parameter = math.exp(rng.uniform(math.log(low), math.log(high)))
    delta = 0.0
    if letter == "b":  # there dp-accounting rounds losses up: it is tight on the grid only
        parameter = math.ceil(parameter * 2**10) / 2**10
        delta = rng.choice([0.0, 1e-10, 1e-9])
    return letter, parameter, delta, rng.choice([1, 1, 2, 3, 8])


def random_workload(rng, number):
    letters = ("g", "l", "b", "gl", "gb", "lb", "glb", "glb")[number % 8]
    steps = [random_step(rng, letters) for _ in range(rng.randint(1, 6))]
    merged = number % 16 < 8
    grid = 2.0**-13 if merged or "g" not in letters else 2.0**-16
    return rng.choice([1e-3, 1e-5, 1e-6, 1e-7]), grid, merged, steps


def ours(tool, workloads):
    lines = []
    for delta, grid, _, steps in workloads:
        words = [repr(delta), repr(grid)]
        for letter, parameter, step_delta, count in steps:
            words += [letter, repr(parameter), repr(step_delta), str(count)]
        lines.append(" ".join(words))
    run = subprocess.run([tool], input="\n".join(lines) + "\n", check=True,
                         capture_output=True, text=True)
    return [float(line) for line in run.stdout.split()]


def merge_gaussians(steps):
    squares = sum(count * mu * mu for letter, mu, _, count in steps if letter == "g")
    rest = [step for step in steps if step[0] != "g"]
    return rest + [("g", math.sqrt(squares), 0.0, 1)] if squares else rest


def theirs(package, workload):
    delta, grid, merged, steps = workload
    total = None
    for letter, parameter, step_delta, count in merge_gaussians(steps) if merged else steps:
        options = {"value_discretization_interval": grid, "use_connect_dots": True}
        if letter == "g":
            options["log_mass_truncation_bound"] = -60
            step = package.from_gaussian_mechanism(1 / parameter, **options)
        elif letter == "l":
            step = package.from_laplace_mechanism(1 / parameter, **options)
        else:
            step = package.from_privacy_parameters(
                package.common.DifferentialPrivacyParameters(parameter, step_delta),
                value_discretization_interval=grid,
            )
        if count > 1:
            step = step.self_compose(count)
        total = step if total is None else total.compose(step)
    return total.get_epsilon_for_delta(delta)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool")
    parser.add_argument("--workloads", type=int, default=64)
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    try:
        from dp_accounting.pld import privacy_loss_distribution as package
    except ImportError:
        print("skipped: dp-accounting is not installed (tests/oracles/requirements.txt)")
        return SKIPPED
    rng = random.Random(20240501)
    workloads = [random_workload(rng, number) for number in range(arguments.workloads)]
    start = time.monotonic()
    mine = ours(arguments.tool, workloads)
    middle = time.monotonic()
    google = [theirs(package, workload) for workload in workloads]
    end = time.monotonic()
    differences = []
    for workload, epsilon, other in zip(workloads, mine, google):
        differences.append((epsilon - other) / max(other, 1e-9))
        if arguments.verbose or abs(differences[-1]) > TOLERANCE:
            print(f"{differences[-1]:+.2e} ours {epsilon:.12g} dp-accounting {other:.12g}", workload)
    worst = max(map(abs, differences))
    print(f"{len(differences)} workloads, relative difference from {min(differences):+.2e} "
          f"to {max(differences):+.2e}; ours {middle - start:.2f} s, "
          f"dp-accounting {end - middle:.2f} s")
    return 0 if worst <= TOLERANCE else 1


if __name__ == "__main__":
    sys.exit(main())

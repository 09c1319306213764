#!/usr/bin/env python3
"""Keeps docs/results/noise.md true. Usage: check_noise.py SOURCE BUILD [--update]

Plans queries with one to eight sums, takes the noise from the plans as `dpsql check` prints them,
and compares it with the theory, computed here anew, and with DPSQL+. Fails where ours is above the
theory's, or where the page shows other numbers.
"""
import difflib
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

PAGE = "docs/results/noise.md"
ASKED = [(1.0, 1e-6), (0.1, 1e-7)]
MOST_SUMS = 8
LEAK_SHARE = 1e-5  # of the budget's delta, for one key selection under gdp
PRINTED = 1e-5  # plans print six digits

# DPSQL+ as its own program calibrates, C = 1, sensitivities 1: (epsilon, sums) to sigma of an
# aggregate, sigma of the count, tau - k; by default, and with the PLD accountant switched on.
BY_DEFAULT = {
    (1.0, 1): (8.348, 8.632, 43.39), (1.0, 2): (12.471, 12.898, 65.82),
    (1.0, 3): (16.594, 17.163, 88.52), (1.0, 5): (24.839, 25.694, 134.5),
    (1.0, 8): (37.207, 38.491, 204.3), (0.1, 1): (82.55, 85.41, 465.6),
    (0.1, 3): (165.0, 170.7, 951.5), (0.1, 8): (371.1, 384.0, 2194)}
SWITCHED_ON = {
    (1.0, 1): (5.995, 6.191, 31.12), (1.0, 2): (7.340, 7.576, 38.67),
    (1.0, 3): (8.514, 8.787, 45.32), (1.0, 5): (10.392, 10.720, 56.10),
    (1.0, 8): (12.784, 13.181, 69.96), (0.1, 1): (59.04, 61.02, 332.6),
    (0.1, 3): (83.06, 85.76, 478.0), (0.1, 8): (124.6, 128.5, 734.3)}

POLICY = """[dataset]
name = "noise"
unit = "person"
[budget]
epsilon = {epsilon}
delta = {delta}
accountant = "{accountant}"
[query]
epsilon = {epsilon}
delta = {delta}
min_frequency = 1
max_groups_per_unit = 1
[tables.person]
unit = "id"
primary_key = "id"
[tables.person.columns]
id = {{ type = "BIGINT", nullable = false }}
city = {{ type = "VARCHAR", nullable = false }}
"""

HEAD = """# The noise of one query

Written by `tests/docs/check_noise.py`, which is a test: it plans each query, reads the noise off
the plan, and fails where it is above the theory's.

A query asks for the sums of one to eight columns, each with values in [0, 1] and one row per unit,
at a given (ε, δ) that is the whole budget. Sensitivities are 1, so σ is the standard deviation of a
sum's noise. The keys of grouped queries are unknown, k = 1, a unit is in one group.

- *DPSQL+* gives each aggregate and key selection (ε, δ)/(n+1); these columns are computed from its
  formulas and agree with what its program prints. *With PLD* is its calibration by privacy loss
  distributions, which its Python interface can switch on and its SQL cannot; as its program
  printed it, where that was run.
- *Theory* is the least noise: μ(ε, δ) of the analytic Gaussian mechanism, its square shared equally
  by the sums and, where keys are selected, their count.
"""

GDP = """
Under `gdp` many key selections share one part of δ, so each may leak 1e-5 of the budget's δ only:
τ lies higher than one query alone would need, and the noise is not touched by it.
"""

BASIC = """
## Mean absolute error under `basic`

`basic` charges a query its (ε, δ), so the planner is free to take the mechanism with the smaller
error: Laplace with ε split equally between the sums and key selection, E|noise| = parts/ε, or the
Gaussian one, E|noise| = 0.798 σ. The error of DPSQL+ is that of its Gaussian noise.
"""


def gaussian_delta(epsilon, mu):
    cdf = statistics.NormalDist().cdf
    return cdf(-epsilon / mu + mu / 2) - math.exp(epsilon) * cdf(-epsilon / mu - mu / 2)


def gaussian_mu(epsilon, delta):
    """The largest mu whose Gaussian mechanism is (epsilon, delta)-DP."""
    low, high = 1e-6, 50.0
    for _ in range(200):
        middle = (low + high) / 2
        if gaussian_delta(epsilon, middle) <= delta:
            low = middle
        else:
            high = middle
    return low


def quantile(probability):
    return -statistics.NormalDist().inv_cdf(probability)


def dpsql_plus(epsilon, delta, sums):
    """Its default calibration: sigma of an aggregate, sigma of the count, tau - k."""
    parts = sums + 1
    count = 1 / gaussian_mu(epsilon / parts, delta / parts / 2)
    return (1 / gaussian_mu(epsilon / parts, delta / parts), count,
            count * quantile(delta / parts / 2))


class Plan:
    """The numbers of one plan."""

    def __init__(self, text):
        noise = re.findall(r"^  (?:statistic)?\s+value of .*?, (?:(\w+) )?noise sd (\S+)$", text, re.M)
        self.sums = len(noise)
        self.mechanism = noise[0][0] or "gaussian"
        self.sigma = max(float(sd) for _, sd in noise)
        count = re.search(r"count noise sd (\S+),", text)
        self.count = float(count[1]) if count else None
        tau = re.search(r"noisy count reaches (\d+)|from (\d+) units on for certain", text)
        self.tau_above_k = int(tau[1] or tau[2]) - 1 if tau else None

    def mean_error(self):
        if self.mechanism == "laplace":
            return self.sigma / math.sqrt(2)
        return self.sigma * math.sqrt(2 / math.pi)


def plans(program, accountant, asked):
    """The plans of 1 to 8 sums, scalar and grouped."""
    columns = [f"x{i + 1}" for i in range(MOST_SUMS)]
    policy = POLICY.format(epsilon=asked[0], delta=asked[1], accountant=accountant)
    for name in columns:
        policy += f'{name} = {{ type = "INTEGER", nullable = false, lower = 0, upper = 1 }}\n'
    sums = [", ".join(f"sum({name})" for name in columns[:n + 1]) for n in range(MOST_SUMS)]
    scalar = [f"SELECT {text} FROM person" for text in sums]
    grouped = [f"SELECT city, {text} FROM person GROUP BY city" for text in sums]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "noise.toml"
        path.write_text(policy)
        done = subprocess.run([program, "check", "--policy", path, "--format", "json",
                               "-c", "; ".join(scalar + grouped)],
                              capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        sys.exit(f"dpsql check: {done.stdout}{done.stderr}")
    found = [Plan(json.loads(line)["plan"]) for line in done.stdout.splitlines()]
    if [plan.sums for plan in found] != 2 * list(range(1, MOST_SUMS + 1)):
        sys.exit(f"the sums of the plans are {[plan.sums for plan in found]}")
    return found[:MOST_SUMS], found[MOST_SUMS:]


def table(head, rows):
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n" + "".join("| " + " | ".join(line) + " |\n" for line in lines)


def number(value):
    if value is None:
        return ""
    return f"{value:.0f}" if value >= 1000 else f"{value:.4g}"


class Noise:
    """The page, and what is wrong with the noise."""

    def __init__(self, program):
        self.program = program
        self.failures = []
        self.text = HEAD

    def at_most(self, what, ours, bound):
        if ours > bound * (1 + PRINTED):
            self.failures.append(f"{what}: {ours} is above {bound}")

    def check_data(self):
        for (epsilon, sums), printed in BY_DEFAULT.items():
            computed = dpsql_plus(epsilon, dict(ASKED)[epsilon], sums)
            if any(abs(a - b) > 1e-3 * b for a, b in zip(computed, printed)):
                self.failures.append(f"DPSQL+ {epsilon}, {sums}: {computed}, it prints {printed}")

    def gdp(self, asked):
        mu = gaussian_mu(*asked)
        scalar, grouped = plans(self.program, "gdp", asked)
        name = f"({asked[0]:g}, {asked[1]:g})"
        scalar_rows, grouped_rows = [], []
        for n in range(1, MOST_SUMS + 1):
            theirs, better = dpsql_plus(*asked, n), SWITCHED_ON.get((asked[0], n), (None,) * 3)
            ours, least = scalar[n - 1], math.sqrt(n) / mu
            self.at_most(f"{name}, {n} sums, scalar", ours.sigma, least)
            scalar_rows.append([str(n), *map(number, (theirs[0], better[0], least, ours.sigma)),
                                f"{theirs[0] / ours.sigma:.2f}"])
            ours, least = grouped[n - 1], math.sqrt(n + 1) / mu
            self.at_most(f"{name}, {n} sums, grouped", ours.sigma, least)
            self.at_most(f"{name}, {n} sums, count", ours.count, least)
            # Half a step for rounded noise and a whole one because tau is a whole number.
            self.at_most(f"{name}, {n} sums, tau", ours.tau_above_k,
                         least * quantile(LEAK_SHARE * asked[1]) + 1.5)
            grouped_rows.append([str(n), *map(number, (theirs[0], theirs[2], better[0], better[2],
                                                       least, ours.sigma, ours.tau_above_k)),
                                 f"{theirs[0] / ours.sigma:.2f}"])
        self.text += f"\n## {name}, `gdp`\n\nScalar, σ of each sum:\n" + table(
            ["sums", "DPSQL+", "with PLD", "theory", "ours", "DPSQL+ / ours"], scalar_rows)
        self.text += "\nGrouped, σ of each sum and τ − k:\n" + table(
            ["sums", "DPSQL+ σ", "τ − k", "with PLD σ", "τ − k", "theory σ", "ours σ", "τ − k",
             "DPSQL+ σ / ours"], grouped_rows)

    def basic(self, asked):
        scalar, grouped = plans(self.program, "basic", asked)
        name = f"({asked[0]:g}, {asked[1]:g})"
        rows = []
        for n in range(1, MOST_SUMS + 1):
            theirs = dpsql_plus(*asked, n)[0] * math.sqrt(2 / math.pi)
            ours = [(scalar[n - 1], n / asked[0]), (grouped[n - 1], (n + 1) / asked[0])]
            for plan, least in ours:
                self.at_most(f"basic {name}, {n} sums", plan.mean_error(), least)
            rows.append([str(n), number(theirs)] + [
                word for plan, least in ours
                for word in (number(least), number(plan.mean_error()), plan.mechanism)])
        self.text += f"\n{name}:\n" + table(
            ["sums", "DPSQL+", "scalar: parts/ε", "ours", "", "grouped: parts/ε", "ours", ""], rows)

    def make(self):
        self.check_data()
        self.text += GDP
        for asked in ASKED:
            self.gdp(asked)
        self.text += BASIC
        for asked in ASKED:
            self.basic(asked)


def main():
    source, build = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    noise = Noise(build / "dpsql")
    noise.make()
    page = source / PAGE
    if "--update" in sys.argv:
        page.write_text(noise.text)
    committed = page.read_text() if page.exists() else ""
    print("".join(difflib.unified_diff(
        committed.splitlines(True), noise.text.splitlines(True), PAGE, "now")), end="")
    for failure in noise.failures:
        print(f"FAILED: {failure}")
    return 1 if noise.failures or committed != noise.text else 0


if __name__ == "__main__":
    sys.exit(main())

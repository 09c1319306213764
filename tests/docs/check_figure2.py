#!/usr/bin/env python3
"""Keeps docs/reference/figure2.md and its plot true. Usage: check_figure2.py SOURCE PROGRAM [--update]

The block marked `text figure2` is what the program prints, docs/figures/figure2.svg is what it
draws, and the counts that the page is about are among what it computes.
"""
import csv
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```text figure2\n(.*?)^```$", re.M | re.S)

# Our gdp filter at the noise of DPSQL+, one aggregate: budget, shape, queries.
HEADLINES = [("0.2", "scalar", 18), ("1", "scalar", 326), ("0.2", "grouped", 9),
             ("1", "grouped", 168)]


def run(program, *arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout


def wrong_headlines(rows):
    for epsilon, shape, queries in HEADLINES:
        found = [row["queries"] for row in rows
                 if (row["accountant"], row["noise"], row["aggregates"]) == ("ours gdp", "DPSQL+", "1")
                 and (row["budget_epsilon"], row["shape"]) == (epsilon, shape)]
        if found != [str(queries)]:
            yield f"epsilon {epsilon}, {shape}: {queries} expected, {found} computed"


def main():
    source, program = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    page, plot = source / "docs/reference/figure2.md", source / "docs/figures/figure2.svg"
    with tempfile.TemporaryDirectory() as folder:
        drawn = pathlib.Path(folder) / "figure2.svg"
        table = run(program, "--svg", drawn)
        svg = drawn.read_text()
    text = page.read_text()
    if "--update" in sys.argv:
        page.write_text(BLOCK.sub(lambda _: f"```text figure2\n{table}```", text))
        plot.write_text(svg)
        return 0
    failures = list(wrong_headlines(list(csv.DictReader(run(program, "--csv").splitlines()))))
    if BLOCK.findall(text) != [table]:
        failures.append(f"{page.name} shows another table than the program:\n{table}")
    if plot.read_text() != svg:
        failures.append(f"{plot.name} is not what the program draws")
    for failure in failures:
        print(f"FAILED: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Keeps docs/reference/figure2.md and its rows true. Usage: check_figure2.py SOURCE PROGRAM [--update]

The block marked `text figure2` is what the program prints, docs/results/figure2.csv are its rows, and
the counts that the page is about are among them. The plot is drawn by bench/results.
"""
import csv
import pathlib
import re
import subprocess
import sys

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
    page, rows = source / "docs/reference/figure2.md", source / "docs/results/figure2.csv"
    table, computed = run(program), run(program, "--csv")
    text = page.read_text()
    if "--update" in sys.argv:
        page.write_text(BLOCK.sub(lambda _: f"```text figure2\n{table}```", text))
        rows.write_text(computed)
        return 0
    failures = list(wrong_headlines(list(csv.DictReader(computed.splitlines()))))
    if BLOCK.findall(text) != [table]:
        failures.append(f"{page.name} shows another table than the program:\n{table}")
    if rows.read_text() != computed:
        failures.append(f"{rows.name} is not what the program computes")
    for failure in failures:
        print(f"FAILED: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

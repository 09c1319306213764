#!/usr/bin/env python3
"""Which lines of the rooms the tests run, from the counters of a build of DPSQL_COVERAGE.

usage: coverage.py BUILD [--page FILE]

Prints a table and the lines of `make audit`; exits with 1 where a room of GUARDED has fewer than
LEAST of its lines run. With --page it writes the page of docs/results too.
"""

import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ROOMS = (
    "base sql catalog privacy aggregates validate plan account backend noise publish engine".split()
)
GUARDED = ("privacy", "plan", "account", "noise")
LEAST = 0.95
BATCH = 20

PAGE = """# Which lines the tests run

Written by `make coverage`, which builds everything with gcc's counters, runs `make test` with it
and fails where {guarded} have fewer than {least:.0%} of their lines run. A line is one that gcc made
code of; tests, and headers that are not the room's own, do not count. Children that a test kills
take their counters with them, so that the true numbers are a little higher.

| room | lines | run | |
| --- | ---: | ---: | ---: |
{rooms}

Files of these rooms with fewer than {least:.0%}:

| file | lines | run | | not run |
| --- | ---: | ---: | ---: | --- |
{files}
"""


def is_counted(path):
    """Whether a file is a room's own and no test."""
    return path.parts[:1] == ("src",) and not path.stem.endswith("_test")


def read_counters(notes, scratch):
    """Yields (path, line, count) from the counters beside some notes of the compiler."""
    folder = tempfile.mkdtemp(dir=scratch)
    command = ["gcov", "--json-format", "--preserve-paths", *map(str, notes)]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    for report in Path(folder).glob("*.gcov.json.gz"):
        tree = json.loads(gzip.decompress(report.read_bytes()))
        for entry in tree["files"]:
            path = Path(os.path.normpath(Path(tree["current_working_directory"]) / entry["file"]))
            if not path.is_relative_to(ROOT) or not is_counted(path.relative_to(ROOT)):
                continue
            for line in entry["lines"]:
                yield path.relative_to(ROOT), line["line_number"], line["count"]


def collect(build):
    """{path: {line: how often}} over all objects. A line of a header counts where any ran it."""
    notes = sorted(build.rglob("*.gcno"))
    if not any(build.rglob("*.gcda")):
        sys.exit(f"{build}: no counters; run the tests of a build of DPSQL_COVERAGE first")
    lines = defaultdict(lambda: defaultdict(int))
    batches = [notes[i : i + BATCH] for i in range(0, len(notes), BATCH)]
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(2) as pool:
        for found in pool.map(lambda batch: list(read_counters(batch, scratch)), batches):
            for path, line, count in found:
                lines[path][line] += count
    return lines


def share(run, lines):
    return run / lines if lines else 1.0


def stretches(numbers):
    """Lines as a reader writes them: 3, 7-9."""
    parts = []
    for number in sorted(numbers):
        if parts and number == parts[-1][1] + 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def rows_of(lines):
    """(room, lines, run) for each room, and (path, lines, run, missed) for each guarded file."""
    rooms, files = [], []
    for room in ROOMS:
        own = {path: counts for path, counts in lines.items() if path.parts[1] == room}
        total = sum(len(counts) for counts in own.values())
        run = sum(count > 0 for counts in own.values() for count in counts.values())
        rooms.append((room, total, run))
        for path, counts in sorted(own.items()):
            missed = [line for line, count in counts.items() if count == 0]
            if room in GUARDED and share(len(counts) - len(missed), len(counts)) < LEAST:
                files.append((path, len(counts), len(counts) - len(missed), stretches(missed)))
    return rooms, files


def write_page(path, rooms, files):
    room_rows = [f"| `{room}` | {n} | {run} | {share(run, n):.1%} |" for room, n, run in rooms]
    file_rows = [
        f"| `{file}` | {n} | {run} | {share(run, n):.1%} | {missed} |"
        for file, n, run, missed in files
    ]
    guarded = ", ".join(f"`{room}`" for room in GUARDED[:-1]) + f" or `{GUARDED[-1]}`"
    page = PAGE.format(
        guarded=guarded, least=LEAST, rooms="\n".join(room_rows), files="\n".join(file_rows)
    )
    path.write_text(page, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=Path)
    parser.add_argument("--page", type=Path)
    arguments = parser.parse_args()
    rooms, files = rows_of(collect(arguments.build.resolve()))
    for room, lines, run in rooms:
        print(f"{room:<12}{lines:>7}{run:>7}  {share(run, lines):6.1%}")
    for file, lines, run, missed in files:
        print(f"  {file}  {share(run, lines):.1%}  not run: {missed}")
    if arguments.page:
        write_page(arguments.page, rooms, files)
    for room, lines, run in rooms:
        line = {"kind": "coverage", "room": room, "lines": lines, "covered": run}
        print("#audit " + json.dumps(line))
    low = [room for room, n, run in rooms if room in GUARDED and share(run, n) < LEAST]
    if low:
        print("fewer than {:.0%} of the lines run: {}".format(LEAST, ", ".join(low)))
    return int(bool(low))


if __name__ == "__main__":
    sys.exit(main())

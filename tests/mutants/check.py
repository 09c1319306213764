#!/usr/bin/env python3
"""Keeps the seeded bugs usable. usage: check.py SOURCE BUILD

Every one of tests/mutants/seeded still applies, in one place, and names tests of `make test` that
exist; every room of src has two; the page docs/results/mutants.md lists them all. Nothing is built
here: `make mutants` does that.
"""
import collections
import pathlib
import sys

import mutant as seeded

FEWEST = 135
FEWEST_OF_A_ROOM = 2
LEFT_OUT = {"audit", "servers"}  # labels that `make test` does not run


def flaws_of(mutant, root, tests):
    try:
        mutant.changed(root)
    except seeded.Wrong as wrong:
        yield str(wrong)
    for name in mutant.killers:
        if name == seeded.COMPILE:
            continue
        if name not in tests:
            yield f"{mutant.name}: there is no test {name}"
        elif LEFT_OUT & set(tests[name].labels):
            yield f"{mutant.name}: {name} is no test of make test"


def find_flaws(root, build):
    mutants = seeded.read_all(root)
    tests = seeded.read_tests(build)
    for mutant in mutants:
        yield from flaws_of(mutant, root, tests)
    of_room = collections.Counter(mutant.room for mutant in mutants)
    for folder in sorted((root / "src").iterdir()):
        if folder.is_dir() and of_room[folder.name] < FEWEST_OF_A_ROOM:
            yield f"the room {folder.name} has {of_room[folder.name]} seeded bugs"
    if len(mutants) < FEWEST:
        yield f"there are {len(mutants)} seeded bugs, fewer than {FEWEST}"
    page = root / seeded.PAGE
    if not page.exists() or page.read_text() != seeded.page(mutants):
        yield f"{seeded.PAGE} is not of these bugs: run  make mutants"


def main():
    root, build = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    try:
        flaws = list(find_flaws(root, build))
    except seeded.Wrong as wrong:
        flaws = [str(wrong)]
    for flaw in flaws:
        print(flaw)
    sys.exit(1 if flaws else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Runs the tests of two builds of DPSQL_SANITIZE and prints the lines of `make audit`.

usage: run.py ASAN_BUILD TSAN_BUILD [--jobs N] [--only address|thread]

Address and undefined behaviour: all of `make test` but WITHOUT_ADDRESS. Threads: the tests of
account/ and engine/, of sessions, and every other unit test whose file starts threads or includes a
header of sources that do. Not the torture of the ledger: it stands between the program and the disk
before the checks are set up, and its clients are processes. Exits with 1 where a test fails; a
finding ends the program that has it.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PATIENCE = "50"  # some tests have limits of time, and such a build is slow
ROOT = HERE.parents[1]
TIMEOUT = "3000"

# Each with the reason why it cannot run in such a build.
WITHOUT_ADDRESS = {
    "package": "a program without the checks cannot load a library with them",
    "tidy": "reads sources, runs nothing",
    "tidy_self_test": "reads sources, runs nothing",
}

ADDRESS = {
    # DuckDB's library was compiled by others: what it keeps until the end is not ours to free.
    "LSAN_OPTIONS": f"suppressions={HERE / 'leak.supp'}:print_suppressions=0",
    # A test puts a library of its own before all others, to play a network disk.
    "ASAN_OPTIONS": "detect_stack_use_after_return=1:strict_string_checks=1"
    ":verify_asan_link_order=0",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}
THREAD = {
    # Tests fork while threads are at work; the child only executes another program or exits. DuckDB's
    # locking is not seen, so that its unlocking looks like that of a mutex nobody holds.
    "TSAN_OPTIONS": f"suppressions={HERE / 'thread.supp'}:die_after_fork=0:halt_on_error=1"
    ":second_deadlock_stack=1:report_mutex_bugs=0",
}


STARTS_THREADS = re.compile(r"std::(thread|async|jthread)\b|\bRunTasks\(")


def headers_of_threads():
    """The headers, as they are included, of all sources of the product that start threads."""
    sources = [path for path in (ROOT / "src").rglob("*")
               if path.suffix in (".h", ".cc") and not path.stem.endswith("_test")]
    return {str(path.with_suffix(".h").relative_to(ROOT / "src")) for path in sources
            if STARTS_THREADS.search(path.read_text(encoding="utf-8"))}


def thread_tests():
    """A pattern for the tests that matter to threads, by the suites in their files."""
    suites = set()
    headers = headers_of_threads()
    for file in [*(ROOT / "src").rglob("*_test.cc"), *ROOT.glob("tests/unit/*_test.cc")]:
        text = file.read_text(encoding="utf-8")
        of_room = file.parent.name in ("account", "engine") or "session" in file.stem
        starts = STARTS_THREADS.search(text) or headers & set(re.findall(r'#include "(.+)"', text))
        if of_room or starts:
            suites.update(re.findall(r"^TEST(?:_F|_P)?\(\s*(\w+)", text, re.MULTILINE))
    return "^(.*/)?(" + "|".join(sorted(suites)) + r")\."


def run(build, name, environment, selection, jobs):
    command = ["ctest", "--test-dir", str(build), f"-j{jobs}", "--output-on-failure"]
    command += ["--timeout", TIMEOUT, "-LE", "audit|servers", *selection]
    settings = {**os.environ, "DPSQL_PATIENCE": PATIENCE, **environment}
    result = subprocess.run(command, env=settings, stdout=subprocess.PIPE, text=True, check=False)
    found = re.search(r"(\d+) tests failed out of (\d+)", result.stdout)
    found = found or re.search(r"tests passed, (\d+) tests failed out of (\d+)", result.stdout)
    if found is None:
        sys.exit(f"{build}: ctest ran no test\n{result.stdout}")
    failed, tests = int(found[1]), int(found[2]) - result.stdout.count("***Skipped")
    if failed or result.returncode:
        print(result.stdout)
    line = {"kind": "sanitizer", "name": name, "tests": tests, "findings": failed}
    print("#audit " + json.dumps(line), flush=True)
    return failed or result.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("asan_build", type=Path)
    parser.add_argument("tsan_build", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", choices=("address", "thread"))
    arguments = parser.parse_args()
    failed = 0
    if arguments.only != "thread":
        for test, reason in WITHOUT_ADDRESS.items():
            print(f"left out: {test}: {reason}")
        without = ["-E", "^(" + "|".join(WITHOUT_ADDRESS) + ")$"]
        build = arguments.asan_build
        failed |= run(build, "address, undefined", ADDRESS, without, arguments.jobs)
    if arguments.only != "address":
        of_threads = ["-R", thread_tests()]
        failed |= run(arguments.tsan_build, "thread", THREAD, of_threads, arguments.jobs)
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())

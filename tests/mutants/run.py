#!/usr/bin/env python3
"""Puts each seeded bug into a copy of the sources and shows which tests fail.

usage: run.py SOURCE FOLDER [--duckdb DIR] [--lanes N] [NAME…]

FOLDER keeps the copies and their builds, one for each lane, between runs. Every test that a bug
names must pass without it and fail with it. Exits 1 where one does not. With all bugs, and no
names, the page docs/results/mutants.md is written.
"""
import argparse
import json
import os
import pathlib
import queue
import re
import resource
import shutil
import subprocess
import sys
import threading
import time

import mutant as seeded

TIMEOUT = 600  # seconds: beside other work a test is slow, which is no failure
COPIED = ("CMakeLists.txt", "apps", "bench", "cmake", "docs", "examples", "include", "src", "tests",
          "tools", "completions", "README.md", "CONTRIBUTING.md", "Makefile")
# Quick to compile, and a changed room is linked once for all programs, some of which have no noise.
# Warnings are of no interest: a bug may leave a name unused.
CONFIGURATION = ("-G", "Ninja", "--log-level=WARNING", "-DCMAKE_BUILD_TYPE=None",
                 "-DCMAKE_CXX_FLAGS=-O1 -w", "-DDPSQL_CORE_LIBRARY=SHARED",
                 "-DCMAKE_LINK_DEPENDS_NO_SHARED=ON",
                 "-DCMAKE_EXE_LINKER_FLAGS=-Wl,-z,lazy,--allow-shlib-undefined")
GTEST_TEST = re.compile(r"^TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)", re.MULTILINE)
GTEST_NAME = re.compile(r"(?:\w+/)?(\w+)\.(\w+)(?:/\w+)?$")  # with the names of parameters


def copy_if_different(source, target):
    text = source.read_bytes()
    if target.exists() and target.read_bytes() == text:
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(text)
    shutil.copymode(source, target)


class Lane:
    """A copy of the sources with a build tree of its own."""

    def __init__(self, folder, jobs):
        self.source = folder / "source"
        self.build_folder = folder / "build"
        self.jobs = jobs
        self.tests = {}
        # The lanes share what they compile alike.
        self.environment = dict(os.environ, CCACHE_BASEDIR=str(folder.parent), CCACHE_NOHASHDIR="1")

    def copy_sources(self, root, unit_tests):
        """With these files of unit tests only: the others need not be compiled."""
        wanted = set()
        for name in COPIED:
            top = root / name
            files = [top] if top.is_file() else [one for one in top.rglob("*") if one.is_file()]
            for file in files:
                left_out = file.name.endswith("_test.cc") and file not in unit_tests
                if left_out or "__pycache__" in file.parts:
                    continue
                wanted.add(file.relative_to(root))
                copy_if_different(file, self.source / file.relative_to(root))
        for file in [one for one in self.source.rglob("*") if one.is_file()]:
            if file.relative_to(self.source) not in wanted:
                file.unlink()

    def configure(self, duckdb):
        command = ["cmake", "-S", str(self.source), "-B", str(self.build_folder), *CONFIGURATION]
        if duckdb:
            command.append(f"-DDUCKDB_ROOT={duckdb}")
        subprocess.run(command, check=True, env=self.environment, stdout=subprocess.DEVNULL)

    def build(self, targets):
        """Whether it compiles."""
        command = ["cmake", "--build", str(self.build_folder), f"-j{self.jobs}"]
        command += ["--target", *sorted(targets)]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True)
        self.log = done.stdout + done.stderr
        return done.returncode == 0

    def killers(self, mutant):
        return [self.tests[name] for name in mutant.killers if name != seeded.COMPILE]

    def try_mutant(self, mutant, root):
        """The tests that it survives; a text where it cannot be tried at all."""
        for file, text in mutant.changed(root).items():
            (self.source / file).write_text(text)
        try:
            targets = set().union(*(test.targets for test in self.killers(mutant)))
            compiles = self.build(targets or {seeded.UNIT_TESTS}) if needs_build(mutant, targets) else True
            if seeded.COMPILE in mutant.killers:
                return self.why_not_refused(mutant, compiles)
            if not compiles:
                return "it does not compile:\n" + self.log[-2000:]
            return [test.name for test in self.killers(mutant) if not test.fails(TIMEOUT)]
        finally:
            for file in mutant.files:
                shutil.copyfile(root / file, self.source / file)

    def why_not_refused(self, mutant, compiles):
        """Nothing where the compiler refuses it for the reason that the bug names. Only the line of
        the error counts: below it stands the text of the source."""
        if compiles:
            return [seeded.COMPILE]
        errors = [line for line in self.log.splitlines() if " error: " in line]
        if any(mutant.compiler_says in line for line in errors):
            return []
        return f"no error names {mutant.compiler_says}:\n" + self.log[-2000:]


def needs_build(mutant, targets):
    return bool(targets) or seeded.COMPILE in mutant.killers


def unit_tests_of(mutants, root):
    """The files that hold the tests of gtest among the killers."""
    names = [GTEST_NAME.match(name) for one in mutants for name in one.killers]
    killers = {name.groups() for name in names if name}
    files = set()
    for folder in ("src", "tests"):
        for file in (root / folder).rglob("*_test.cc"):
            if killers & set(GTEST_TEST.findall(file.read_text())):
                files.add(file)
    return files


def targets_of(mutants, lane):
    """What the killers need. Tests of gtest are not listed before their program is there."""
    tests = seeded.read_tests(lane.build_folder)
    targets = set()
    for name in {name for mutant in mutants for name in mutant.killers}:
        if name != seeded.COMPILE:
            targets |= tests[name].targets if name in tests else {seeded.UNIT_TESTS}
    return targets | {seeded.UNIT_TESTS}


def prepare(lanes, mutants, root, duckdb):
    """Builds the sources as they are in every lane. The first one fills the cache for the others
    with all the jobs there are. All bugs count here, so that a run of a few builds nothing anew."""
    unit_tests = unit_tests_of(mutants, root)
    for lane in lanes:
        lane.copy_sources(root, unit_tests)
        lane.configure(duckdb)
        jobs, lane.jobs = lane.jobs, lane.jobs * len(lanes)
        if not lane.build(targets_of(mutants, lane)):
            sys.exit("the sources as they are do not compile:\n" + lane.log[-4000:])
        lane.jobs = jobs
        lane.tests = seeded.read_tests(lane.build_folder)


def in_lanes(lanes, items, work):
    """Calls work(lane, item) for each item, in as many threads as there are lanes."""
    waiting = queue.SimpleQueue()
    for item in items:
        waiting.put(item)
    failures = []

    def drain(lane):
        while True:
            try:
                item = waiting.get_nowait()
            except queue.Empty:
                return
            try:
                work(lane, item)
            except Exception as failure:  # told below, in the main thread
                failures.append(failure)
                return

    threads = [threading.Thread(target=drain, args=(lane,)) for lane in lanes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def check_baseline(lanes, mutants):
    names = sorted({name for one in mutants for name in one.killers} - {seeded.COMPILE})
    unknown = [name for name in names if name not in lanes[0].tests]
    if unknown:
        sys.exit("no such tests: " + ", ".join(unknown))
    failed = []

    def run(lane, name):
        if lane.tests[name].fails(TIMEOUT):
            failed.append(name)

    in_lanes(lanes, names, run)
    if failed:
        sys.exit("these fail without any bug: " + ", ".join(sorted(failed)))


def run_all(lanes, mutants, root):
    """How many are killed."""
    killed = []

    def run(lane, mutant):
        start = time.monotonic()
        survived = lane.try_mutant(mutant, root)
        seconds = time.monotonic() - start
        if survived:
            text = survived if isinstance(survived, str) else "SURVIVES " + ", ".join(survived)
        else:
            text = ", ".join(mutant.killers)
            killed.append(mutant.name)
        print(f"{mutant.name:34} {mutant.room:11} {seconds:6.1f} s  {text}", flush=True)

    in_lanes(lanes, mutants, run)
    return len(killed)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--duckdb")
    parser.add_argument("--lanes", type=int, default=2)
    options = parser.parse_intermixed_args()
    start = time.monotonic()
    root = options.source.resolve()
    mutants = seeded.read_all(root)
    every = not options.names
    unknown = set(options.names) - {one.name for one in mutants}
    if unknown:
        sys.exit("no such bug: " + ", ".join(sorted(unknown)))
    jobs = max(1, (os.cpu_count() or 1) // options.lanes)
    lanes = [Lane(options.folder.resolve() / str(i + 1), jobs) for i in range(options.lanes)]
    prepare(lanes, mutants, root, options.duckdb)
    mutants = [one for one in mutants if every or one.name in options.names]
    check_baseline(lanes, mutants)
    print(f"built and checked without bugs in {time.monotonic() - start:.0f} s", flush=True)
    killed = run_all(lanes, mutants, root)
    seconds = round(time.monotonic() - start)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{killed} of {len(mutants)} killed in {seconds} s, which took "
          f"{used.ru_utime + used.ru_stime:.0f} s of one processor")
    if every and killed == len(mutants):
        (root / seeded.PAGE).write_text(seeded.page(mutants))
    print("#audit " + json.dumps({"kind": "mutants", "seeded": len(mutants), "killed": killed,
                                  "seconds": seconds}))
    sys.exit(0 if killed == len(mutants) else 1)


if __name__ == "__main__":
    main()

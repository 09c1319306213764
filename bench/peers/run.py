#!/usr/bin/env python3
"""Asks other people's programs the ten queries. Usage: run.py BUILD OUT.json [--trials N] [--seconds S]
[--epsilons E…] [--scale S] [--ours]

Makes all that is needed first: the peers' packages, a Python for each, and a PostgreSQL of its own without a port
with the columns that are asked (tables.sql) at scale 1. Then it runs SmartNoise SQL and Qrlew on it, each when
what ran before has left the load average. No question starts a new trial after
S seconds (1800, three times what 25 trials of the slowest known one take): a row with fewer than N says so.
PostgreSQL ends a peer's statement after 20 minutes. A question that a peer cannot answer has a row that says
why, and so has each one of a peer that cannot be installed, or from where its program died; those say that
they were not asked. --ours asks Q1, Q5, Q6, Q14 and Q19 of TPC-H as well, and adds what the exact queries and
ours take on the same server, and on DuckDB.

OUT.json is written anew after each row; who ends this program, politely, finds there what was measured until then.
A peer that fails does not end the others, nor does ours: they are named at the end, which is with 1 then.

The memory and CPU of a row are those of the process that asks. What PostgreSQL's processes take of CPU stands
beside them, as the mean of the counted trials.
"""
import argparse
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "engines"))
sys.path.insert(0, str(HERE.parent.parent / "tests/failures"))
sys.path.append(str(HERE.parent / "speed"))

import data  # noqa: E402
import pages  # noqa: E402
import postgresql_server  # noqa: E402
import trials  # noqa: E402
from measured import interruptible  # noqa: E402

LIMIT = f"-c statement_timeout={trials.STATEMENT}s"  # libpq tells it to the server, whatever a peer asks by
SETTINGS = ("shared_buffers=512MB", "work_mem=256MB")
TOLD_SETTINGS = ("shared_buffers", "work_mem", "fsync")
ENGINES = ("PostgreSQL", "DuckDB")
NOT_YET = "it was not asked all before the run ended"


class Found:
    """What was measured, written after each row: what ends this program later loses none."""

    def __init__(self, path, engines):
        self.path, self.all = path, {"rows": [], "ours": {}, "peers": {}}
        for engine in engines:
            self.all["ours"][engine] = {"rows": [], "failed": NOT_YET}
        for peer in trials.SYSTEMS:
            self.all["peers"][peer] = {"failed": NOT_YET}

    def keep(self):
        whole = self.path.with_name(f"{self.path.name}.new")
        whole.write_text(json.dumps(self.all, indent=1) + "\n")
        whole.rename(self.path)

    def take(self, peer, part):
        if "query" in part:
            self.all["rows"].append(part)
        else:
            self.all["peers"][peer].update(part)
        self.keep()

    def failures(self):
        parts = [(f"ours on {engine}", part) for engine, part in self.all["ours"].items()]
        parts += [(trials.SYSTEMS[peer], part) for peer, part in self.all["peers"].items()]
        return [f"{name}: {part['failed']}" for name, part in parts if "failed" in part]


def silence(seconds):
    """Longer without a row than any question that still goes on: its truth, the trial that warms up and the
    last one are a statement each, and the others have their time."""
    return float(seconds) + 4 * trials.STATEMENT


def lines_of(process, longest):
    """As they come. A process that says nothing for longer is ended."""
    while True:
        alarm = threading.Timer(longest, process.kill)
        alarm.daemon = True  # else it would keep an interrupted program for as long
        alarm.start()
        try:
            line = process.stdout.readline()
        finally:
            alarm.cancel()
        if not line:
            return
        yield line


def hand_over(process, longest, take):
    for line in lines_of(process, longest):
        if line.startswith("{") and line.endswith("\n"):  # a program that dies may cut its last one
            print(line, end="", file=sys.stderr, flush=True)
            take(json.loads(line))


def ended(command, longest, take):
    """Hands over each line of JSON as it comes, the next within `longest` seconds. Why the program failed, or
    nothing."""
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as complaints:
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=complaints, text=True,
                              env={**os.environ, "PGOPTIONS": LIMIT}) as process:
            try:
                hand_over(process, longest, take)
            except BaseException:
                process.kill()
                raise
        complaints.seek(0)
        last = (complaints.read().split("\n\n")[-1].strip() or "nothing more was said").splitlines()[-1]
    return f"its program ended with {process.returncode}: {last}" if process.returncode else ""


def not_asked(peer, rows, options):
    """A row for each question to which its program did not come."""
    answered = {(row["query"], row["epsilon"]) for row in rows if row["system"] == trials.SYSTEMS[peer]}
    return [{"query": query, "epsilon": epsilon, "system": trials.SYSTEMS[peer], "asked": False}
            for query in trials.SETS[kind_of(options)] for epsilon in map(float, options.epsilons)
            if (query, epsilon) not in answered]


def kind_of(options):
    return "all" if options.ours else "paper"


def python_of(peer):
    """Its own, or nothing where its packages could not be installed."""
    done = subprocess.run([HERE / "python.sh", peer], stdout=subprocess.PIPE, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def begin(told):
    """What was made and asked before does not count for who is asked next."""
    pages.settle()
    told["recorded"] = pages.provenance()


def ask(peer, python, server, options, found):
    failed = "its packages could not be installed"
    if python:
        begin(found.all["peers"][peer])
        failed = ended([python, "-B", HERE / f"ask_{peer}.py", server.folder,
                        str(server.process), kind_of(options), options.trials, options.seconds,
                        *options.epsilons], silence(options.seconds),
                       lambda part: found.take(peer, part))
    missing = not_asked(peer, found.all["rows"], options)
    if missing and not failed:
        failed = "its program left out questions"
    found.all["rows"] += [trials.cannot(row, failed) for row in missing]
    found.all["peers"][peer]["failed"] = failed
    if not failed:
        del found.all["peers"][peer]["failed"]
    found.keep()


def ask_ours(build, words, told):
    """What the exact queries and ours take there, in turn; also the first of them, where it is interrupted."""
    begin(told)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "engines.json"
        try:
            done = subprocess.run([build / "bench/engines/engines", words[0], "--set", "peers", "--json", path,
                                   *words[1:]], check=False)
        finally:
            told.update(json.loads(path.read_text()) if path.exists() else {})
    told["failed"] = f"its program ended with {done.returncode}"
    if done.returncode == 0:
        del told["failed"]


def engines_of(server, made):
    """What bench/engines is told of each."""
    return {"PostgreSQL": (postgresql_server.url(server.folder), "--server", str(server.process)),
            "DuckDB": (made / "tpch.duckdb",)}


def ask_all(build, server, options, found, words_of):
    """`words_of`: engine to what bench/engines is told. Nothing is made from here on."""
    pythons = {peer: python_of(peer) for peer in trials.SYSTEMS}
    found.all["recorded"] = pages.provenance()
    for engine, told in found.all["ours"].items():
        try:
            ask_ours(build, words_of[engine], told)
        finally:
            found.keep()
    for peer, python in pythons.items():
        ask(peer, python, server, options, found)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--trials", default="25")
    parser.add_argument("--seconds", default="1800")
    parser.add_argument("--epsilons", nargs="+", default=["0.1", "1", "10"])
    parser.add_argument("--scale", default="1")
    parser.add_argument("--ours", action="store_true")
    options = parser.parse_args()
    if postgresql_server.why_not():
        sys.exit(f"FAILED: {postgresql_server.why_not()}: tools/bootstrap/bootstrap.sh --oracles --engines")
    interruptible()
    build = options.build.resolve()
    made = data.tpch(build, options.scale, HERE / "tables.sql", ("csv",))
    found = Found(options.out, ENGINES if options.ours else ())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        with postgresql_server.PostgreSqlServer(folder / "postgresql", SETTINGS) as server:
            data.fill_postgresql(server, data.tpch_for_postgresql(made, HERE / "tables.sql"))
            found.all["versions"] = {"PostgreSQL": server.sql("SHOW server_version"),
                                     "Python": platform.python_version()}
            found.all["settings"] = {name: server.sql(f"SHOW {name}") for name in TOLD_SETTINGS}
            ask_all(build, server, options, found, engines_of(server, made))
    for failure in found.failures():
        print(f"FAILED: {failure}", file=sys.stderr)
    return 1 if found.failures() else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("FAILED: it was interrupted")

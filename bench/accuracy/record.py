#!/usr/bin/env python3
"""Draws, and keeps the figures. Usage: record.py BUILD RESULTS.json PART[=DRAWS]…

Each PART replaces its rows of RESULTS.json, the data of docs/results/accuracy.md; 1,000 draws of
each question where nothing is said:
  paper      the ten queries as in the paper
  session    ten rounds of them under one budget, kept by gdp
  unknown    its grouped queries where nobody declared the keys
  round      the ten queries with bounds that an owner would write
  frequency  the ten queries with k = 5, 10 and 50
  skew       a table with a few heavy people (visits.sql)
  peers      other people's programs (bench/peers); DRAWS are their trials, 25 where nothing is said
What was measured of others apart (baselines.json) is copied in each time. Beside each PART stand its commit,
day and load average.

Ledgers of the draws are written below TMPDIR, or where nobody set it below /dev/shm: each draw syncs its
debit, which on a busy disk takes most of the time and changes no number. `paper@SCALE` draws at another
scale of TPC-H than 1, `paper@0.1=25` 25 times; `paper:FILE` takes what the program wrote with --json, so that
parts can be drawn side by side, and `peers:FILE` what bench/peers/run.py wrote: a run that was killed has left it
in the cache.
"""
import hashlib
import json
import os
import pathlib
import platform
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent / "peers"), str(HERE.parent / "speed")]
import measured  # noqa: E402
import pages  # noqa: E402

PARTS = ["paper", "session", "unknown", "round", "frequency", "skew"]


def visits(build):
    """The skewed table, made once."""
    text = (HERE / "visits.sql").read_bytes()
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    database = cache / "dpsql" / f"visits-{hashlib.sha256(text).hexdigest()[:16]}.duckdb"
    if not database.exists():
        database.parent.mkdir(parents=True, exist_ok=True)
        made = database.with_suffix(f".{os.getpid()}")
        subprocess.run([build / "tools/duckdb-load", made, HERE / "visits.sql"], check=True)
        made.rename(database)
    return database


def tpch(build, scale="1"):
    script = HERE.parent / "tpch/tpch.sh"
    done = subprocess.run([script, build, scale], check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()


def with_ledgers_in_memory():
    """The environment of the draws. Peers are timed, so theirs stays as it is."""
    memory = "/dev/shm"
    writable = os.path.isdir(memory) and os.access(memory, os.W_OK | os.X_OK)
    return {**({"TMPDIR": memory} if writable else {}), **os.environ}


def drawn(build, part, draws, scale):
    database = visits(build) if part == "skew" else tpch(build, scale)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "accuracy.json"
        subprocess.run([build / "bench/accuracy/accuracy", database, "--part", part,
                        "--draws", draws, "--json", path], check=True, env=with_ledgers_in_memory())
        return json.loads(path.read_text())


def admitted(build):
    """How many questions of the session the accountants of DPSQL+ admit."""
    words = subprocess.run([build / "bench/figure2", "--session", "0.09", "1e-7", "1", "1e-6"],
                           check=True, stdout=subprocess.PIPE, text=True).stdout.split()
    return {name: int(count) for name, count in zip(words[::2], words[1::2])}


def told(path, name):
    """What the first line that begins with `name` says behind its colon."""
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(name)), "unknown")


def keep(results, part, found, recorded):
    """Puts the rows of one part in place of those that it had."""
    if "peers" in found:
        if not found["complete"]:
            before = {**results, "rows": [row for row in results.get("rows", []) if row["part"] == "peers"]}
            measured.with_earlier(before, results.get("days", {}).get("peers", "an unknown day"), found)
        results["peers"] = found["peers"]
    for row in found["rows"]:
        row["part"] = part
    results["rows"] = [row for row in results.get("rows", []) if row["part"] != part]
    results["rows"] += found["rows"]
    for name in ("session", "versions"):
        if name in found:
            results[name] = found[name]
    baselines = json.loads((HERE / "baselines.json").read_text())
    results["rows"] = [row for row in results["rows"] if row["part"] != "baselines"]
    results["rows"] += [{**row, "part": "baselines"} for row in baselines["rows"]]
    results.setdefault("days", {})[part] = recorded["day"]
    results.setdefault("recorded", {})[part] = recorded
    told_before = {name: results["machine"] for name in results.get("days", {}) if "machine" in results}
    results["machines"] = {**told_before, **results.get("machines", {})}
    results["machine"] = (f"{platform.system()} {platform.release()}, {os.cpu_count()} processors "
                          f"({told('/proc/cpuinfo', 'model name')}), {told('/proc/meminfo', 'MemTotal')}")
    results["machines"][part] = results["machine"]
    results.setdefault("versions", {})["Python"] = platform.python_version()


def written(results):
    """One line for each row, so that differences read well."""
    rows = ",\n".join("  " + json.dumps(row, sort_keys=True) for row in results["rows"])
    rest = {name: value for name, value in results.items() if name != "rows"}
    head = json.dumps(rest, indent=1, sort_keys=True).removesuffix("\n}")
    return f'{head},\n "rows": [\n{rows}\n ]\n}}\n'


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    build, path = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    for word in sys.argv[3:]:
        name, _, file = word.partition(":")
        name, _, draws = name.partition("=")
        part, _, scale = name.partition("@")
        print(f"== {part}", flush=True)
        recorded = pages.provenance()
        if part in PARTS and file:
            found, recorded = json.loads(pathlib.Path(file).read_text()), {"day": recorded["day"]}
        elif part == "peers":
            found = measured.read(file) if file else measured.measured(build, "accuracy", "--trials", draws or "25")
            recorded = found.pop("recorded")
        elif part in PARTS:
            found = drawn(build, part, draws or "1000", scale or "1")
        else:
            sys.exit(__doc__)
        if part == "session":
            found["session"]["dpsql_plus"] = admitted(build)
        results = json.loads(path.read_text()) if path.exists() else {}
        keep(results, part, found, recorded)
        path.write_text(written(results))
        if not found.get("complete", True):
            sys.exit("FAILED: peers: bench/peers/run.py names what failed")


if __name__ == "__main__":
    main()

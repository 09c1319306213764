#!/usr/bin/env python3
"""Measures, and keeps the figures. Usage: record.py BUILD RESULTS.json PART…

Each PART replaces its part of RESULTS.json, the data of docs/results/speed.md:
  paper    the ten queries at scale 1, budget kept by gdp
  basic    the same, budget kept by basic
  frequency  the same with k = 10, budget kept by gdp
  unknown  groups whose keys nobody declared
  scale=S  the ten queries at scale S, for the growth with the data
  groups   10 to 1,000,000 groups, for the growth with the answer
  units    1,000 to 10,000,000 units, for the growth with the people
  tpch     queries 1, 5, 6, 14 and 19 of TPC-H at scale 1
  tpch=S   the same at scale S, for the growth with the data
  peers    SmartNoise SQL and Qrlew beside ours on one server of PostgreSQL (bench/peers)
Beside each PART stand its commit, day and load average. `peers:FILE` takes what bench/peers/run.py wrote: a run
that was killed has left it in the cache.
"""
import datetime
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import pages

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "peers"))
import measured as peers_measured  # noqa: E402

SCALED = {"scale": ("scales", "paper"), "tpch": ("tpch_scales", "tpch")}  # where the rows of a scale go, and their set


def made_once(build, name):
    """The database of a script beside this one."""
    script = HERE / f"{name}.sql"
    text = script.read_bytes()
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    database = cache / "dpsql" / f"{name}-{hashlib.sha256(text).hexdigest()[:16]}.duckdb"
    if not database.exists():
        database.parent.mkdir(parents=True, exist_ok=True)
        made = database.with_suffix(f".{os.getpid()}")
        subprocess.run([build / "tools/duckdb-load", made, script], check=True)
        made.rename(database)
    return database


def tpch(build, scale):
    script = HERE.parent / "tpch/tpch.sh"
    done = subprocess.run([script, build, scale], check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()


def measured(build, database, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "speed.json"
        subprocess.run([build / "bench/speed/speed", database, *arguments, "--json", path],
                       check=True)
        found = json.loads(path.read_text())
    found["day"] = datetime.date.today().isoformat()
    return found


def record_peers(build, results, file):
    """Keeps what was measured, or is in `file`, and says which program failed after that: what it did not come
    to stays as it was."""
    found = peers_measured.read(file) if file else peers_measured.measured(
        build, "speed", "--trials", "7", "--seconds", "60", "--epsilons", "1", "--ours")
    before, complete = results.get("peers", {}), found.pop("complete")
    if not complete:
        peers_measured.with_earlier(before, before.get("day", "an unknown day"), found)
    recorded = found.pop("recorded")
    results["peers"] = {**found, "day": recorded["day"]}
    results["recorded"]["peers"] = recorded
    return "" if complete else "bench/peers/run.py names what failed"


def record(build, results, part):
    part, _, file = part.partition(":")
    name, _, scale = part.partition("=")
    if name == "paper":
        results.update(measured(build, tpch(build, "1"), "--repetitions", "297"))
    elif name == "basic":
        results["basic"] = measured(build, tpch(build, "1"), "--accountant", "basic")
    elif name == "frequency":
        results["frequency"] = measured(build, tpch(build, "1"), "--set", "frequency")
    elif name == "unknown":
        results["unknown_keys"] = measured(build, tpch(build, "1"), "--set", "unknown")
    elif name in SCALED and scale:
        key, questions = SCALED[name]
        results.setdefault(key, {})[scale] = measured(
            build, tpch(build, scale), "--set", questions, "--repetitions", "15", "--seconds", "20")
    elif name == "groups":
        results["groups"] = measured(
            build, made_once(build, "events"), "--set", "groups", "--repetitions", "5", "--seconds", "1")
    elif name == "units":
        results["units"] = measured(
            build, made_once(build, "units"), "--set", "units", "--repetitions", "5",
            "--seconds", "1")
    elif name == "tpch":
        results["tpch"] = measured(build, tpch(build, "1"), "--set", "tpch")
    elif name == "peers":
        return record_peers(build, results, file)
    else:
        sys.exit(__doc__)
    return ""


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    pages.record_parts(record)


if __name__ == "__main__":
    main()

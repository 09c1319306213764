#!/usr/bin/env python3
"""Asks other people's programs the ten queries. Usage: run.py BUILD OUT.json [--trials N] [--seconds S]
[--epsilons E…] [--ours]

Starts a PostgreSQL of its own without a port, loads the columns that are asked at scale 1 (bench/engines),
and runs SmartNoise SQL and Qrlew on it, each with a Python of its own. No question starts a new trial after
S seconds (600): a row tells how many trials it has. A peer that cannot be installed or run has a row that
says why. --ours adds what the exact queries and ours take on the same server, and on DuckDB.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "engines"))
sys.path.insert(0, str(HERE.parent.parent / "tests/failures"))

import data  # noqa: E402
import postgresql_server  # noqa: E402

SETTINGS = ("shared_buffers=512MB", "work_mem=256MB")


def ask(peer, folder, options):
    """The rows of a peer, or one that says why there are none."""
    found = subprocess.run([HERE / "python.sh", peer], stdout=subprocess.PIPE, text=True, check=False)
    if found.returncode != 0:
        return {"rows": [], "failed": "its packages could not be installed"}
    done = subprocess.run([found.stdout.strip(), "-B", HERE / f"ask_{peer}.py", folder, options.trials,
                           options.seconds, *options.epsilons], stdout=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode != 0:
        return {"rows": [], "failed": "its program ended with an error"}
    return json.loads(done.stdout.splitlines()[-1])


def ours(build, url):
    """What the exact queries and ours take there, in turn."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "engines.json"
        subprocess.run([build / "bench/engines/engines", url, "--json", path], check=True)
        return json.loads(path.read_text())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--trials", default="25")
    parser.add_argument("--seconds", default="600")
    parser.add_argument("--epsilons", nargs="+", default=["0.1", "1", "10"])
    parser.add_argument("--ours", action="store_true")
    options = parser.parse_args()
    build = options.build.resolve()
    made = data.tpch(build, "1")
    found = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        with postgresql_server.PostgreSqlServer(folder / "postgresql", SETTINGS) as server:
            data.fill_postgresql(server, data.tpch_for_postgresql(made))
            if options.ours:
                found["ours"] = {"PostgreSQL": ours(build, postgresql_server.url(server.folder)),
                                 "DuckDB": ours(build, made / "tpch.duckdb")}
            peers = {peer: ask(peer, server.folder, options) for peer in ("smartnoise", "qrlew")}
    found["rows"] = [row for part in peers.values() for row in part.pop("rows")]
    options.out.write_text(json.dumps({**found, "peers": peers}, indent=1) + "\n")


if __name__ == "__main__":
    main()

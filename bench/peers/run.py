#!/usr/bin/env python3
"""Asks other people's programs the ten queries. Usage: run.py BUILD OUT.json [--trials N] [--seconds S]
[--epsilons E…] [--scale S] [--ours]

Starts a PostgreSQL of its own without a port, loads the columns that are asked (tables.sql) at scale 1,
and runs SmartNoise SQL and Qrlew on it, each with a Python of its own. No question starts a new trial after
S seconds (600): a row tells how many trials it has. A question that a peer cannot answer has a row that says
why, and so has each one of a peer that cannot be installed, or from where its program died. --ours asks Q1,
Q5, Q6, Q14 and Q19 of TPC-H as well, and adds what the exact queries and ours take on the same server, and on
DuckDB.

The memory and CPU of a row are those of the process that asks; what the server takes is not in them.
"""
import argparse
import json
import pathlib
import platform
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "engines"))
sys.path.insert(0, str(HERE.parent.parent / "tests/failures"))

import data  # noqa: E402
import postgresql_server  # noqa: E402
import trials  # noqa: E402

SETTINGS = ("shared_buffers=512MB", "work_mem=256MB")


def lines_of(command):
    """(what its lines of JSON say, why it failed or nothing). Rows are shown as they come."""
    said = []
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as complaints:
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=complaints, text=True) as process:
            for line in process.stdout:
                if line.startswith("{"):
                    print(line, end="", file=sys.stderr, flush=True)
                    said.append(json.loads(line))
        complaints.seek(0)
        last = (complaints.read().split("\n\n")[-1].strip() or "nothing more was said").splitlines()[-1]
    return said, f"its program ended with {process.returncode}: {last}" if process.returncode else ""


def ask(peer, folder, options):
    """(rows, what else its program tells), with a row for each question that it did not come to."""
    found = subprocess.run([HERE / "python.sh", peer], stdout=subprocess.PIPE, text=True, check=False)
    kind = "all" if options.ours else "paper"
    said, failed = [], "its packages could not be installed"
    if found.returncode == 0:
        said, failed = lines_of([found.stdout.strip(), "-B", HERE / f"ask_{peer}.py", folder, kind,
                                 options.trials, options.seconds, *options.epsilons])
    rows = [part for part in said if "query" in part]
    rest = {name: value for part in said if "query" not in part for name, value in part.items()}
    answered = {(row["query"], row["epsilon"]) for row in rows}
    for query in trials.SETS[kind]:
        for epsilon in map(float, options.epsilons):
            if (query, epsilon) not in answered:
                row = {"query": query, "epsilon": epsilon, "system": trials.SYSTEMS[peer]}
                rows.append(trials.cannot(row, failed or "its program told nothing"))
    return rows, {**rest, "failed": failed} if failed else rest


def ours(build, url):
    """What the exact queries and ours take there, in turn."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "engines.json"
        subprocess.run([build / "bench/engines/engines", url, "--set", "peers", "--json", path], check=True)
        return json.loads(path.read_text())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--trials", default="25")
    parser.add_argument("--seconds", default="600")
    parser.add_argument("--epsilons", nargs="+", default=["0.1", "1", "10"])
    parser.add_argument("--scale", default="1")
    parser.add_argument("--ours", action="store_true")
    options = parser.parse_args()
    build = options.build.resolve()
    made = data.tpch(build, options.scale, HERE / "tables.sql", ("csv",))
    found, peers = {"rows": []}, {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        with postgresql_server.PostgreSqlServer(folder / "postgresql", SETTINGS) as server:
            data.fill_postgresql(server, data.tpch_for_postgresql(made, HERE / "tables.sql"))
            found["versions"] = {"PostgreSQL": server.sql("SHOW server_version"),
                                 "Python": platform.python_version()}
            if options.ours:
                found["ours"] = {"PostgreSQL": ours(build, postgresql_server.url(server.folder)),
                                 "DuckDB": ours(build, made / "tpch.duckdb")}
            for peer in trials.SYSTEMS:
                rows, peers[peer] = ask(peer, server.folder, options)
                found["rows"] += rows
    options.out.write_text(json.dumps({**found, "peers": peers}, indent=1) + "\n")


if __name__ == "__main__":
    main()

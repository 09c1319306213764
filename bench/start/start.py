#!/usr/bin/env python3
"""The whole process of one question, from exec to exit, beside DuckDB's own Python.

Usage: start.py SOURCE BUILD PYTHON-WITH-DUCKDB RESULTS.json [ROUNDS]

Each round starts each program once, so that all see the same machine. dpsql opens policy, ledger
and database, pays for a new question, syncs the payment to the disk, and answers. RESULTS.json is
what bench/results writes into docs/scale.md and README.md.
"""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "speed"))
import pages  # noqa: E402

DUCKDB = """
import duckdb
print(duckdb.connect("shop.duckdb", read_only=True)
            .execute("SELECT count(*) FROM customer WHERE age < 50").fetchall())
"""


def seconds(words, folder):
    begin = time.perf_counter()
    subprocess.run(words, cwd=folder, check=True, capture_output=True)
    return time.perf_counter() - begin


def main():
    source, build = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    python, results = sys.argv[3], pathlib.Path(sys.argv[4]).resolve()
    rounds = int(sys.argv[5]) if len(sys.argv) > 5 else 30
    pages.settle()
    recorded = pages.provenance()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([build / "tools/duckdb-load", "shop.duckdb",
                        source / "tools/demo/shop.sql"], cwd=folder, check=True)
        policy = (source / "tools/demo/shop.toml").read_text()
        (pathlib.Path(folder) / "shop.toml").write_text(policy)
        ask = [build / "dpsql", "shop.duckdb", "--policy", "shop.toml", "-c"]
        times = {"dpsql, a new question": [], "dpsql, a stored answer": [],
                 "dpsql --version": [], "python, import duckdb and ask": []}
        for i in range(rounds + 1):
            question = f"SET dp.epsilon = 0.01; SELECT count(*) FROM customer WHERE age < {20 + i}"
            found = [seconds([*ask, question], folder), seconds([*ask, question], folder),
                     seconds([build / "dpsql", "--version"], folder),
                     seconds([python, "-c", DUCKDB], folder)]
            for name, one in zip(times, found):
                if i > 0:  # the first round warms the caches
                    times[name].append(one * 1000)
    rows = [{"program": name, "median_ms": statistics.median(own), "fastest_ms": min(own), "rounds": rounds}
            for name, own in times.items()]
    for row in rows:
        print("{program:32} median {median_ms:6.1f} ms, fastest {fastest_ms:6.1f} ms".format(**row))
    results.write_text(json.dumps({"recorded": recorded, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Writes docs/results/engines.md from engines.json. Usage: page.py SOURCE [--update]

Without --update it is a test: it fails where the page is not what the figures say.
"""
import json
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "speed"))
import pages  # noqa: E402
from plot import milliseconds as ms  # noqa: E402

ENGINES = ("DuckDB", "SQLite", "PostgreSQL", "Spark")

HEAD = """# The same answers on four engines

Written by `bench/engines/page.py` from `docs/results/engines.json`; a test keeps the page so.
`bench/engines/record.py` measures anew, and `make bench` calls it.

The paper's ten queries on TPC-H in DuckDB, SQLite, PostgreSQL 15 and Spark 4.1 with `local[2]`. All four are asked at
scale 0.1; scale 1, growth and the unit of a tenth of all rows are DuckDB's and Spark's alone. All have the same
columns (`bench/engines/tables.sql`): those that are asked, money as DOUBLE because SQLite has no decimals, and beside
each line its customer because Spark keeps no keys. ε = 1, δ = 1e-7, k = 1, bounds and caps as in `speed.md`. Spark reads
Parquet; PostgreSQL has 64 MB of `work_mem` and is asked over a Unix socket.

- *the same integers*: before it measures, `bench/engines/record.py` asks all engines without noise, and fails where two
  answers differ in a digit.
- *exact*: the query in the engine's own SQL, over a connection that stays open. SQLite has no variance, so it is written
  out in sums.
- *private*: ours through `Session::Ask`, from SQL to the answer, with the debit on disk. In turn with the exact one, in one
  process; medians of {repetitions} repetitions or fewer.
"""

BUSY = """
**The machine was busy** with other work while this was measured: the average number of runnable processes on its two
processors stands below. Read the ratios as rough, and the milliseconds not at all.
"""

SPARK = """
The first question on Spark, and one that comes later than 30 seconds after the last, begins a session: settings that fix
the meaning of SQL, and views over the files. Behind every statement the files are listed. All that takes as long for a
thousand rows as for a billion.
"""

GROWTH = """
## Growth

Generated rows of a tenth as many units in 1,000 groups of unknown keys (`bench/engines/growth.sql`), one file of Parquet
that both engines read. SUM is one sum, GROUPS a count and a sum for each group; a unit counts in at most five groups and
with at most 20 rows. Spark has 2 GB here. What took longer than 100 seconds is measured once, without warming up.
"""

NOT_ASKED = """Where Spark was not asked for GROUPS, the first of the two statements had taken it nearly nine minutes, which was then the
most: the policy of this benchmark had no `timeout`. It gives two hours since, and who repeats it asks that too.
"""

SKEW = """
## One unit with a tenth of all rows

The same {rows} rows, but a tenth of them are of one unit. Its rows meet in one place whatever the engine does; each engine
first sums them where they lie:
"""

BYTES = """
## What leaves the engine

Bytes on the line for GROUPS, everything that a session of one question sends and gets included:
"""

REPEAT = """\
tools/bootstrap/bootstrap.sh --oracles --engines --spark
make build && cmake --build build --target engines dpsql-oracle duckdb-load
$(tests/engines/spark_python.sh) -B bench/engines/record.py build docs/results/engines.json scale=0.1 scale=1 \\
  growth=1000000 growth=10000000 growth=100000000 skew=10000000 bytes-postgresql=10000000 bytes-spark=10000000
bench/engines/page.py . --update
"""


def cells(row):
    if row is None:
        return ["", "not asked", ""]
    if "refused" in row:
        return [ms(row["exact_ms"]), row["refused"], ""]
    return [ms(row["exact_ms"]), ms(row["dpsql_ms"]), f"{row['dpsql_ms'] / row['exact_ms']:.1f}"]


def known(engines):
    return [name for name in ENGINES if name in engines]


def scale_part(scale, part):
    names = known(part["engines"])
    by_name = {name: {row["query"]: row for row in part["engines"][name]["rows"]} for name in names}
    text = f"\n## Scale {scale}\n\nThe same integers on {', '.join(names)}: all {len(part['agree'])} questions.\n"
    head = ["query"] + [word for name in names for word in (f"{name}, exact ms", "private ms", "ratio")]
    rows = [[query] + [cell for name in names for cell in cells(by_name[name][query])]
            for query in by_name[names[0]]]
    loads = ", ".join(f"{name} {part['engines'][name]['load after']}" for name in names)
    return text + pages.table(head, rows) + f"\nLoad when each was done: {loads}.\n"


def growth_rows(parts):
    rows = []
    for count in sorted(parts, key=int):
        engines = parts[count]["engines"]
        by_name = {name: {row["query"]: row for row in engines[name]["rows"]} for name in known(engines)}
        for query in by_name["DuckDB"]:
            rows.append([f"{int(count):,}", query]
                        + [cell for found in by_name.values() for cell in cells(found.get(query))]
                        + [", ".join(engines[name]["load after"] for name in known(engines))])
    return rows


def left_out(results):
    """Whether Spark lacks a row that DuckDB has, in a part from before the policy had a timeout: parts
    tell since then when they were recorded."""
    return any({row["query"] for row in part["engines"]["DuckDB"]["rows"]}
               - {row["query"] for row in part["engines"]["Spark"]["rows"]}
               for count, part in results["growth"].items()
               if f"growth={count}" not in results.get("recorded", {}))


def growth_table(parts):
    head = ["rows", "query", "DuckDB, exact ms", "private ms", "ratio", "Spark, exact ms", "private ms",
            "ratio", "load"]
    return pages.table(head, growth_rows(parts))


def bytes_part(part):
    rows = [[{"spark": "Spark", "postgresql": "PostgreSQL"}[name]]
            + [f"{found[key]:,}" for key in ("rows", "groups", "from_engine", "to_engine")]
            for name, found in sorted(part.items())]
    return BYTES + pages.table(
        ["engine", "rows", "groups in the answer", "bytes from it", "bytes to it"], rows)


def parts_of(results):
    """The parts of record.py, and what is known of when they were measured."""
    names = [f"scale={scale}" for scale in sorted(results["scales"], key=float)]
    names += [f"{kind}={rows}" for kind in ("growth", "skew") for rows in sorted(results.get(kind, {}), key=int)]
    names += [f"bytes-{engine}={part['rows']}" for engine, part in sorted(results.get("bytes", {}).items())]
    before = {"day": f"{results['day']} or earlier"} if "day" in results else {}
    return {name: results.get("recorded", {}).get(name, before) for name in names}


def machines_of(results):
    """Where each part was measured."""
    found = {f"scale={scale}": part for scale, part in results["scales"].items()}
    found.update((f"{kind}={rows}", part) for kind in ("growth", "skew") for rows, part in results.get(kind, {}).items())
    return {f"{name}, {engine}": told["surroundings"] for name, part in found.items()
            for engine, told in part["engines"].items() if "surroundings" in told}


def page(results):
    first = next(iter(results["scales"].values()))["engines"]["DuckDB"]
    text = HEAD.format(repetitions=max(row["repetitions"] for row in first["rows"]))
    loads = [float(found["load after"]) for part in results["scales"].values()
             for found in part["engines"].values()]
    text += BUSY if max(loads) > 3 else ""
    for scale in sorted(results["scales"], key=float):
        text += scale_part(scale, results["scales"][scale])
    text += SPARK
    if "growth" in results:
        text += GROWTH + (NOT_ASKED if left_out(results) else "") + growth_table(results["growth"])
    if "skew" in results:
        rows = next(iter(results["skew"]))
        text += SKEW.format(rows=f"{int(rows):,}") + growth_table(results["skew"])
    if "bytes" in results:
        text += bytes_part(results["bytes"])
    return text + pages.where_and_how(machines_of(results), parts_of(results), REPEAT)


def main():
    folder = pathlib.Path(sys.argv[1]) / "docs/results"
    results = json.loads((folder / "engines.json").read_text())
    return pages.keep(folder, "engines.json", {"engines.md": page(results)})


if __name__ == "__main__":
    sys.exit(main())

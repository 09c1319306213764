"""The parts of docs/results/speed.md about what was measured apart: DPSQL+, and peers elsewhere."""
import json
import pathlib

import pages
from plot import milliseconds as ms
from wanted import answered

# DPSQL+'s own Python program with DuckDB 1.3.2 on the same data: CPU time, of that its data path, the whole over
# the exact query beside it, and the peak memory in MB. `wall`: SmartNoise and Qrlew, median ms.
BASELINES = json.loads((pathlib.Path(__file__).resolve().parent.parent / "accuracy/baselines.json").read_text())
DPSQL_PLUS = {row["query"]: row for row in BASELINES["cpu"]}
# How many times less CPU than DPSQL+ ours was to take.
LESS_CPU = {**dict.fromkeys(["COUNT", "COUNT_DISTINCT", "SUM", "AVG", "VAR", "STDDEV"], 100),
            "COVAR": 8, "JOIN": 15, "GROUPBY": 15, "GROUPBY_JOIN": 15}

AFTER = """
Peak memory is that of a process that asks this one question. The last two columns are DPSQL+'s own
program on the same data, in CPU time, as it was measured apart. Its {over} for COVAR is beside the exact query over
lines alone, as everywhere here; it is {over_joined} beside the exact query that joins orders to find the unit.

Why a ratio is below 1 was not looked into: over the same rows DuckDB is given another statement than the exact one.
"""

CPU = """
## CPU time beside DPSQL+

Milliseconds of CPU of all threads. Of each query of DPSQL+ {least} to {most} s are not its data path, which is about
1.05 s of parser in each; so its data path stands alone as well, and beside that ours takes {low} times less ({slowest})
to {high} times less. DPSQL+ ran elsewhere, so the last column divides each whole by the exact query of its own run: how
many times less CPU ours takes for the same multiple of plain DuckDB.
"""

WALL = """
## Peers measured apart

Medians in ms, each in turn with the exact query in one process, apart from the rest of this page, with views and means
where a peer cannot do the query itself. SmartNoise was not asked on DuckDB:
"""


def after_paper():
    covar = DPSQL_PLUS["COVAR"]
    return AFTER.format(over=covar["over_exact"], over_joined=covar["over_exact_with_unit"])


def cpu_part(rows):
    lines, alone = [], {}
    for row in answered(rows):
        theirs, ours = DPSQL_PLUS[row["query"]], row["dpsql_cpu_ms"]
        times, wanted = theirs["dpsql_plus_ms"] / ours, LESS_CPU[row["query"]]
        alone[row["query"]] = theirs["data_path_ms"] / ours
        lines.append([row["query"], ms(ours), f"{theirs['dpsql_plus_ms']:,}", f"{times:,.0f}",
                      f"{wanted}, {'reached' if times >= wanted else '**missed**'}",
                      f"{theirs['data_path_ms']:,}", ms(alone[row["query"]]),
                      f"{theirs['over_exact'] * row['exact_cpu_ms'] / ours:,.0f}"])
    rest = [(row["dpsql_plus_ms"] - row["data_path_ms"]) / 1e3 for row in DPSQL_PLUS.values()]
    words = CPU.format(least=f"{min(rest):.2f}", most=f"{max(rest):.2f}", low=ms(min(alone.values())),
                       slowest=min(alone, key=alone.get), high=ms(max(alone.values())))
    return words + pages.table(["query", "ours, CPU ms", "DPSQL+, CPU ms", "times less", "wanted", "its data path",
                                "times less than that", "times less, each over its exact query"], lines)


def wall_part():
    lines = []
    for row in BASELINES["wall"]:
        cells = [row["query"]]
        for engine, peers in (("duckdb", ["qrlew"]), ("postgresql", ["smartnoise", "qrlew"])):
            exact = row[f"exact_{engine}_ms"]
            cells.append(ms(exact))
            for peer in peers:
                cells += [ms(row[f"{peer}_{engine}_ms"]), f"{row[f'{peer}_{engine}_ms'] / exact:,.0f}"]
        lines.append(cells)
    return WALL + pages.table(["query", "DuckDB, exact", "Qrlew", "/ exact", "PostgreSQL, exact", "SmartNoise",
                               "/ exact", "Qrlew", "/ exact"], lines)

"""The part of docs/results/speed.md about other people's programs, from what bench/peers/run.py found."""
import pathlib
import sys

import pages
from plot import milliseconds as ms

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "peers"))
from trials import STATEMENT  # noqa: E402

SYSTEMS = [("SmartNoise SQL, here", "SmartNoise"), ("Qrlew, here", "Qrlew")]

HEAD = """
## Beside the peers

The ten queries, and Q1, Q5, Q6, Q14 and Q19 of TPC-H at scale 1, ε = 1, in one run of `bench/peers/run.py` and one
after the other, so that what else the machine did may have met one alone: ours in turn with the exact query on a server
of PostgreSQL {postgresql}{settings}, ours in turn with the exact query on DuckDB with
the same rows, SmartNoise SQL 1.0.10 on that server, Qrlew 0.9.27 on it. All have the same columns
(`bench/peers/tables.sql`), money as DOUBLE, and beside each line its customer, so that nobody joins to learn whose a
line is. Medians in ms of {trials} trials or fewer behind one that warms up, which counts only where it is the last:
none begins when a question has had its time. Those of ours are later passes too, on DuckDB without units where no unit
exceeds its cap. Each trial of ours includes plan and debit, of SmartNoise its parser, of Qrlew
its rewriting. SmartNoise and Qrlew get views and means where they cannot do the query itself; the notes say where, and
why one *cannot*.
"""

PROCESS = """
Of the process that asks: peak MB in which the question was asked, and CPU in ms. Ours, SmartNoise and Qrlew leave the
rows to the server, so this is what their own work takes. On DuckDB the engine is in our process:
"""

SERVER = """
CPU of all processes of PostgreSQL in ms, the mean of the counted trials; its clock ticks every 10 ms, so figures of few
short trials are rough:
"""


def shown(value, form):
    return "" if value is None else form(value)


def whole(value):
    return f"{value:,.0f}"


class Found:
    """The rows of one run by query: ours on both engines, and the peers'. Any may be missing."""

    def __init__(self, found):
        self.ours = {engine: {row["query"]: row for row in part["rows"]}
                     for engine, part in found["ours"].items()}
        self.theirs = {(row["query"], row["system"]): row for row in found["rows"]}
        asked = [query for rows in self.ours.values() for query in rows]
        self.queries = list(dict.fromkeys(asked + [query for query, _ in self.theirs]))
        self.failures = {f"ours on {engine}": part["failed"] for engine, part in found["ours"].items()
                         if "failed" in part}

    def own(self, engine, query):
        return self.ours.get(engine, {}).get(query, {})


def own_cell(row):
    if not row:
        return "not measured"
    return "refused" if "refused" in row else shown(row.get("dpsql_ms"), ms)


def over_time(row):
    return "statement timeout" in row.get("note", "")


def time_cells(row, ours):
    """A peer's time and its ratio to ours."""
    if not row or not row.get("asked", True):
        return ["not measured", ""]
    if not row.get("ms"):
        return [f"over {STATEMENT // 60} min" if over_time(row) else "cannot", ""]
    ratio = f"{row['ms'] / ours['dpsql_ms']:.1f}" if ours.get("dpsql_ms") else ""
    nothing = " (nothing released)" if row["keys_released"] == 0 else ""
    return [ms(row["ms"]) + nothing, ratio]


def time_table(found):
    lines = []
    for query in found.queries:
        ours, on_duckdb = found.own("PostgreSQL", query), found.own("DuckDB", query)
        cells = [query, shown(ours.get("exact_ms"), ms), own_cell(ours)]
        for system, _ in SYSTEMS:
            cells += time_cells(found.theirs.get((query, system)), ours)
        lines.append(cells + [shown(on_duckdb.get("exact_ms"), ms), own_cell(on_duckdb)])
    return pages.table(["query", "exact", "ours", "SmartNoise", "/ ours", "Qrlew", "/ ours",
                        "exact, DuckDB", "ours, DuckDB"], lines)


def process_table(found):
    lines = []
    for query in found.queries:
        rows = [(found.own("PostgreSQL", query), "dpsql_cpu_ms"), (found.own("DuckDB", query), "dpsql_cpu_ms")]
        rows += [(found.theirs.get((query, system), {}), "cpu_ms") for system, _ in SYSTEMS]
        lines.append([query] + [cell for row, cpu in rows for cell in
                                (shown(row.get("peak_mb"), whole), shown(row.get(cpu), ms))])
    names = ["ours", "ours, DuckDB"] + [name for _, name in SYSTEMS]
    return pages.table(["query"] + [word for name in names for word in (f"{name}, peak MB", "CPU ms")], lines)


def server_table(found):
    lines = []
    for query in found.queries:
        own = found.own("PostgreSQL", query)
        theirs = [found.theirs.get((query, system), {}).get("server_cpu_ms") for system, _ in SYSTEMS]
        cells = [own.get("exact_server_cpu_ms"), own.get("dpsql_server_cpu_ms"), *theirs]
        lines.append([query] + [shown(cell, ms) for cell in cells])
    return pages.table(["query", "exact", "ours"] + [name for _, name in SYSTEMS], lines)


def of_day(row):
    """Of a row that stayed from an earlier run."""
    return f"measured on {row['day']}" if "day" in row else ""


def notes(found):
    """How a peer was asked, or why not, with the queries of which it is said."""
    said = {}
    for query in found.queries:
        for system, name in SYSTEMS:
            row = found.theirs.get((query, system), {})
            note = "; ".join(filter(None, [of_day(row), row.get("note", "")]))
            if note:
                said.setdefault((name, note), []).append(query)
        for engine in found.ours:
            own = found.own(engine, query)
            words = "; ".join(filter(None, [of_day(own), f"refused: {own['refused']}" if "refused" in own else ""]))
            if words:
                said.setdefault((f"ours on {engine}", words), []).append(query)
    lines = [f"- {name}, {', '.join(queries)}: {note}.\n" for (name, note), queries in said.items()]
    return "\n" + "".join(lines + [f"- {name}: {words}.\n" for name, words in found.failures.items()])


def text(part):
    found = Found(part)
    trials = max((row["trials"] for row in part["rows"]), default=0)
    versions = part.get("versions", {})
    settings = ", ".join(f"{name} {value}" for name, value in part.get("settings", {}).items())
    words = HEAD.format(trials=trials, postgresql=versions.get("PostgreSQL", "15"),
                        settings=f" ({settings})" if settings else "")
    words += time_table(found) + notes(found)
    if any("peak_mb" in row for row in part["rows"]):
        words += PROCESS + process_table(found)
    if any("server_cpu_ms" in row for row in part["rows"]):
        words += SERVER + server_table(found)
    return words

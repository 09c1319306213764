#!/usr/bin/env python3
"""Writes what is said of several pages' rows. Usage: page.py SOURCE [--update]

docs/results/figure2.svg from figure2.csv and the odometer in accuracy.json; in docs/results/README.md, and in
docs/scale.md from start.json, the blocks between `<!-- NAME -->` and `<!-- end -->`; in README.md the cells of the
rows of its table that rows measure or compute.
Without --update it is a test: it fails where one of them is not what the rows say.
"""
import csv
import json
import pathlib
import re
import sys

BENCH = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(BENCH / "speed"))
import pages  # noqa: E402
import plot  # noqa: E402

BASELINES = json.loads((BENCH / "accuracy/baselines.json").read_text())
BUDGETS = [("0.2", "(0.2, 1e-06)"), ("1", "(1, 2e-07)")]
ODOMETER = "SmartNoise SQL, its odometer"
# Accountant and noise in figure2.csv, the name in the plot, its colour.
BARS = [("DPSQL+ basic", "DPSQL+", "DPSQL+ basic", "#cfd4da"), ("DPSQL+ RDP", "DPSQL+", "DPSQL+ RDP", "#9aa3ad"),
        ("DPSQL+ PLD", "DPSQL+", "DPSQL+ PLD", "#646e79"),
        ("ours rdp", "DPSQL+", "ours rdp, noise of DPSQL+", "#8fc1e3"),
        ("ours gdp", "DPSQL+", "ours gdp, noise of DPSQL+", "#1f6fb2"),
        ("ours gdp", "tight", "ours gdp, noise tight for the query", "#e08a2b")]
GREEN = "#4b9b5f"


class Rows:
    """All that was recorded."""

    def __init__(self, folder):
        self.speed, self.accuracy, self.start = (json.loads((folder / f"{name}.json").read_text())
                                                 for name in ("speed", "accuracy", "start"))
        with (folder / "figure2.csv").open(encoding="utf-8", newline="") as file:
            self.figure2 = list(csv.DictReader(file))

    def queries(self, accountant, noise, epsilon, column):
        """Of figure 2; `column`: shape and number of aggregates."""
        return next(row for row in self.figure2
                    if (row["accountant"], row["noise"], row["budget_epsilon"],
                        (row["shape"], row["aggregates"])) == (accountant, noise, epsilon, column))

    def odometer(self):
        """Queries in each budget as SmartNoise's odometer said here, or nothing."""
        return self.accuracy.get("peers", {}).get("smartnoise", {}).get("figure2")


def figure2_plot(rows):
    columns = [(shape, str(count)) for shape in ("scalar", "grouped") for count in (1, 2, 3)]
    series = [(name, colour) for _, _, name, colour in BARS]
    odometer = rows.odometer()
    series += [(ODOMETER, GREEN)] if odometer else []
    panels = []
    for place, (epsilon, budget) in enumerate(BUDGETS):
        clusters = []
        for shape, count in columns:
            found = [rows.queries(accountant, noise, epsilon, (shape, count)) for accountant, noise, _, _ in BARS]
            cells = [(int(row["queries"]), "" if row["queries"] == row["in_doubles"] else "†") for row in found]
            cells += [(odometer[place], "")] if odometer else []
            clusters.append((f"{'GROUP BY' if shape == 'grouped' else shape}, {count}", cells))
        panels.append((f"Global budget {budget}, by the number of aggregates in a query, logarithmic scale",
                       clusters))
    return plot.clusters("The most queries of (0.1, 1e-07) within a global budget", series, panels,
                         "† exact arithmetic; the published program's floating point admits one more")


def days_of(found):
    """Of all its parts, wherever they stand in it."""
    parts = found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()
    own = {found["day"]} if isinstance(found, dict) and "day" in found else set()
    return own.union(*map(days_of, parts))


def machine_block(rows):
    around, versions = rows.speed["surroundings"], {}
    for part in (rows.accuracy, rows.speed.get("peers", {})):
        versions.update(part.get("versions", {}))
    memory = f"{int(around['memory'].split()[0]) / 2**20:.1f} GiB"
    told = {"processor": f"{around['processor']}, {around['threads']} cores", "memory": memory,
            "system": around["system"], "compiler": f"gcc {around['compiler']}", "DuckDB": around["duckdb"],
            "PostgreSQL": versions.get("PostgreSQL", "15, the rest not recorded"),
            "Python": versions.get("Python", "3.11, the rest not recorded"),
            "SmartNoise SQL": "1.0.10", "Qrlew": "0.9.27",
            "speed.md, days": ", ".join(sorted(days_of(rows.speed))),
            "accuracy.md, days": ", ".join(sorted(set(rows.accuracy["days"].values())))}
    return pages.table(["", ""], [[name, value] for name, value in told.items()]).lstrip("\n")


def budgets_block(rows):
    lines = []
    for row in BASELINES["queries_per_budget"]:
        counts = [row[budget] for _, budget in BUDGETS]
        if row["system"] == ODOMETER and rows.odometer():
            lines.append([f"{ODOMETER}, run here"] + [str(count) for count in rows.odometer()])
        else:
            lines.append([f"{row['system']}, measured apart"] + [str(count) for count in counts])
    return pages.table([""] + [budget for _, budget in BUDGETS], lines).lstrip("\n")


def start_block(rows):
    found = [[f"{row['program']}", f"{row['median_ms']:.0f}"] for row in rows.start["rows"]]
    rounds = min(row["rounds"] for row in rows.start["rows"])
    told = pages.recorded_table({"`bench/start`": rows.start["recorded"]})
    return (pages.table(["whole process", f"ms, median of {rounds} rounds"], found) + told).lstrip("\n")


def span(values, form):
    return f"{form(min(values))} to {form(max(values))}"


def readme_cells(rows):
    """First cell of a row of README.md's table to its cells for ours and the paper's program."""
    paper, theirs = rows.speed["rows"], BASELINES["cpu"]
    clerks = [row for row in rows.speed["unknown_keys"]["rows"] if row["query"].startswith("CLERKS")]

    def over_exact(own):
        return span([row["dpsql_cpu_ms"] / row["exact_cpu_ms"] for row in own], lambda value: f"{value:.1f}")

    def whole(value):
        return f"{value:,.0f}"

    def grouped(accountant, noise, epsilon):
        return rows.queries(accountant, noise, epsilon, ("grouped", "1"))["queries"]

    start = {row["program"]: whole(row["median_ms"]) for row in rows.start["rows"]}
    pld = {epsilon: grouped("DPSQL+ PLD", "DPSQL+", epsilon) for epsilon, _ in BUDGETS}
    return {
        "grouped queries of (0.1, 1e-7) in a budget of (1, 2e-7), each with its own noise":
            (grouped("ours gdp", "tight", "1"), pld["1"]),
        "the same in (0.2, 1e-6)": (grouped("ours gdp", "tight", "0.2"), pld["0.2"]),
        "both again, ours with the larger noise of the paper":
            (f"{grouped('ours gdp', 'DPSQL+', '1')} and {grouped('ours gdp', 'DPSQL+', '0.2')}",
             f"{pld['1']} and {pld['0.2']}"),
        "the paper's ten queries, CPU time over plain DuckDB's":
            (over_exact(paper), span([row["over_exact"] for row in theirs], whole)),
        "their peak memory, MB": (span([row["peak_mb"] for row in paper], whole),
                                  span([row["peak_mb"] for row in theirs], whole)),
        "1,000 groups of unknown keys, CPU time over plain DuckDB's": (over_exact(clerks), "not measured"),
        "one question as a whole process, `dpsql -c`, ms":
            (start["dpsql, a new question"],
             f"not measured (Python with DuckDB: {start['python, import duckdb and ask']})")}


def with_cells(text, cells):
    for first, (ours, theirs) in cells.items():
        text, count = re.subn(rf"^\| {re.escape(first)} \| [^|]* \| [^|]* \|",
                              lambda _, row=f"| {first} | {ours} | {theirs} |": row, text, flags=re.M)
        if count != 1:
            sys.exit(f"FAILED: README.md has {count} rows that begin with: {first}")
    return text


def with_blocks(path, blocks):
    text = path.read_text()
    for name, block in blocks.items():
        text, count = re.subn(rf"(<!-- {name} -->\n).*?(<!-- end -->)",
                              lambda match, block=block: f"{match.group(1)}\n{block}\n{match.group(2)}",
                              text, flags=re.S)
        if count != 1:
            sys.exit(f"FAILED: {path} has {count} blocks {name}")
    return text


def main():
    source = pathlib.Path(sys.argv[1])
    folder = source / "docs/results"
    rows = Rows(folder)
    blocks = {"machine": machine_block(rows), "budgets": budgets_block(rows)}
    files = {"figure2.svg": figure2_plot(rows),
             "README.md": with_blocks(folder / "README.md", blocks),
             "../scale.md": with_blocks(source / "docs/scale.md", {"start": start_block(rows)}),
             "../../README.md": with_cells((source / "README.md").read_text(), readme_cells(rows))}
    return pages.keep(folder, "accuracy.json, figure2.csv or start.json", files)


if __name__ == "__main__":
    sys.exit(main())

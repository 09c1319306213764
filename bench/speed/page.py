#!/usr/bin/env python3
"""Writes docs/results/speed.md and its plots from speed.json. Usage: page.py SOURCE [--update]

Without --update it is a test: it fails where the page or a plot is not what the figures say.
"""
import json
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "peers"))
import beside_peers  # noqa: E402
import measured_apart  # noqa: E402
import pages  # noqa: E402
import plot  # noqa: E402
import wanted  # noqa: E402
from measured import recorded_by_system  # noqa: E402
from measured_apart import DPSQL_PLUS  # noqa: E402
from plot import milliseconds as ms  # noqa: E402
from trials import SYSTEMS  # noqa: E402
from wanted import SHORT_MS, answered  # noqa: E402

FORMS = [("exact_ms", "exact, plain DuckDB", "#9aa3ad"),
         ("per_unit_ms", "exact, for each unit and key", "#8fc1e3"),
         ("dpsql_ms", "private, from SQL to answer", "#e08a2b")]
# Each over the exact query of the same engine and run: CPU time beside DPSQL+, of which nothing else is known.
SLOWER = [("ours", "ours, DuckDB, CPU", "#e08a2b"), ("DPSQL+", "DPSQL+, DuckDB, CPU", "#9aa3ad")]
SLOWER_ON_POSTGRESQL = [("ours on PostgreSQL", "ours, PostgreSQL", "#b5483a"),
                        ("SmartNoise SQL, here", "SmartNoise, PostgreSQL", "#4b9b5f"),
                        ("Qrlew, here", "Qrlew, PostgreSQL", "#a2559c")]
COLOURS = ["#1f6fb2", "#e08a2b", "#4b9b5f", "#a2559c", "#b5483a", "#646e79", "#24292f"]

HEAD = """# How fast it is

Written by `bench/speed/page.py` from `docs/results/speed.json`; a test keeps the page so.
`make bench` measures on your machine, `bench/speed/record.py` replaces the figures here.

Three forms of each query run in turn in one process with two threads, on one DuckDB file of TPC-H
at scale 1 (`bench/tpch`), and the medians are told:

- *exact*: the query in plain DuckDB.
- *per unit*: its aggregates for each privacy unit and key, exact, summed up inside DuckDB: what it
  takes in SQL to see how much each unit contributes.
- *private*: ours through `Session::Ask`, from the SQL text over plan, debit on disk, data, noise and
  stored answer. Every repetition reads the data.

The privacy unit is the customer, ε = 1, δ = 1e-7, k = 1; bounds and row caps are the true extremes.
Whose a row is makes no difference to sums while no unit has more rows than its cap. The first pass
over whole tables counts them, or the second one over some of their rows; where no unit exceeds its
cap, later ones leave the units out and give the same numbers. The repetitions told here are such
later ones; the table for k = 10 is of passes that always read the units.
"""

TPCH = """
## Queries of TPC-H

Q1, Q5, Q6, Q14 and Q19 as `tests/tpch` has them, under the bounds of `tests/databases/tpch.toml`:
"""

UNITS = """
Ten million rows of 1,000 to 10,000,000 units (`bench/speed/units.sql`) in ten declared groups, k = 10:
"""

FREQUENCY = """
## Where no cell may show fewer than ten people

The same with `SET dp.min_frequency = 10`: units are counted in every pass.
"""

UNKNOWN = """
## Keys that nobody declared

Here keys are selected by threshold, so units are counted in each group first. CLERKS has 1,000
groups, and a customer may count in five of them.
"""

GROWTH = """
## Growth

![Time with growing data, growing answers and more people](growth.svg)

The ten queries on growing data:
"""

TPCH_GROWTH = """
Those of TPC-H, under the same bounds at each scale:
"""

GROUPS = """
Ten million rows of a million units (`bench/speed/events.sql`) in 10 to 1,000,000 groups of unknown
keys. A unit is in about ten groups and counts in at most C0 of them:
"""

REPEAT = """\
tools/bootstrap/bootstrap.sh --oracles --engines
make build && cmake --build build --target speed engines duckdb-load
bench/speed/record.py build docs/results/speed.json paper basic frequency unknown \\
  scale=0.1 scale=10 groups units tpch tpch=0.1 tpch=10 peers
bench/speed/page.py . --update
"""


def speed_row(row, compared):
    cells = [row["query"], ms(row["exact_ms"])]
    cells += [ms(row["per_unit_ms"])] if "per_unit_ms" in row else [""]
    exact_peak = f"{row['exact_peak_mb']:.0f}" if "exact_peak_mb" in row else ""
    if "refused" in row:
        cells += [f"not answered: {row['refused']}", "", "", "", exact_peak, ""]
    else:
        cells += [ms(row["dpsql_ms"]), f"{row['dpsql_ms'] / row['exact_ms']:.2f}",
                  f"{row['dpsql_ms'] / row['per_unit_ms']:.2f}" if "per_unit_ms" in row else "",
                  f"{row['dpsql_cpu_ms'] / row['exact_cpu_ms']:.2f}", exact_peak, f"{row['peak_mb']:.0f}"]
    if compared:
        theirs = DPSQL_PLUS[row["query"]]
        cells += [f"{theirs['over_exact']:,}", f"{theirs['peak_mb']:,}"]
    return cells


def speed_table(rows, compared=False):
    head = ["query", "exact ms", "per unit ms", "private ms", "/ exact", "/ per unit",
            "CPU / exact CPU", "exact peak MB", "peak MB"]
    if compared:
        head += ["DPSQL+ / exact", "DPSQL+ MB"]
    return pages.table(head, [speed_row(row, compared) for row in rows])


def scales(at_one, others):
    """Scale to rows by query, in the order of scale."""
    found = {1.0: at_one, **{float(scale): part for scale, part in others.items()}}
    return {scale: {row["query"]: row for row in found[scale]["rows"]} for scale in sorted(found)}


def scale_table(at_one, others):
    by_scale = scales(at_one, others)
    rows = []
    for name in (row["query"] for row in at_one["rows"]):
        cells = [name]
        for part in by_scale.values():
            row = part[name]
            if "refused" in row:
                cells += [ms(row["exact_ms"]), "", ""]
            else:
                cells += [ms(row["exact_ms"]), ms(row["dpsql_ms"]),
                          f"{row['dpsql_ms'] / row['exact_ms']:.2f}"]
        rows.append(cells)
    head = ["query"] + [word for scale in by_scale
                        for word in (f"exact ms, scale {scale:g}", "private ms", "ratio")]
    return pages.table(head, rows)


def group_rows(results):
    """(groups, C0) to row."""
    found = {}
    for row in results["groups"]["rows"]:
        groups, cap = row["query"].split(" groups, C0 = ")
        found[int(groups), int(cap)] = row
    return found


def group_table(results):
    found = group_rows(results)
    caps = sorted({cap for _, cap in found})
    rows = []
    for groups in sorted({groups for groups, _ in found}):
        own = [found[groups, cap] for cap in caps]
        cells = [f"{groups:,}", ms(own[0]["exact_ms"]), ms(own[0]["per_unit_ms"])]
        cells += ["" if "refused" in row else ms(row["dpsql_ms"]) for row in own]
        rows.append(cells + [f"{max(row.get('peak_mb', 0) for row in own):,.0f}"])
    head = ["groups", "exact ms", "per unit ms"] + [f"private ms, C0 = {cap}" for cap in caps]
    return pages.table(head + ["peak MB"], rows)


def growth_plot(results):
    panels = []
    by_scale = scales(results, results["scales"])
    longest = [row["query"] for row in answered(results["rows"]) if row["exact_ms"] >= SHORT_MS]
    content = []
    for colour, name in zip(COLOURS, longest):
        for key, dashes, form in (("dpsql_ms", "", "private"), ("exact_ms", "5 4", "exact")):
            line = [(scale, part[name][key]) for scale, part in by_scale.items()
                    if key in part[name]]
            content.append((f"{name}, {form}", colour, dashes, line))
    panels.append(("ms over the scale factor of TPC-H", content))
    if "groups" in results:
        found = group_rows(results)
        groups = sorted({size for size, _ in found})
        content = [(f"private, C0 = {cap}", colour, "",
                    [(size, found[size, cap]["dpsql_ms"]) for size in groups
                     if "refused" not in found[size, cap]])
                   for cap, colour in zip(sorted({cap for _, cap in found}), COLOURS)]
        for key, name, dashes in (("per_unit_ms", "per unit", "2 3"), ("exact_ms", "exact", "5 4")):
            content.append((name, "#24292f", dashes,
                            [(size, found[size, 1][key]) for size in groups]))
        panels.append(("ms over the number of groups, ten million rows",
                       [line for line in content if line[3]]))
    if "units" in results:
        rows = [(int(row["query"].split()[0]), row) for row in results["units"]["rows"]]
        content = [(name, colour, dashes, [(units, row[key]) for units, row in rows if key in row])
                   for key, name, colour, dashes in (("dpsql_ms", "private, k = 10", COLOURS[0], ""),
                                                     ("per_unit_ms", "per unit", "#24292f", "2 3"),
                                                     ("exact_ms", "exact", "#24292f", "5 4"))]
        panels.append(("ms over the number of units, ten million rows", content))
    return plot.lines("Growth", panels)


def slowdown_rows(results):
    """Of each query, its private form over the exact one, by system."""
    found = {row["query"]: {"ours": row["dpsql_cpu_ms"] / row["exact_cpu_ms"]}
             for row in answered(results["rows"] + results.get("tpch", {"rows": []})["rows"])}
    for query, row in DPSQL_PLUS.items():
        found.setdefault(query, {})["DPSQL+"] = row["over_exact"]
    if "peers" in results:
        exact = {}
        for row in results["peers"]["ours"].get("PostgreSQL", {"rows": []})["rows"]:
            exact[row["query"]] = row["exact_ms"]
            if "refused" not in row:
                found.setdefault(row["query"], {})["ours on PostgreSQL"] = row["dpsql_ms"] / row["exact_ms"]
        for row in results["peers"]["rows"]:
            if row.get("ms") and row["query"] in exact:
                found.setdefault(row["query"], {})[row["system"]] = row["ms"] / exact[row["query"]]
    return [{"query": query, **ratios} for query, ratios in found.items()]


def slowdown_plot(results):
    series, note = SLOWER, "times the exact query of the same engine and run, CPU time"
    if "peers" in results:
        series, note = SLOWER + SLOWER_ON_POSTGRESQL, note + " on DuckDB and time of the clock on PostgreSQL"
    return plot.bars("How many times slower than the exact query, TPC-H at scale 1", series,
                     slowdown_rows(results), note, "not measured, or cannot")


def told_itself(part):
    """The day and load that a part has where nothing was recorded beside it."""
    known = {**part.get("surroundings", {}), **part}
    return {name: known[name] for name in ("day", "load before") if name in known}


def found_parts(results):
    """The parts of record.py."""
    named = {"basic": "basic", "frequency": "frequency", "unknown": "unknown_keys", "groups": "groups",
             "units": "units", "tpch": "tpch", "peers": "peers"}
    return {"paper": results, **{part: results[key] for part, key in named.items() if key in results},
             **{f"{name}={scale}": part for name, key in (("scale", "scales"), ("tpch", "tpch_scales"))
                for scale, part in results.get(key, {}).items()}}


def parts_of(results):
    """What is known of when its parts were measured."""
    found, recorded = found_parts(results), results.get("recorded", {})
    told = {name: recorded.get(name) or told_itself(part) for name, part in found.items()}
    if "peers" in told:
        told.update(recorded_by_system(found["peers"], told.pop("peers"), SYSTEMS))
    return told


def machines_of(results):
    """Where each part was measured, the peers' where ours was beside them."""
    found = found_parts(results)
    machines = {name: part["surroundings"] for name, part in found.items() if "surroundings" in part}
    machines.update((f"peers, ours on {engine}", part["surroundings"])
                    for engine, part in found.get("peers", {"ours": {}})["ours"].items() if "surroundings" in part)
    return machines


def page(results):
    text = HEAD + "\n![How many times slower than the exact query](slowdown.svg)\n"
    text += "\n![Milliseconds of each query in its three forms](speed.svg)\n"
    text += speed_table(results["rows"], compared=True) + measured_apart.after_paper() + wanted.text(results)
    text += measured_apart.cpu_part(results["rows"]) + measured_apart.wall_part()
    if "peers" in results:
        text += beside_peers.text(results["peers"])
    if "tpch" in results:
        text += TPCH + speed_table(results["tpch"]["rows"])
    if "basic" in results:
        text += "\n## With the `basic` accountant\n" + speed_table(results["basic"]["rows"])
    if "frequency" in results:
        text += FREQUENCY + speed_table(results["frequency"]["rows"])
    if "unknown_keys" in results:
        text += UNKNOWN + speed_table(results["unknown_keys"]["rows"])
    if "scales" in results:
        text += GROWTH + scale_table(results, results["scales"])
    if "tpch" in results and "tpch_scales" in results:
        text += TPCH_GROWTH + scale_table(results["tpch"], results["tpch_scales"])
    if "groups" in results:
        text += GROUPS + group_table(results)
    if "units" in results:
        text += UNITS + speed_table(results["units"]["rows"])
    return text + pages.where_and_how(machines_of(results), parts_of(results), REPEAT)


def main():
    folder = pathlib.Path(sys.argv[1]) / "docs/results"
    results = json.loads((folder / "speed.json").read_text())
    files = {"speed.md": page(results),
             "speed.svg": plot.bars("The ten queries of the paper, TPC-H at scale 1", FORMS,
                                    results["rows"])}
    files["slowdown.svg"] = slowdown_plot(results)
    if "scales" in results:
        files["growth.svg"] = growth_plot(results)
    return pages.keep(folder, "speed.json", files)


if __name__ == "__main__":
    sys.exit(main())

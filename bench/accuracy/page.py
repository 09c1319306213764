#!/usr/bin/env python3
"""Writes docs/results/accuracy.md and its plot from accuracy.json. Usage: page.py SOURCE [--update]

Without --update it is a test: it fails where the page or the plot is not what the figures say.
"""
import json
import pathlib
import sys

BENCH = pathlib.Path(__file__).resolve().parent.parent
sys.path += [str(BENCH / "speed"), str(BENCH / "peers")]
import pages  # noqa: E402
import plot  # noqa: E402
from goals import (GROUPS, QUERIES, SELECTED, Figures, beside_theory, divided_twice, gaussian_sigma,  # noqa: E402
                   goals, some_released, unanswered)
from measured import recorded_by_system  # noqa: E402
from trials import SYSTEMS  # noqa: E402

EPSILONS = [0.1, 1, 10]
MARKS = [("ours", "ours", "#e08a2b"), ("DPSQL+", "DPSQL+", "#1f6fb2"),
         ("DPSQL+ with PLD", "DPSQL+ with PLD", "#8fc1e3"),
         ("SmartNoise SQL", "SmartNoise SQL", "#4b9b5f"), ("Qrlew", "Qrlew", "#a2559c")]

DOTS = ["One logarithmic scale in all three panels. No dot: nothing to show, or no error seen. Hollow: over those "
        "keys that were released, not over all.",
        "Ours was measured here; the others' dots are those measured apart, DPSQL+ by 1,000 draws, SmartNoise "
        "and Qrlew by 25 trials."]

HEAD = """# How near the answers are

Written by `bench/accuracy/page.py` from `docs/results/accuracy.json`; a test keeps the page so.
`bench/accuracy/record.py` draws anew.

The paper's figure 1: its ten queries on TPC-H at scale 1 (`bench/tpch`), the customer protected,
δ = 1e-7, k = 1, bounds and row caps from the true extremes. The error is the paper's mean relative
error: over trials and groups the mean of |released − true| / |true|, in %. A group that is withheld
counts in *keys*, not in the error.

- *ours*: 1,000 draws of each query through `Session::Ask`, budget kept by `basic`, noise `auto`; each
  draw is planned, paid and computed anew. Keys of groups are declared.
- *DPSQL+*: the paper's Python program, 1,000 draws of its mechanism, by default and with its opt-in PLD
  calibration. *SmartNoise SQL* 1.0.10 and *Qrlew* 0.9.27: 25 trials, so their figures are sure to
  15–20 %. All these were measured apart, on the same data and bounds (`bench/accuracy/baselines.json`).
- SmartNoise takes ε for each noisy column. In these tables the columns of a query share its ε, but for the people
  whom it counts on the side. Qrlew takes the ε of a query, and divides it by its noisy columns itself.

![Mean relative error of each query at three ε, on a logarithmic scale](accuracy.svg)
"""

MISSED = """
Where a row says *missed*, the figures are what they are. Beside a peer that withheld some of its trials or groups the
row says how many it released: what is withheld counts in no error, so the peer's figure is of few answers and unsure,
where ours answers every time.
"""

NOTHING = """
{system} {why}: {where}.
"""

FREQUENCY = """
## With a minimum frequency

The same with k = 5, 10 and 50: whether a cell has k people is part of the release. {draws} draws of each, {paper} for
k = 1.
{spread}
Error in %:
"""

UNKNOWN = """
## Keys that nobody declared

The grouped queries where keys are selected by threshold, which takes a share of ε. {draws} draws of each, {paper}
of the declared ones, 25 of Qrlew. {spread}
Error in %, and the share of keys released where it is not all:
"""

LIKE_FOR_LIKE = """
DPSQL+ and SmartNoise select their keys in every table of this page. How many times theirs the error of ours is where
ours selects them too, k = 1:
"""

ROUND = """
## Bounds that an owner would write

Balances in [−1000, 10000], prices of orders in [0, 600000] and of lines in [0, 120000], 50 orders and
200 lines per customer, instead of the true extremes. {draws} draws of each, {paper} with the true ones.
{spread}
Error in %, and its ratio to that with true ones:
"""

SESSION = """
## A session of a hundred questions

The ten queries asked ten times each at (0.09, 1e-7) under one budget of (1, 1e-6), kept by `gdp`: {answered}
of {asked} were answered in each of {sessions} sessions, every one charged, and {left} more of the last kind would
fit. With the same questions and budget the others stop at:

| | questions answered of {asked} |
|---|---:|
| ours, `gdp` | {answered} |
| DPSQL+, RDP | {rdp} |
| DPSQL+, PLD | {pld} |
| DPSQL+, basic | {basic} |
{others}
DPSQL+'s counts are computed from its formulas (`bench/figure2 --session`), each for scalar queries with
one aggregate. Each question was drawn {draws} times. {spread}
Error of each question in %, DPSQL+'s at the same (ε, δ) scaled from its measured ones at
ε = 0.1 by its σ ({ratio:.3f} times):
"""

SKEW = """
## A few heavy people

A million visits of about 99,000 people to 5,000 shops (`bench/accuracy/visits.sql`): the busiest person has
21,505 rows, half have six or fewer, and 610 people with more than a hundred rows spend a third of the money. The
error against the exact answer without any bound, in %: a small cap cuts the heavy ones off, a large one pays
for them with noise. {draws} draws of each. {spread}
The best of each line is bold.
"""

SHOPS = """
By shop, whose keys nobody declared, by the most shops in which one person counts (rows as many). In brackets the
share of the 5,000 shops that is released; the error is that of the released ones:
"""

PEERS = """
## Peers run here

By `bench/peers/run.py`, {trials} trials of each, fewer only where a row says so, PostgreSQL {postgresql} on
the same data. All noised columns of a query share its ε; rows that recorded it tell their number. Qrlew divides the
ε that it is told itself, here as above: by two for AVG, by six for COVAR. SmartNoise's is divided here by all columns
to which it says that it adds noise, and above the people whom it counts on the side were free: COUNT goes from one
column to two, AVG from two to three, so its noise here is twice and one and a half times that of above.
{twice}Error in %:
"""

DIVIDED_TWICE = """**Qrlew's errors without a number of columns are too large** where it noises several: ε had been
divided before Qrlew divided it once more, so that AVG has the noise of half its ε, and COVAR that of a sixth.
"""

REPEAT = """
## Where and how

{machine}. Draws do not depend on the speed of a machine.
{recorded}
```sh
tools/bootstrap/bootstrap.sh --oracles --engines
make build && cmake --build build --target accuracy figure2 duckdb-load
bench/accuracy/record.py build docs/results/accuracy.json paper session unknown round frequency skew=100 peers
bench/accuracy/page.py . --update
```
"""


def number(value):
    return "" if value is None else f"{value:.3g}" if value < 100 else f"{value:,.0f}"


def ratio(over, under):
    return "" if over is None or not under else f"{over / under:.2f}"


def keys(row):
    share = row.get("keys_released") if row else None
    return "" if share is None else f"{100 * share:.3g} %"


def some_or_all_keys(row):
    return some_released(row) or (keys(row) if row["trials"] else "")


def drawn(figures, part):
    """How many draws the rows of a part have, and how sure they are."""
    rows = [row for row in figures.rows if row["part"] == part]
    paper = max(row["trials"] for row in figures.rows if row["part"] == "paper")
    counts = sorted({row["trials"] for row in rows})
    shares = sorted((100 * row["standard_error"] / row["mre"], f"{row['query']} at ε = {row['epsilon']:g}")
                    for row in rows if row.get("standard_error") and row["mre"])
    spread = ""
    if shares:
        spread = (f"Standard errors are {shares[len(shares) // 2][0]:.2g} % of a figure in the middle, "
                  f"{shares[-1][0]:.2g} % at most ({shares[-1][1]}).")
    return {"draws": " or ".join(f"{count:,}" for count in counts), "paper": f"{paper:,}",
            "spread": spread}


def paper_table(figures, epsilon):
    rows = []
    for query in QUERIES:
        ours = figures.row("ours", query, epsilon)
        cells = [query, f"{number(ours['mre'])} ± {number(2 * ours['standard_error'])}", keys(ours)]
        cells.append(number(figures.error("ours, 25 trials", query, epsilon)))
        for system in ("DPSQL+", "DPSQL+ with PLD", "SmartNoise SQL", "Qrlew"):
            theirs = figures.row(system, query, epsilon)
            cell = number(theirs["mre"]) or "wrong"
            some = some_released(theirs)
            cells.append(cell + (f" ({some})" if some else ""))
            cells.append(ratio(ours["mre"], theirs["mre"]))
        rows.append(cells)
    head = ["query", "ours (± 2 s.e.)", "keys", "first 25"]
    for system in ("DPSQL+", "with PLD", "SmartNoise", "Qrlew"):
        head += [system, "ours /"]
    return pages.table(head, rows)


def notes(figures):
    found = {}
    for row in figures.rows:
        if row["part"] == "baselines" and row.get("note"):
            found.setdefault((row["system"], row["note"]), []).append(row["query"])
    return "\n" + "".join(f"- {system}, {', '.join(dict.fromkeys(queries))}: {note}.\n"
                          for (system, note), queries in found.items())


def goal_table(figures):
    rows = [[goal.words, goal.worst, goal.reached()] for goal in goals(figures)]
    return "\n## What was to be shown\n" + pages.table(["goal", "the worst of ours", "reached"], rows)


def variant_table(figures, systems, queries, names):
    rows = []
    for query in queries:
        for epsilon in EPSILONS:
            cells = [query, f"{epsilon:g}"]
            for system in systems:
                row = figures.row(system, query, epsilon)
                cells.append("" if row is None else number(row["mre"]) +
                             (f" ({keys(row)})" if (row["keys_released"] or 1) < 1 else ""))
            rows.append(cells)
    return pages.table(["query", "ε"] + names, rows)


def selected_table(figures):
    systems = ["DPSQL+", "DPSQL+ with PLD", "SmartNoise SQL"]
    systems += [SYSTEMS["smartnoise"]] if figures.has("peers") else []
    rows = []
    for query in GROUPS:
        for epsilon in EPSILONS:
            own = figures.error(SELECTED, query, epsilon)
            cells = [figures.row(system, query, epsilon) for system in systems]
            rows.append([query, f"{epsilon:g}", number(own)] + [
                ratio(own, row and row["mre"]) + (f" (over {some_released(row)})" if row and some_released(row) else "")
                for row in cells])
    return pages.table(["query", "ε", "ours, keys selected"] + [f"/ {system}" for system in systems], rows)


def round_table(figures):
    rows = []
    for query in QUERIES:
        cells = [query]
        for epsilon in EPSILONS:
            own = figures.error("ours, round bounds", query, epsilon)
            cells += [number(own), ratio(own, figures.error("ours", query, epsilon))]
        rows.append(cells)
    return pages.table(["query"] + [word for epsilon in EPSILONS for word in (f"ε = {epsilon:g}", "ratio")],
                       rows)


def others_in_session(results):
    """Rows of those whose counts need no formula of ours: measured, or a plain sum."""
    odometer = results.get("peers", {}).get("smartnoise", {}).get("session")
    rows = [] if odometer is None else [["SmartNoise SQL, its odometer", str(odometer)]]
    # Shares of (0.09, 1e-7) in (1, 1e-6), in integers.
    summed = min(100 // 9, 10)
    return rows + [["Qrlew, which has no accountant: declared budgets summed", str(summed)]]


def session_part(figures, results):
    session = results["session"]
    scaled = gaussian_sigma(0.045, 5e-8) / gaussian_sigma(0.05, 5e-8)
    text = SESSION.format(answered=session["answered"], asked=session["asked"],
                          sessions=session["sessions"], left=session["queries_left"],
                          others="".join(f"| {name} | {count} |\n"
                                         for name, count in others_in_session(results)),
                          ratio=scaled, **drawn(figures, "session"), **session["dpsql_plus"])
    rows = []
    for query in QUERIES:
        ours = figures.error("ours, session under gdp", query, 0.09)
        theirs = figures.error("DPSQL+", query, 0.1) * scaled
        rows.append([query, number(ours), number(theirs), ratio(ours, theirs)])
    return text + pages.table(["query", "ours", "DPSQL+", "ours / DPSQL+"], rows)


def by_cap(figures, queries, kind, shown):
    caps = sorted({int(row["system"].split()[-1]) for row in figures.rows
                   if row["system"].startswith(f"ours, {kind} ")})
    rows = []
    for query in queries:
        for epsilon in EPSILONS:
            found = [figures.row(f"ours, {kind} {cap}", query, epsilon) for cap in caps]
            rows.append([query, f"{epsilon:g}"] + shown(found))
    return pages.table(["query", "ε"] + [f"{kind} {cap:,}" for cap in caps], rows)


def best_bold(found):
    whole = [row["mre"] for row in found if row["keys_released"] == 1]
    return [("none" if row["keys_released"] == 0 else
             f"**{number(row['mre'])}**" if row["mre"] == min(whole) else number(row["mre"]))
            for row in found]


def with_keys(found):
    return [f"{number(row['mre'])} ({keys(row)})" if row["keys_released"] else "none"
            for row in found]


def skew_part(figures):
    text = SKEW.format(**drawn(figures, "skew"))
    text += by_cap(figures, ["VISITS", "SPENT", "SPENT_MEAN", "SPENT_BY_KIND"], "rows", best_bold)
    return text + SHOPS + by_cap(figures, ["VISITS_BY_SHOP", "PEOPLE_BY_SHOP"], "shops", with_keys)


def failed_peers(own, results):
    """What each peer's program failed of, and the days of the rows that stayed."""
    text = ""
    for peer, told in results.get("peers", {}).items():
        days = [row["day"] for row in own if row["system"] == SYSTEMS[peer] and "day" in row]
        if "failed" in told:
            text += f"\n{SYSTEMS[peer]}: {told['failed']}, on {results['days']['peers']}"
            text += f"; {len(days)} of its rows are of {', '.join(sorted(set(days)))}" if days else ""
            text += ".\n"
    return text


def how_or_why_not(row):
    of_day = f"measured on {row['day']}" if "day" in row else ""
    return "; ".join(filter(None, [of_day, row.get("note", "")]))


def peers_part(figures, results):
    own = [row for row in figures.rows if row["part"] == "peers"]
    rows = [[row["query"], row["system"], f"{row['epsilon']:g}", number(row["mre"]) or "none",
             some_or_all_keys(row), str(row["trials"]), str(row.get("columns", "")), number(row.get("ms")),
             how_or_why_not(row)]
            for row in own]
    trials = max((row["trials"] for row in own), default=0)
    postgresql = results.get("versions", {}).get("PostgreSQL", "15")
    twice = DIVIDED_TWICE if divided_twice(figures) else ""
    text = PEERS.format(trials=trials, postgresql=postgresql, twice=twice) + failed_peers(own, results)
    return text + pages.table(
        ["query", "system", "ε", "error %", "keys", "trials", "noised columns", "median ms", "how, or why not"], rows)


def recorded_parts(results):
    recorded = {part: results.get("recorded", {}).get(part, {"day": day})
                for part, day in sorted(results["days"].items())}
    if "peers" in recorded:
        recorded.update(recorded_by_system(results, recorded.pop("peers"), SYSTEMS))
    return recorded


def machines(results):
    """The machine, or each with its parts."""
    found = {}
    for part in sorted(results["days"]):
        found.setdefault(results.get("machines", {}).get(part, results["machine"]), []).append(part)
    if len(found) == 1:
        return next(iter(found))
    return "; ".join(f"{', '.join(parts)}: {machine}" for machine, parts in found.items())


def page(results):
    figures = Figures(results["rows"])
    text = HEAD
    for epsilon in EPSILONS:
        text += f"\n## ε = {epsilon:g}\n" + paper_table(figures, epsilon)
    text += notes(figures) + goal_table(figures) + beside_theory(figures)
    if any(goal.missed for goal in goals(figures)):
        text += MISSED
    for system in (SYSTEMS.values() if figures.has("peers") else ()):
        for why, where in unanswered(figures, system).items():
            text += NOTHING.format(system=system.replace(", here", " run here"), why=why, where=where)
    if figures.has("frequency"):
        systems = ["ours"] + [f"ours, k = {k}" for k in (5, 10, 50)]
        text += FREQUENCY.format(**drawn(figures, "frequency")) + variant_table(figures, systems, QUERIES,
                                          ["k = 1", "k = 5", "k = 10", "k = 50"])
    if figures.has("unknown"):
        systems = ["ours", "ours, keys unknown"] + [f"ours, keys unknown, k = {k}"
                                                    for k in (5, 10, 50)]
        text += UNKNOWN.format(**drawn(figures, "unknown")) + variant_table(
            figures, systems + ["Qrlew, keys unknown"], QUERIES[-2:],
            ["declared", "unknown", "k = 5", "k = 10", "k = 50", "Qrlew, unknown"])
        text += LIKE_FOR_LIKE + selected_table(figures)
    if figures.has("round"):
        text += ROUND.format(**drawn(figures, "round")) + round_table(figures)
    if figures.has("session"):
        text += session_part(figures, results)
    if figures.has("skew"):
        text += skew_part(figures)
    if figures.has("peers"):
        text += peers_part(figures, results)
    return text + REPEAT.format(machine=machines(results), recorded=pages.recorded_table(recorded_parts(results)))


def drawing(results):
    """One panel for each ε: a line for each query, a dot for each system."""
    figures = Figures(results["rows"])
    panels = []
    for epsilon in EPSILONS:
        rows = [(query, [(colour, figures.error(system, query, epsilon),
                          bool(some_released(figures.row(system, query, epsilon))))
                         for system, _, colour in MARKS]) for query in QUERIES]
        panels.append((f"ε = {epsilon:g}", rows))
    return plot.dots("Mean relative error in %, TPC-H at scale 1, δ = 1e-7",
                     [(name, colour) for _, name, colour in MARKS], panels, DOTS)


def main():
    folder = pathlib.Path(sys.argv[1]) / "docs/results"
    results = json.loads((folder / "accuracy.json").read_text())
    files = {"accuracy.md": page(results), "accuracy.svg": drawing(results)}
    return pages.keep(folder, "accuracy.json", files)


if __name__ == "__main__":
    sys.exit(main())

"""What docs/results/speed.md was to show at scale 1, computed from its rows."""
import math
import statistics

import pages

SHORT_MS = 5
MOST_MEAN, MOST_SLOWER, MOST_OF_PER_UNIT, MOST_ADDED_MS = 3, 8, 1, 3

TEXT = """
## What was to be shown

At scale 1. Where the exact query takes {short} ms or more, ours was to take at most {mean} times as long in the
geometric mean (the arithmetic one stands beside it) and nowhere more than {slower} times; to a shorter one it was to
add at most {added} ms; and no query was to take longer than its form per unit.{left_out}
Each cell has the worst and where it is:
"""

LEFT_OUT = """ The tables of *Growth*, other
scales, groups and units, are held to none of this: there ours takes up to {times} times as long as the exact query
({where})."""

NAMES = [("rows", "the ten queries"), ("tpch", "TPC-H"), ("basic", "under `basic`"), ("frequency", "k = 10"),
         ("unknown_keys", "keys that nobody declared")]


def answered(rows):
    return [row for row in rows if "refused" not in row]


def over(row, below):
    return row["dpsql_ms"] / row[below]


def cell(measured, words, most):
    return words if measured <= most else f"**missed**: {words}"


def mean_cell(rows):
    if not rows:
        return "none measured"
    ratios = [over(row, "exact_ms") for row in rows]
    geometric = math.exp(statistics.fmean(map(math.log, ratios)))
    return cell(geometric, f"{geometric:.2f} of {len(rows)} ({statistics.fmean(ratios):.2f})", MOST_MEAN)


def worst_cell(rows, value, form, most):
    if not rows:
        return "none measured"
    worst = max(rows, key=value)
    return cell(value(worst), f"{form.format(value(worst))}, {worst['query']}", most)


def goal_row(name, rows):
    found = answered(rows)
    long = [row for row in found if row["exact_ms"] >= SHORT_MS]
    short = [row for row in found if row["exact_ms"] < SHORT_MS]
    with_units = [row for row in found if "per_unit_ms" in row]
    refused = len(rows) - len(found)
    return [name, mean_cell(long),
            worst_cell(long, lambda row: over(row, "exact_ms"), "{:.2f}", MOST_SLOWER),
            worst_cell(with_units, lambda row: over(row, "per_unit_ms"), "{:.2f}", MOST_OF_PER_UNIT),
            worst_cell(short, lambda row: row["dpsql_ms"] - row["exact_ms"], "{:.1f} ms", MOST_ADDED_MS),
            f"**{refused}**" if refused else "0"]


def left_out(results):
    """What no goal is held against, with its worst."""
    others = [results[key] for key in ("groups", "units") if key in results]
    others += [part for key in ("scales", "tpch_scales") for part in results.get(key, {}).values()]
    rows = [row for part in others for row in answered(part["rows"])]
    if not rows:
        return ""
    worst = max(rows, key=lambda row: over(row, "exact_ms"))
    return LEFT_OUT.format(times=f"{over(worst, 'exact_ms'):.0f}", where=worst["query"])


def text(results):
    parts = {name: results[key] if key == "rows" else results[key]["rows"]
             for key, name in NAMES if key in results}
    head = ["", f"mean (arithmetic), ≤ {MOST_MEAN}", f"slowest, ≤ {MOST_SLOWER}",
            f"over per unit, ≤ {MOST_OF_PER_UNIT}", f"added, ≤ {MOST_ADDED_MS} ms", "not answered"]
    words = TEXT.format(short=SHORT_MS, mean=MOST_MEAN, slower=MOST_SLOWER, added=MOST_ADDED_MS,
                        left_out=left_out(results))
    return words + pages.table(head, [goal_row(name, rows) for name, rows in parts.items()])

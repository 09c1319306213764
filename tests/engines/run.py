"""Runs every call that a dialect can print on the database itself and compares with DuckDB.

    run.py sqlite|postgresql|spark DIRECTORY_OF_TEST_PROGRAMS [PATTERN]

PATTERN is a regular expression of the calls to try. Exits with 77, which ctest shows as skipped,
where the database is not installed.
"""

import importlib
import json
import math
import re
import subprocess
import sys
import tempfile
from decimal import Decimal
from pathlib import Path

SKIPPED = 77
# Engines need not agree on the last bits of a sine. The values of exact operations lie further
# apart than this.
TOLERANCE = 1e-12
MOST_SHOWN = 6


class NotInstalled(Exception):
    """The database is not on this machine; the text says what is missing."""


def canonical(text, family):
    """A cell as something that == compares; DuckDB writes (BC) behind the day, others at the end."""
    if text is None:
        return None
    if family == "boolean":
        return {"1": "true", "0": "false"}.get(text, text)
    if family == "integer":
        return int(text)
    if family == "decimal":
        return Decimal(text)
    if family == "time" and "BC" in text:
        return " ".join(part for part in text.split() if "BC" not in part) + " BC"
    return text


def family_of(type_name):
    for family, pattern in (
        ("boolean", "BOOLEAN"),
        ("integer", "SMALLINT|INTEGER|BIGINT"),
        ("real", "DOUBLE|FLOAT"),
        ("decimal", r"DECIMAL.*|HUGEINT"),
        ("time", "DATE|TIMESTAMP"),
        ("interval", "INTERVAL"),
    ):
        if re.fullmatch(pattern, type_name):
            return family
    return "text"


def same(expected, actual, family):
    if expected is None or actual is None:
        return expected is None and actual is None
    if family != "real":
        return canonical(expected, family) == canonical(actual, family)
    left, right = float(expected), float(actual)
    if math.isinf(left) or math.isinf(right):
        return left == right
    return abs(left - right) <= TOLERANCE * max(abs(left), abs(right))


def mentions(call, name):
    return re.search(rf"\b{name}\b", call) is not None


def inputs(call, columns, row):
    """The row's cells that a call reads, for a message."""
    names = [name for name, _ in columns if mentions(call, name)]
    at = {name: i for i, (name, _) in enumerate(columns)}
    return ", ".join(f"{name} = {shorten(row[at[name]])}" for name in names)


def shorten(cell):
    text = "NULL" if cell is None else repr(cell)
    return text if len(text) < 80 else f"{text[:60]}… ({len(cell)} characters)"


def beyond_years(cells):
    """Whether a day before year 1 or after year 9999 is among the cells. PostgreSQL and Spark know
    fewer of those days than DuckDB does, so that their answer may be NULL there."""
    return any(cell and re.match(r"\d+-\d\d-\d\d( BC|.*\(BC\))|\d{5,}-\d\d-", cell) for cell in cells)


def differences(case, answers, grid):
    family = family_of(case["type"])
    read = [i for i, (name, _) in enumerate(grid["columns"]) if mentions(case["call"], name)]
    lines = []
    for row, expected, actual in zip(grid["rows"], case["expected"], answers, strict=True):
        if actual is None and beyond_years([expected, *(row[i] for i in read)]):
            continue
        if not same(expected, actual, family):
            where = inputs(case["call"], grid["columns"], row)
            lines.append(f"  {where}: DuckDB {shorten(expected)}, here {shorten(actual)}")
    return list(dict.fromkeys(lines))


def day_of_text(cell):
    """A key that is a day before year 1 has another spelling in PostgreSQL."""
    return canonical(cell, "time") if cell and re.match(r"\d+-\d\d-\d\d .*BC", cell) else cell


def sorted_rows(rows, types):
    """Rows as something to compare in any order: numbers by their value, NULLs first."""
    families = [family_of(kind) for kind in types]
    rows = [[day_of_text(cell) for cell in row] for row in rows]
    cells = [[canonical(c, f) for c, f in zip(row, families, strict=True)] for row in rows]
    return sorted(cells, key=lambda row: [(cell is not None, str(cell)) for cell in row])


def check_call(case, engine, grid):
    answers = engine.call(case["sql"], family_of(case["type"]))
    return differences(case, answers, grid)


def check_query(case, engine, _grid):
    expected = sorted_rows(case["expected"], case["types"])
    actual = sorted_rows(engine.query(case["sql"]), case["types"])
    if expected == actual:
        return []
    lines = [f"  {len(expected)} rows from DuckDB, {len(actual)} here"]
    pairs = zip(expected, actual)
    return lines + [f"  DuckDB {left}, here {right}" for left, right in pairs if left != right]


def check_all(cases, check, engine, grid, errors):
    """Prints what is wrong; the numbers of cases that fail and that differ."""
    failed = wrong = 0
    for case in cases:
        name = case.get("call") or case["query"]
        try:
            lines = check(case, engine, grid)
        except errors as error:
            failed += 1
            print(f"FAILED {name}\n  {case['sql']}\n  {str(error)[:400]}")
            continue
        if lines:
            wrong += 1
            print(f"DIFFERS {name}: {len(lines)} kinds of rows\n  {case['sql']}")
            print("\n".join(lines[:MOST_SHOWN]))
    return failed, wrong


def main(dialect, programs, pattern=""):
    module = importlib.import_module(f"engine_{dialect}")
    with tempfile.TemporaryDirectory() as folder:
        cases_file = Path(folder, "cases.jsonl")
        subprocess.run([Path(programs, "engine_cases"), dialect, cases_file], check=True)
        with cases_file.open(encoding="utf-8") as lines:
            grid, *cases = map(json.loads, lines)
    bad = 0
    with module.open_engine(grid["columns"], grid["rows"]) as engine:
        for kind, check in (("call", check_call), ("query", check_query)):
            of_kind = [case for case in cases if kind in case and re.search(pattern, case[kind])]
            ran = [case for case in of_kind if "sql" in case]
            failed, wrong = check_all(ran, check, engine, grid, module.ERRORS)
            bad += failed + wrong
            print(
                f"{dialect}: {len(ran)} {kind} cases over {len(grid['rows'])} rows: {failed} failed, "
                f"{wrong} differ from DuckDB; {len(of_kind) - len(ran)} refused"
            )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.modules["run"] = sys.modules["__main__"]
    try:
        sys.exit(main(*sys.argv[1:]))
    except NotInstalled as reason:
        print(f"skipped: {reason}")
        sys.exit(SKIPPED)

"""SQLite as Python's own module has it. Decimals are REAL there, booleans 0 and 1, dates text."""

import contextlib
import math
import re

from run import NotInstalled

try:
    import sqlite3
except ImportError as error:
    raise NotInstalled("this Python has no sqlite3") from error

ERRORS = (sqlite3.Error,)
STORED = {
    "BIGINT": ("INTEGER", int),
    "INTEGER": ("INTEGER", int),
    "BOOLEAN": ("INTEGER", lambda text: int(text == "true")),
    "DOUBLE": ("REAL", float),
    "DECIMAL(38,10)": ("REAL", float),
    "HUGEINT": ("REAL", float),
}


def written(cell):
    if cell is None or isinstance(cell, str):
        return cell
    if isinstance(cell, float) and math.isinf(cell):
        return "inf" if cell > 0 else "-inf"
    return repr(cell)


class ExactSum:
    """dpsql_sum, which the backend brings along."""

    def __init__(self):
        self.seen = []

    def step(self, value):
        if value is not None:
            self.seen.append(value)

    def inverse(self, value):
        if value is not None:
            self.seen.remove(value)

    def value(self):
        total = sum(self.seen)
        fits = not isinstance(total, int) or -(2**63) <= total < 2**63
        return (total if fits else float(total)) if self.seen else None

    finalize = value


def like(text, pattern, escape=None):
    """dpsql_like."""
    if text is None or pattern is None:
        return None
    parts = re.findall(f"{re.escape(escape)}.|." if escape else ".", pattern, re.DOTALL)
    expression = "".join({"%": ".*", "_": "."}.get(part, re.escape(part[-1])) for part in parts)
    return int(re.fullmatch(expression, text, re.DOTALL) is not None)


def matches(text, pattern, fold=None):
    """dpsql_matches. What differs in Python is $, which also stands before a last line's end."""
    if text is None:
        return None
    parts = re.findall(r"\\.|\[\^?[^]]*\]|.", pattern, re.DOTALL)
    expression = "".join({"$": r"\Z"}.get(part, part) for part in parts)
    flags = re.DOTALL | (re.IGNORECASE if fold else 0)
    return int(re.search(expression, text, flags) is not None)


def first_code_point(text):
    """dpsql_ascii."""
    if not text:
        return None if text is None else 0
    return ord(text[0])


def day(text):
    """dpsql_date, of what SQLite computed."""
    return text if text and re.fullmatch(r"(?!0000)\d{4}-\d\d-\d\d", text) else None


def extreme(choose):
    """dpsql_greatest and dpsql_least; Python orders texts as their bytes in UTF-8 are."""
    return lambda *values: choose((v for v in values if v is not None), default=None)


class Engine:
    def __init__(self, connection):
        self.connection = connection
        connection.create_window_function("dpsql_sum", 1, ExactSum)
        connection.create_function("dpsql_ascii", 1, first_code_point, deterministic=True)
        connection.create_function("dpsql_date", 1, day, deterministic=True)
        connection.create_function("dpsql_greatest", -1, extreme(max), deterministic=True)
        connection.create_function("dpsql_least", -1, extreme(min), deterministic=True)
        connection.create_function("dpsql_like", -1, like, deterministic=True)
        connection.create_function("dpsql_matches", -1, matches, deterministic=True)

    def query(self, sql):
        return [[written(cell) for cell in row] for row in self.connection.execute(sql)]

    def call(self, sql, _family):
        return [row[0] for row in self.query(f"SELECT {sql} FROM grid AS s0 ORDER BY id")]


@contextlib.contextmanager
def open_engine(columns, rows):
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        kinds = [STORED.get(kind, ("TEXT", str)) for _, kind in columns]
        names = ", ".join(f"{name} {kind[0]}" for (name, _), kind in zip(columns, kinds))
        connection.execute(f"CREATE TABLE grid ({names})")
        places = ", ".join("?" for _ in columns)
        connection.executemany(
            f"INSERT INTO grid VALUES ({places})",
            [
                [None if cell is None else kind[1](cell) for cell, kind in zip(row, kinds)]
                for row in rows
            ],
        )
        yield Engine(connection)

"""SQLite as Python's own module has it. Decimals are REAL there, booleans 0 and 1, dates text."""

import contextlib
import math

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


class Engine:
    def __init__(self, connection):
        self.connection = connection

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

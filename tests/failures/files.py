#!/usr/bin/env python3
"""DuckDB and SQLite that fail in the middle of a question. Usage: files.py BUILD

Too slow, without room for what they spill or keep in memory, killed; and a ledger without room. Each time one fixed text,
the exit code of its kind, and what was paid stays paid.
"""

import sqlite3
import sys
import tempfile
import time
from pathlib import Path

from house import (COUNTED, ENDLESS, FAILED, GROUPED, House, TOO_LONG, check_failed, check_killed,
                   check_paid, load_duckdb, make_files, visits)

TIMEOUT_SECONDS = 1
ENGINES = ("duckdb", "sqlite")
# Three million groups do not fit into the memory below.
WIDE = """CREATE TABLE visit AS SELECT i AS id, 'a rather long name of ' || i AS place, 1 AS amount
FROM range(3000000) AS numbers(i);"""
SQLITE_WIDE = """CREATE TABLE visit (id INTEGER NOT NULL, place TEXT NOT NULL, amount INTEGER NOT NULL)
STRICT;
INSERT INTO visit WITH RECURSIVE numbers (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM numbers
WHERE i < 1000000) SELECT i, 'a rather long name of a place, so that few fit: ' || i, 1 FROM numbers;
"""
JOINED = "SELECT count(*) FROM visit a JOIN visit b ON a.id = b.id AND a.place = b.place"
# Its answer is longer than all that the ledger writes before it.
LONG = f"SELECT count(*), '{'x' * 60_000}' FROM visit"
LABEL = '[data]\nversion = "1"'  # with it answers are kept in the ledger
SMALL_MEMORY = '[database]\nmemory = "128 MB"'


def make_sqlite(path):
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE visit (id INTEGER NOT NULL, place INTEGER NOT NULL, "
                         "amount INTEGER NOT NULL) STRICT")
        database.executemany("INSERT INTO visit VALUES (?, ?, ?)", visits())
    database.close()


def too_slow(house):
    before = house.budget()
    running = house.start(ENDLESS)
    return check_failed(house, running, before, time.monotonic() + TIMEOUT_SECONDS, TOO_LONG)


def without_room_to_spill(build, folder):
    """The folder that the database spills to is full at once."""
    load_duckdb(build, folder / "wide.duckdb", WIDE)
    house = House(build, folder / "wide", f"{folder}/wide.duckdb", rest=SMALL_MEMORY)
    before = house.budget()
    running = house.start(GROUPED, file_limit=1 << 20)
    took = check_failed(house, running, before, running.started, FAILED)
    assert "File too large" in house.incidents(), house.incidents()
    return took


def beyond_its_memory(build, folder):
    """SQLite spills nothing: what it sorts and hashes stays in the memory that the policy gives."""
    with sqlite3.connect(folder / "wide.sqlite") as database:
        database.executescript(SQLITE_WIDE)
    database.close()
    house = House(build, folder / "narrow", f"sqlite:{folder}/wide.sqlite", rest=SMALL_MEMORY)
    before = house.budget()
    running = house.start(JOINED)
    took = check_failed(house, running, before, running.started, FAILED)
    assert "more memory than the policy allows" in house.incidents(), house.incidents()
    return took


def without_room_to_pay(house):
    """The payment cannot be written: nothing is read, and nothing is answered."""
    before = house.budget()
    code, error, err, _ = house.start(COUNTED, file_limit=house.ledger.stat().st_size // 2).end()
    assert (code, error.get("code")) == (5, "L602"), (code, error, err)
    assert house.budget()["reservations"] == before["reservations"]


def without_room_for_the_answer(house):
    """It was paid and computed; what could not be stored is not told."""
    house.answers()
    before = house.budget()
    code, error, err, _ = house.start(LONG, file_limit=house.ledger.stat().st_size + 30_000).end()
    assert (code, error.get("code")) == (5, "L602"), (code, error, err)
    check_paid(before, house.budget())


def main(build):
    build = Path(build).resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_files(build, folder)
        make_sqlite(folder / "visit.sqlite")
        for engine in ENGINES:
            url = f"{engine}:{folder}/visit.{engine}"
            hasty = House(build, folder / f"{engine}-hasty", url,
                          query=f'timeout = "{TIMEOUT_SECONDS} s"')
            print(f"{engine}, too slow: {too_slow(hasty):.1f} s", flush=True)
            house = House(build, folder / engine, url)
            house.answers()
            without_room_to_pay(house)
            check_killed(house)
            house.answers()
            without_room_for_the_answer(House(build, folder / f"{engine}-kept", url, rest=LABEL))
            print(f"{engine}: no room for the ledger, killed", flush=True)
        print(f"SQLite beyond its memory: {beyond_its_memory(build, folder):.1f} s", flush=True)
        print(f"no room to spill: {without_room_to_spill(build, folder):.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

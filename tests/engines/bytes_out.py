#!/usr/bin/env python3
"""Groups leave the database, rows do not. Usage: bytes_out.py BUILD postgresql|spark

Counts what a server sends for 1,000 groups of 200,000 rows, with all that a session asks before. Two
numbers for each row would be three megabytes; they may be one. Exits with 77 where there is no
server.
"""

import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "failures"))

import postgresql_server  # noqa: E402
from house import PLACES, ROWS, House, make_files  # noqa: E402
from proxy import Proxy  # noqa: E402

SKIPPED = 77
MOST_BYTES = 1_000_000
LOUD = "epsilon_max = 40"  # so that the groups are selected
# Every way in which groups come: selected keys with sums, and values that units claim.
QUESTIONS = ("SELECT place, count(*), sum(amount) FROM visit GROUP BY place",
             "SELECT place, count(DISTINCT amount) FROM visit GROUP BY place")


def check(house, proxy):
    for sql in QUESTIONS:
        before = proxy.to_client
        groups = len(house.answers("SET dp.epsilon = 40; " + sql))
        sent = proxy.to_client - before
        print(f"{sent} bytes for {groups} groups of {ROWS} rows: {sql}", flush=True)
        assert groups > PLACES / 2 and sent < MOST_BYTES, (groups, sent)


def on_postgresql(build, folder):
    with postgresql_server.PostgreSqlServer(folder / "server") as server:
        server.load(folder / "visit.csv")
        (folder / "line").mkdir()
        line = postgresql_server.url(folder / "line")
        with Proxy(f"{folder}/line/.s.PGSQL.5432", f"{server.folder}/.s.PGSQL.5432") as proxy:
            check(House(build, folder / "house", line, query=LOUD), proxy)
            before = proxy.to_client
            postgresql_server.ask(line, "SELECT id, place, amount FROM visit")
            assert proxy.to_client - before > 2 * MOST_BYTES, "the line does not count rows"


def on_spark(build, folder):
    with spark_process.SparkServer(folder / "server") as server, \
            Proxy(("127.0.0.1", 0), server.address) as proxy:
        check(House(build, folder / "house", spark_process.url(proxy.address), query=LOUD,
                    source=f'source = "{folder}/visit.parquet"'), proxy)


def main(build, engine):
    why_not = (spark_process if engine == "spark" else postgresql_server).why_not()
    if why_not:
        print(f"skipped: {why_not}")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        make_files(Path(build), folder)
        (on_spark if engine == "spark" else on_postgresql)(Path(build).resolve(), folder)
    return 0


if __name__ == "__main__":
    if sys.argv[2] == "spark":
        import spark_process
    sys.exit(main(*sys.argv[1:]))

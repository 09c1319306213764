#!/usr/bin/env python3
"""Measures, and keeps the figures. Usage: record.py BUILD RESULTS.json PART…

Each PART replaces its part of RESULTS.json, the data of docs/results/engines.md:
  scale=S   the ten queries at scale S on the engines of that scale, and that all agree without noise
  growth=N  a sum and 1,000 groups over N generated rows, on DuckDB and Spark
  skew=N    the same where one unit has a tenth of all rows
  bytes-postgresql=N, bytes-spark=N  what leaves it for 1,000 groups of N rows
Beside each PART stand its commit, day and load average.
Needs PostgreSQL, Java, and a Python with pyspark, which tests/engines/spark_python.sh prints. Ends with 1
where two engines disagree, or a megabyte leaves one.
"""
import contextlib
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent / "tests/failures"))
sys.path.append(str(HERE.parent / "speed"))

import data  # noqa: E402
import pages  # noqa: E402
import postgresql_server  # noqa: E402
import spark_process  # noqa: E402
from proxy import Proxy  # noqa: E402

POSTGRESQL = ("shared_buffers=512MB", "work_mem=64MB")
# Both keep to the machine's two processors; a session must outlive the longest question.
SPARK = ("spark.connect.session.manager.defaultSessionTimeout=180m",)
MOST_BYTES = 1_000_000
MOST_COMPARED = 10_000_000  # rows: what takes half an hour is asked once
SMALL_SCALE = 0.5  # above it only the engines that are made for it


class Engine:
    """A database with its data: `url` for the product, `files` where tables are files."""

    def __init__(self, name, url, files=""):
        self.name, self.url, self.files = name, url, str(files)


@contextlib.contextmanager
def spark(folder):
    with spark_process.SparkServer(folder / "spark", SPARK) as server:
        yield server


@contextlib.contextmanager
def postgresql(folder, statements):
    with postgresql_server.PostgreSqlServer(folder / "postgresql", POSTGRESQL) as server:
        data.fill_postgresql(server, statements)
        yield server


@contextlib.contextmanager
def engines_of(build, scale):
    made = data.tpch(build, scale)
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        engines = [Engine("DuckDB", str(made / "tpch.duckdb"))]
        if float(scale) < SMALL_SCALE:
            server = stack.enter_context(postgresql(folder, data.tpch_for_postgresql(made)))
            engines += [Engine("SQLite", f"sqlite:{made}/tpch.sqlite"),
                        Engine("PostgreSQL", postgresql_server.url(server.folder))]
        server = stack.enter_context(spark(folder))
        yield [*engines, Engine("Spark", spark_process.url(server.address), made)]


def program(build, engine, *arguments):
    """What bench/engines says of an engine."""
    files = ["--files", engine.files] if engine.files else []
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "engines.json"
        subprocess.run([build / "bench/engines/engines", engine.url, *files, *arguments,
                        "--json", path], check=True)
        return json.loads(path.read_text())


def without_noise(build, engine, kind):
    """The rows of each question, from the product with zero noise in the place of its own."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        questions = program(build, engine, "--set", kind, "--policy", folder / "bench.toml")["rows"]
        found = {}
        for question in questions:
            done = subprocess.run(
                [build / "tests/dpsql-oracle", *([engine.url] if engine.url else []), "--policy",
                 folder / "bench.toml", "--ledger", folder / "bench.ledger", "--format", "json", "-c",
                 question["sql"]], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                check=False)
            answer = json.loads(done.stdout)
            found[question["query"]] = answer.get("rows", answer.get("error"))
    return found


def compare(build, engines, kind):
    """The names of the questions on which all agree; ends the program where two do not."""
    first, *others = [(engine.name, without_noise(build, engine, kind)) for engine in engines]
    wrong = [f"{name}: {query}: {rows} and on {first[0]} {first[1][query]}"
             for name, found in others for query, rows in found.items()
             if sorted(map(str, rows)) != sorted(map(str, first[1][query]))]
    wrong += [f"{query}: {rows}" for query, rows in first[1].items() if not isinstance(rows, list)]
    if wrong:
        sys.exit("FAILED: without noise engines disagree:\n" + "\n".join(wrong))
    return sorted(first[1])


def measured(build, engine, *arguments):
    print(f"== {engine.name}, load {pages.load_average()}", flush=True)
    found = program(build, engine, *arguments)
    found["load after"] = pages.load_average()
    return found


def record_scale(build, scale):
    with engines_of(build, scale) as engines:
        agreed = compare(build, engines, "tpch")
        print(f"the same numbers without noise on {len(engines)} engines: {len(agreed)} questions")
        return {"agree": agreed,
                "engines": {engine.name: measured(build, engine) for engine in engines}}


def record_growth(build, rows, heavy):
    made = data.growth(build, rows, heavy)
    with tempfile.TemporaryDirectory() as name, spark(pathlib.Path(name)) as server:
        engines = [Engine("DuckDB", "", made), Engine("Spark", spark_process.url(server.address), made)]
        agreed = compare(build, engines, "growth") if rows <= MOST_COMPARED else []
        found = {engine.name: measured(build, engine, "--set", "growth", "--repetitions", "5",
                                       "--seconds", "20") for engine in engines}
    return {"agree": agreed, "engines": found}


def counted(build, engine, proxy, rows):
    """Bytes to the client and to the server for one question, set-up of its session included."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        questions = program(build, engine, "--set", "growth", "--policy", folder / "bench.toml")
        sql = next(row["sql"] for row in questions["rows"] if row["query"] == "GROUPS")
        done = subprocess.run([build / "dpsql", engine.url, "--policy", folder / "bench.toml",
                               "--format", "json", "-c", sql], stdout=subprocess.PIPE, check=True)
    found = {"from_engine": proxy.to_client, "to_engine": proxy.to_server, "rows": rows,
             "groups": len(json.loads(done.stdout)["rows"])}
    print(f"{engine.name}: {found}", flush=True)
    if found["from_engine"] > MOST_BYTES:
        sys.exit(f"FAILED: {engine.name} sends {found['from_engine']} bytes")
    return found


def spark_bytes(build, rows, folder):
    made = data.growth(build, rows)
    with spark(folder) as server, Proxy(("127.0.0.1", 0), server.address) as proxy:
        return counted(build, Engine("Spark", spark_process.url(proxy.address), made), proxy, rows)


def postgresql_bytes(build, rows, folder):
    table = folder / "events.csv"
    data.run_duckdb(build, folder / "none.duckdb", f"COPY (SELECT * FROM "
                    f"'{data.growth(build, rows)}/events.parquet') TO '{table}';")
    statements = ("CREATE TABLE events (unit int8 NOT NULL, amount float8 NOT NULL, "
                  f"key1000 int4 NOT NULL);\n\\copy events FROM '{table}' CSV HEADER")
    (folder / "line").mkdir()
    with postgresql(folder, statements) as server, \
            Proxy(f"{folder}/line/.s.PGSQL.5432", f"{server.folder}/.s.PGSQL.5432") as proxy:
        engine = Engine("PostgreSQL", postgresql_server.url(folder / "line"))
        return counted(build, engine, proxy, rows)


BYTES = {"spark": spark_bytes, "postgresql": postgresql_bytes}


def record_bytes(build, engine, rows):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        return BYTES[engine](build, rows, folder)


def record(build, results, part):
    name, _, number = part.partition("=")
    if name == "scale" and number:
        results.setdefault("scales", {})[number] = record_scale(build, number)
    elif name in ("growth", "skew") and number:
        heavy = 100 if name == "skew" else 0
        results.setdefault(name, {})[number] = record_growth(build, int(number), heavy)
    elif name.startswith("bytes-") and name[6:] in BYTES and number:
        results.setdefault("bytes", {})[name[6:]] = record_bytes(build, name[6:], int(number))
    else:
        sys.exit(__doc__)


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    for reason in (postgresql_server.why_not(), spark_process.why_not()):
        if reason:
            sys.exit(reason)
    pages.record_parts(record)


if __name__ == "__main__":
    main()

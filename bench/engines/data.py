"""The data of bench/engines, made once in the user's cache."""

import csv
import hashlib
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SCRIPT = HERE / "tables.sql"
LOAD_SECONDS = 7200  # at scale 10 the ten minutes that tests give may be too few


def cached(name, script, make):
    """A folder that `make` fills, under a name that changes with the script."""
    cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache")
    folder = cache / "dpsql" / "engines" / f"{name}-{hashlib.sha256(script.encode()).hexdigest()[:16]}"
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = pathlib.Path(tempfile.mkdtemp(dir=folder.parent))
        try:
            make(made)
            made.chmod(0o755)
            made.rename(folder)
        finally:
            shutil.rmtree(made, ignore_errors=True)
    return folder


def run_duckdb(build, database, script):
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(script)
        file.flush()
        subprocess.run([build / "tools/duckdb-load", database, file.name], check=True)


def definitions(script):
    """CREATE TABLE of each table, as all four databases read it but for the names of types."""
    found = re.finditer(r"^CREATE TABLE (\w+) [^;]*", script, re.M)
    return {match.group(1): match.group() for match in found}


def make_sqlite(path, folder, script):
    database = sqlite3.connect(path)
    for name, definition in definitions(script).items():
        database.execute(definition)
        with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            rows = csv.reader(file)
            places = ", ".join("?" * len(next(rows)))
            database.executemany(f"INSERT INTO {name} VALUES ({places})", rows)
    database.commit()
    database.execute("ANALYZE")
    database.close()


def tpch(build, scale, script=SCRIPT, forms=("parquet", "csv", "sqlite")):
    """tpch.duckdb, and in the other forms tpch.sqlite or a file of each table; SQLite needs CSV."""
    text = script.read_text(encoding="utf-8")

    def make(folder):
        found = subprocess.run([HERE.parent / "tpch/tpch.sh", build, scale], check=True,
                               stdout=subprocess.PIPE, text=True)
        run_duckdb(build, folder / "tpch.duckdb", text.replace("{database}", found.stdout.strip()))
        lines = [f"ATTACH '{folder}/tpch.duckdb' AS made (READ_ONLY);"]
        lines += [f"COPY made.{name} TO '{folder}/{name}.{form}';"
                  for name in definitions(text) for form in forms if form != "sqlite"]
        with tempfile.TemporaryDirectory() as scratch:
            run_duckdb(build, pathlib.Path(scratch) / "none.duckdb", "\n".join(lines))
        if "sqlite" in forms:
            make_sqlite(folder / "tpch.sqlite", folder, text)

    return cached(f"tpch-{scale}", text + "1", make)


def growth(build, rows, heavy=0):
    """events.parquet."""
    text = (HERE / "growth.sql").read_text(encoding="utf-8")
    text = text.replace("{rows}", str(rows)).replace("{heavy}", str(heavy))

    def make(folder):
        with tempfile.TemporaryDirectory() as scratch:
            run_duckdb(build, pathlib.Path(scratch) / "none.duckdb",
                       text.replace("{file}", f"{folder}/events.parquet"))

    return cached(f"events-{rows}-{heavy}", text, make)


def fill_postgresql(server, statements):
    """Everybody may read what is loaded."""
    server.sql(f"CREATE ROLE reader LOGIN;\n{statements}\nVACUUM ANALYZE;\nCHECKPOINT;\n"
               "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader;", LOAD_SECONDS)


def tpch_for_postgresql(folder, script=SCRIPT):
    text = script.read_text(encoding="utf-8").replace("DOUBLE", "FLOAT8")
    return "\n".join(f"{definition};\n\\copy {name} FROM '{folder}/{name}.csv' CSV HEADER"
                     for name, definition in definitions(text).items())

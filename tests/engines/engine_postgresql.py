"""A PostgreSQL server of its own, without a port, in a folder that goes away.

Texts have the order of a language there, so that what leans on the order of bytes shows; columns have
the collation under which sessions read them.
"""

import contextlib
import csv
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from run import NotInstalled

sys.path.append(str(Path(__file__).resolve().parent.parent / "failures"))
from postgresql_server import BINARIES, as_owner, why_not  # noqa: E402

TYPES = {"DOUBLE": "float8", "VARCHAR": 'text COLLATE "C"', "HUGEINT": "numeric(39,0)"}
INTERVAL = (
    "CAST(extract(year FROM x) * 12 + extract(month FROM x) AS int8) || ' ' || extract(day FROM x) "
    "|| ' ' || CAST((extract(hour FROM x) * 60 + extract(minute FROM x)) * 60000000 + "
    "extract(second FROM x) * 1000000 AS int8)"
)


class SqlError(Exception):
    pass


ERRORS = (SqlError,)


def run_sql(folder, sql, text=""):
    command = ["psql", "-h", str(folder), "-U", "postgres", "-XqAt", "-v", "ON_ERROR_STOP=1"]
    done = subprocess.run(
        as_owner(*command, "-c", sql), input=text, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode != 0:
        raise SqlError(done.stderr)
    return done.stdout


def spelled(cell):
    if cell is None or "(BC)" not in cell:
        return cell
    return " ".join(part for part in cell.split() if part != "(BC)") + " BC"


def load(folder, columns, rows):
    names = ", ".join(f"{name} {TYPES.get(kind, kind)}" for name, kind in columns)
    run_sql(folder, f"CREATE TABLE grid ({names})")
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    for row in rows:
        writer.writerow(["\\N" if cell is None else spelled(cell) for cell in row])
    run_sql(folder, r"COPY grid FROM STDIN (FORMAT csv, NULL '\N', FORCE_NULL "
          f"({', '.join(name for name, _ in columns)}))", out.getvalue())


@contextlib.contextmanager
def server(folder):
    if why_not():
        raise NotInstalled(why_not())
    data = str(folder / "data")
    quiet = {"check": True, "stdout": subprocess.DEVNULL, "cwd": "/"}
    subprocess.run(
        as_owner(str(BINARIES / "initdb"), "-D", data, "-U", "postgres", "-E", "UTF8", "--no-sync",
                 "--locale=C.UTF-8", "--locale-provider=icu", "--icu-locale=en-US"),
        **quiet)
    control = str(BINARIES / "pg_ctl")
    options = f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off"
    log = str(folder / "log")
    subprocess.run(as_owner(control, "-D", data, "-w", "-l", log, "-o", options, "start"), **quiet)
    try:
        yield
    finally:
        subprocess.run(as_owner(control, "-D", data, "-m", "immediate", "stop"), **quiet)


class Engine:
    def __init__(self, folder):
        self.folder = folder

    def query(self, sql):
        text = run_sql(self.folder, f"SELECT json_agg(row_to_json(q)) FROM ({sql}) AS q")
        rows = json.loads(text, parse_float=str, parse_int=str) if text.strip() else []
        return [[str(c).lower() if isinstance(c, bool) else c for c in row.values()] for row in rows]

    def call(self, sql, family):
        text = INTERVAL if family == "interval" else "CAST(x AS text)"
        return json.loads(
            run_sql(
                self.folder,
                f"SELECT jsonb_agg({text} ORDER BY id) "
                f"FROM (SELECT id, {sql} AS x FROM grid AS s0) AS q",
            )
        )


@contextlib.contextmanager
def open_engine(columns, rows):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if os.getuid() == 0:
            shutil.chown(folder, "postgres")
        with server(folder):
            load(folder, columns, rows)
            yield Engine(folder)

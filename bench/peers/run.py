#!/usr/bin/env python3
"""Asks other people's programs the ten queries. Usage: run.py BUILD TPCH.duckdb OUT.json [--trials N]
[--seconds S]

Starts a PostgreSQL of its own without a port, loads the columns that are asked, and runs SmartNoise SQL
and Qrlew on it, each with a Python of its own. No question starts a new trial after S seconds (600):
a row tells how many trials it has. A peer that cannot be installed or run has a row that says why.
"""
import argparse
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BINARIES = pathlib.Path("/usr/lib/postgresql/15/bin")
TABLES = {
    "customer": ("c_custkey BIGINT PRIMARY KEY, c_nationkey INTEGER NOT NULL, "
                 "c_acctbal FLOAT8 NOT NULL, c_mktsegment VARCHAR NOT NULL"),
    "orders": ("o_orderkey BIGINT PRIMARY KEY, o_custkey BIGINT NOT NULL, "
               "o_orderstatus VARCHAR NOT NULL, o_totalprice FLOAT8 NOT NULL"),
    "lineitem": ("l_orderkey BIGINT NOT NULL, l_linenumber INTEGER NOT NULL, "
                 "l_extendedprice FLOAT8 NOT NULL, l_discount FLOAT8 NOT NULL")}


def as_owner(*command):
    """PostgreSQL refuses to run as root; the Debian package brings a user for it."""
    return ["runuser", "-u", "postgres", "--", *command] if os.getuid() == 0 else list(command)


@contextlib.contextmanager
def server(folder):
    """The folder of the socket. Nobody else's server is touched, and it ends with us."""
    quiet = {"check": True, "stdout": subprocess.DEVNULL, "cwd": "/"}
    data, control = str(folder / "data"), str(BINARIES / "pg_ctl")
    if os.getuid() == 0:
        shutil.chown(folder, "postgres")
    subprocess.run(as_owner(str(BINARIES / "initdb"), "-D", data, "-U", "postgres", "-E", "UTF8",
                            "-A", "trust", "--no-sync", "--locale=C.UTF-8"), **quiet)
    options = (f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off "
               "-c shared_buffers=512MB -c work_mem=256MB")
    subprocess.run(as_owner(control, "-D", data, "-w", "-l", str(folder / "log"), "-o", options,
                            "start"), **quiet)
    try:
        yield
    finally:
        subprocess.run(as_owner(control, "-D", data, "-m", "immediate", "stop"), **quiet)


def columns(definition):
    return ", ".join(part.split()[0] for part in definition.split(", "))


def load(build, database, folder):
    """From the DuckDB file into PostgreSQL, by CSV."""
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        lines = [f"ATTACH '{database}' AS t (READ_ONLY);"]
        lines += [f"COPY (SELECT {columns(definition)} FROM t.{name}) TO '{scratch}/{name}.csv';"
                  for name, definition in TABLES.items()]
        (scratch / "export.sql").write_text("\n".join(lines) + "\n")
        subprocess.run([build / "tools/duckdb-load", scratch / "made.duckdb", scratch / "export.sql"],
                       check=True)
        lines = [line for name, definition in TABLES.items()
                 for line in (f"CREATE TABLE {name} ({definition});",
                              f"\\copy {name} FROM '{scratch}/{name}.csv' CSV HEADER")]
        subprocess.run(["psql", "-h", folder, "-U", "postgres", "-Xq", "-v", "ON_ERROR_STOP=1"],
                       input="\n".join(lines + ["ANALYZE;"]) + "\n", text=True, check=True)


def ask(peer, folder, options):
    """The rows of a peer, or one that says why there are none."""
    found = subprocess.run([HERE / "python.sh", peer], stdout=subprocess.PIPE, text=True, check=False)
    if found.returncode != 0:
        return {"rows": [], "failed": "its packages could not be installed"}
    done = subprocess.run([found.stdout.strip(), "-B", HERE / f"ask_{peer}.py", folder,
                           options.trials, options.seconds], stdout=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode != 0:
        return {"rows": [], "failed": "its program ended with an error"}
    return json.loads(done.stdout.splitlines()[-1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("database")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--trials", default="25")
    parser.add_argument("--seconds", default="600")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        with server(folder):
            load(options.build.resolve(), options.database, folder)
            found = {peer: ask(peer, folder, options) for peer in ("smartnoise", "qrlew")}
    rows = [row for part in found.values() for row in part.pop("rows")]
    options.out.write_text(json.dumps({"rows": rows, "peers": found}, indent=1) + "\n")


if __name__ == "__main__":
    main()

"""One Spark Connect server for all tests that ask questions of it and leave it alive.

    spark_fixture.py start STATE
    spark_fixture.py with STATE PROGRAM ARGUMENT…
    spark_fixture.py stop STATE

`start` runs under a Python that has pyspark, and writes into the file STATE where the server is; `with`
runs a program with its address in DPSQL_TEST_SPARK. Where Spark or Java is not installed, `start` and `with`
exit with 77, which ctest shows as skipped. A server that nobody stops ends after six hours.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import spark_server

LIFE_SECONDS = 6 * 3600
END_SECONDS = 20


def start(state):
    stop(state)
    home = spark_server.spark_home()
    if home is None or shutil.which("java") is None:
        print(f"skipped: {sys.executable} has no pyspark, or there is no java")
        return spark_server.SKIPPED
    folder = tempfile.mkdtemp(prefix="dpsql-spark-")
    port = spark_server.free_port()
    # With settings as Spark has them: a session that must change none is set up in half the time.
    server = spark_server.start(home, folder, port, also=(), life_seconds=LIFE_SECONDS)
    state.write_text(json.dumps({"address": f"127.0.0.1:{port}", "pid": server.pid, "folder": folder}))
    spark_server.wait_until_it_listens(server, port, Path(folder, "server.log"))
    print(f"a server on port {port}")
    return 0


def run_with(state, *command):
    if not state.exists():
        print("skipped: no Spark server was started")
        return spark_server.SKIPPED
    address = json.loads(state.read_text())["address"]
    return subprocess.run(command, check=False,
                          env={**os.environ, "DPSQL_TEST_SPARK": address}).returncode


def stop(state):
    if not state.exists():
        return 0
    found = json.loads(state.read_text())
    try:
        os.killpg(found["pid"], signal.SIGTERM)
        end = time.monotonic() + END_SECONDS
        while time.monotonic() < end:
            os.killpg(found["pid"], 0)
            time.sleep(0.1)
        os.killpg(found["pid"], signal.SIGKILL)
    except ProcessLookupError:
        pass
    shutil.rmtree(found["folder"], ignore_errors=True)
    state.unlink()
    return 0


if __name__ == "__main__":
    word, file, *rest = sys.argv[1:]
    sys.exit({"start": start, "with": run_with, "stop": stop}[word](Path(file), *rest))

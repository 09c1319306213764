"""Tests the Spark engine on a Spark Connect server that is started and ended here.

    spark_server.py DIRECTORY_OF_TEST_PROGRAMS [GTEST_ARGUMENT…]

The program is spark_engine_test, which ends with the death of the server. Runs under a Python that has
pyspark, for its jars; the client is ours. The server has settings
that would change what our SQL means if a session did not set them back. Where the program makes the file
`restart` in its folder, the server is killed and another one started on its port; its process is then in
the file `restarted`. Exits with 77, which ctest shows as skipped, where Spark, Java or the driver is not
installed.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SKIPPED = 77
START_SECONDS = 180
HOSTILE = (
    "spark.sql.ansi.enabled=false",
    "spark.sql.session.timeZone=America/New_York",
    "spark.sql.timestampType=TIMESTAMP_NTZ",
    "spark.sql.parser.escapedStringLiterals=true",
    "spark.sql.storeAssignmentPolicy=LEGACY",
    "spark.sql.legacy.exponentLiteralAsDecimal.enabled=true",
    "spark.sql.legacy.setopsPrecedence.enabled=true",
    "spark.sql.legacy.timeParserPolicy=LEGACY",
    "spark.sql.parquet.datetimeRebaseModeInRead=EXCEPTION",
    "spark.sql.files.ignoreMissingFiles=true",
    "spark.sql.optimizer.excludedRules=org.apache.spark.sql.catalyst.optimizer.ConstantFolding",
)


def spark_home():
    try:
        import pyspark
    except ImportError:
        return None
    return Path(pyspark.__path__[0])


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def start(home, folder, port, also=HOSTILE, life_seconds=None):
    """With a life, the server is the leader of a group of its own, and outlives this program."""
    settings = [
        "spark.connect.grpc.binding.address=127.0.0.1",
        f"spark.connect.grpc.binding.port={port}",
        "spark.ui.enabled=false",
        "spark.sql.shuffle.partitions=4",
        "spark.sql.catalogImplementation=in-memory",
        f"spark.sql.warehouse.dir={folder}/warehouse",
        f"spark.local.dir={folder}/local",
        *also,
    ]
    limit = [] if life_seconds is None else ["timeout", "--foreground", str(life_seconds)]
    command = [*limit, home / "bin/spark-submit", "--class",
               "org.apache.spark.sql.connect.service.SparkConnectServer",
               "--master", "local[2]", "--driver-memory", "2g"]
    for setting in settings:
        command += ["--conf", setting]
    with Path(folder, "server.log").open("wb") as log:
        return subprocess.Popen(
            [*command, "spark-internal"], stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            cwd=folder, start_new_session=life_seconds is not None,
            env={**os.environ, "SPARK_HOME": str(home), "SPARK_LOCAL_IP": "127.0.0.1"})


def wait_until_it_listens(server, port, log):
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and server.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    sys.exit("the server did not start:\n" + log.read_text(errors="replace")[-4000:])


def stop(server):
    if server.poll() is not None:
        return
    server.send_signal(signal.SIGCONT)
    server.terminate()
    try:
        server.wait(20)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()


class Server:
    """The one that runs, on one port."""

    def __init__(self, home, folder):
        self.home, self.folder, self.port = home, folder, free_port()
        self.start()

    def start(self):
        self.process = start(self.home, self.folder, self.port)

    def wait_until_it_listens(self):
        wait_until_it_listens(self.process, self.port, Path(self.folder, "server.log"))

    def restart_when_asked(self, files):
        wish = files / "restart"
        if not wish.exists():
            return
        wish.unlink()
        self.process.kill()
        self.process.wait()
        self.start()
        self.wait_until_it_listens()
        written = files / "restarted.new"
        written.write_text(str(self.process.pid))
        written.rename(files / "restarted")


def run(command, environment, server, files):
    with subprocess.Popen(command, env=environment) as test:
        try:
            while test.poll() is None:
                server.restart_when_asked(files)
                time.sleep(0.1)
        except BaseException:
            test.kill()
            raise
    return test.returncode


def main(programs, *arguments):
    test = Path(programs, "spark_engine_test")
    home = spark_home()
    if home is None or shutil.which("java") is None:
        print(f"skipped: {sys.executable} has no pyspark, or there is no java")
        return SKIPPED
    if subprocess.run([test, "--has-driver"], check=False).returncode != 0:
        print("skipped: there is no ADBC driver for Spark; run tools/bootstrap/bootstrap.sh --spark")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        server = Server(home, folder)
        try:
            server.wait_until_it_listens()
            files = Path(folder, "files")
            files.mkdir()
            environment = {
                **os.environ,
                "DPSQL_TEST_SPARK": f"127.0.0.1:{server.port}",
                "DPSQL_TEST_SPARK_PID": str(server.process.pid),
                "DPSQL_TEST_SPARK_HOSTILE": " ".join(HOSTILE),
                "DPSQL_TEST_FOLDER": str(files),
            }
            return run([test, *arguments], environment, server, files)
        finally:
            stop(server.process)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

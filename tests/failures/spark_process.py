"""A Spark Connect server that can be stopped, killed and starved of disk."""

import contextlib
import os
import resource
import shutil
import signal
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "engines"))

import spark_server  # noqa: E402

NO_ROOM = (b"File too large", b"No space left")


def why_not():
    if spark_server.spark_home() is None or shutil.which("java") is None:
        return f"{sys.executable} has no pyspark, or there is no java"
    return ""


def url(address):
    return f"spark://{address[0]}:{address[1]}"


class Log:
    """What a server writes, through a pipe: a server without disk could write no file of its own."""

    def __init__(self, pipe, copy):
        self.no_room = None  # when the first line since forget() came that speaks of a full disk
        os.mkfifo(pipe)
        threading.Thread(target=self._read, args=(pipe, copy), daemon=True).start()

    def _read(self, pipe, copy):
        with pipe.open("rb") as lines, copy.open("wb", buffering=0) as file:
            for line in lines:
                file.write(line)
                if any(words in line for words in NO_ROOM):
                    self.no_room = self.no_room or time.monotonic()

    def forget(self):
        self.no_room = None


class SparkServer:
    def __init__(self, folder, settings=spark_server.HOSTILE):
        folder.mkdir()
        port = spark_server.free_port()
        self.address = ("127.0.0.1", port)
        self.log = Log(folder / "server.log", folder / "server.txt")
        self.process = spark_server.start(spark_server.spark_home(), folder, port, settings)
        spark_server.wait_until_it_listens(self.process, port, folder / "server.txt")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()  # it has nothing to keep, and may be busy
        self.process.wait()

    def load(self, seconds=1.5):
        """Processors that it keeps busy."""
        def used():
            text = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii")
            fields = text.rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

        before = used()
        time.sleep(seconds)
        return (used() - before) / seconds

    @contextlib.contextmanager
    def stopped(self):
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    @contextlib.contextmanager
    def full_disk(self, most_bytes):
        """It can write no file longer than this."""
        self.log.forget()
        soft, hard = resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (most_bytes, hard))
        try:
            yield
        finally:
            resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (soft, hard))

"""A PostgreSQL server that can be killed, stopped and starved of disk. It listens on a Unix socket."""

import contextlib
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path



def newest():
    """The programs of the newest version: Debian keeps those of each apart. None where there are none."""
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")
             if path.parts[-3].isdigit()]
    return max(found, key=lambda path: int(path.parts[-2]), default=None)


BINARIES = newest()
ACTIVE = ("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'dpsql' AND "
          "state = 'active' AND query LIKE 'WITH%'")
FROM_OURS = "(pid) FROM pg_stat_activity WHERE application_name = 'dpsql'"


def why_not():
    return "" if BINARIES else "the Debian package postgresql is not installed"


def as_owner(*command):
    """PostgreSQL refuses to run as root; the Debian package brings a user for it."""
    return ["runuser", "-u", "postgres", "--", *command] if os.getuid() == 0 else list(command)


def url(folder, user="reader"):
    return f"postgresql://{user}@/postgres?host={folder}"


def ask(address, text, most_seconds=600):
    """The rows of statements, one a line."""
    done = subprocess.run(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", address], input=text,
                          capture_output=True, text=True, check=True, timeout=most_seconds)
    return done.stdout.strip()


def is_gone(process):
    """Also where it is a zombie: in a container nobody may be there to wait for it."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2]
    except OSError:
        return True
    return fields.split()[0] == "Z"


class PostgreSqlServer:
    def __init__(self, folder, settings=("autovacuum=off", "work_mem=64kB")):
        """With so little memory joins of any size go through files."""
        self.folder = folder
        folder.mkdir()
        folder.chmod(0o755)
        if os.getuid() == 0:
            shutil.chown(folder, "postgres")
        data, quiet = str(folder / "data"), {"check": True, "stdout": subprocess.DEVNULL, "cwd": "/"}
        subprocess.run(as_owner(str(BINARIES / "initdb"), "-D", data, "-U", "postgres", "-E", "UTF8",
                                "-A", "trust", "--no-sync", "--locale=C.UTF-8"), **quiet)
        settings = ("listen_addresses=", f"unix_socket_directories={folder}", "fsync=off", *settings)
        options = " ".join(f"-c {setting}" for setting in settings)
        subprocess.run(as_owner(str(BINARIES / "pg_ctl"), "-D", data, "-w", "-l", str(folder / "log"),
                                "-o", options, "start"), **quiet)
        self.process = int((folder / "data/postmaster.pid").read_text(encoding="ascii").split()[0])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(ProcessLookupError):
            self.signal(signal.SIGCONT)
            os.kill(self.process, signal.SIGQUIT)
            if not self.ends():
                self.kill()

    def ends(self, most_seconds=60):
        latest = time.monotonic() + most_seconds
        while time.monotonic() < latest and not is_gone(self.process):
            time.sleep(0.05)
        return is_gone(self.process)

    def sql(self, text, most_seconds=600):
        return ask(url(self.folder, "postgres"), text, most_seconds)

    def load(self, csv_file):
        self.sql("CREATE TABLE visit (id int8 NOT NULL, place int4 NOT NULL, amount int4 NOT NULL);"
                 f"\n\\copy visit FROM '{csv_file}' CSV\n"
                 "CREATE ROLE reader LOGIN; GRANT SELECT ON visit TO reader; ANALYZE visit;")

    def is_running(self):
        return self.sql(ACTIVE) != "0"

    def family(self):
        """The server and all its processes."""
        found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(self.process)], check=False,
                               capture_output=True, text=True)
        return [self.process, *map(int, found.stdout.split())]

    def signal(self, number):
        for process in self.family():
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, number)

    def kill(self):
        self.signal(signal.SIGKILL)

    @contextlib.contextmanager
    def stopped(self):
        self.signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.signal(signal.SIGCONT)

    @contextlib.contextmanager
    def full_disk(self, most_bytes=1 << 20):
        """Processes that start from now on can write no file longer than this."""
        self.limit_files(most_bytes)
        try:
            yield
        finally:
            self.limit_files("unlimited")

    def limit_files(self, most):
        subprocess.run(as_owner("prlimit", "--pid", str(self.process), f"--fsize={most}:"), check=True,
                       cwd="/")

    def end_ours(self, function):
        self.sql(f"SELECT {function}{FROM_OURS}")

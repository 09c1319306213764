#!/usr/bin/env python3
"""T77: what a process leaves behind. Usage: left_behind.py BUILD

Starts dpsql on the demo shop with its question still to come, looks at the files it has made, and
aborts it: no memory image may be written, which the same abort makes `cat` do. Then ends another
one in order: its temporary folder is gone.
"""
import os
import pathlib
import resource
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
SOURCE = pathlib.Path(__file__).resolve().parents[2]


class Waiting:
    """A program that reads its standard input, in a folder that is also its temporary one."""

    def __init__(self, folder, *command):
        self.input, output = os.pipe()
        self.output = output
        environment = {**os.environ, "TMPDIR": str(folder)}
        self.pid = os.fork()
        if self.pid == 0:
            os.dup2(self.input, 0)
            os.close(output)
            os.chdir(folder)
            resource.setrlimit(resource.RLIMIT_CORE, (hard_limit(), hard_limit()))
            os.execve(command[0], list(map(str, command)), environment)
        os.close(self.input)

    def end(self, text=b""):
        os.write(self.output, text)
        os.close(self.output)
        return os.waitpid(self.pid, 0)[1]

    def abort(self):
        os.kill(self.pid, signal.SIGABRT)
        status = os.waitpid(self.pid, 0)[1]
        os.close(self.output)
        return status


def hard_limit():
    return resource.getrlimit(resource.RLIMIT_CORE)[1]


def wait_for(what, seconds=20):
    end = time.monotonic() + seconds
    while not what():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def open_to_others(folder):
    """What others may read of the engine's folder and of the ledger's files."""
    kept = [*folder.glob("dpsql-*"), *folder.glob("*.ledger*"), *folder.glob("*.incidents")]
    return [path.name for path in kept if stat.S_IMODE(path.stat().st_mode) & 0o077]


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    folder = pathlib.Path(tempfile.mkdtemp())
    failures = []
    subprocess.run([build / "tools/duckdb-load", "shop.duckdb", SOURCE / "tools/demo/shop.sql"],
                   cwd=folder, check=True)
    shutil.copy(SOURCE / "tools/demo/shop.toml", folder)
    question = [build / "dpsql", "shop.duckdb", "--policy", "shop.toml", "--ledger", "s.ledger"]

    first = Waiting(folder, *question)
    if not wait_for(lambda: list(folder.glob("dpsql-*"))):
        failures.append("no temporary folder was made")
    failures += [f"others may read {name}" for name in open_to_others(folder)]
    status = first.abort()
    if os.WCOREDUMP(status):
        failures.append("dpsql left its memory behind")

    for path in folder.glob("dpsql-*"):
        shutil.rmtree(path)
    if Waiting(folder, *question).end(b"SELECT count(*) FROM customer;") != 0:
        failures.append("a question was not answered")
    failures += [f"{path.name} is left" for path in folder.glob("dpsql-*")]
    failures += [f"others may read {name}" for name in open_to_others(folder)]

    control = Waiting(folder, shutil.which("cat"))
    time.sleep(0.2)
    dumps = os.WCOREDUMP(control.abort())
    shutil.rmtree(folder)
    for failure in failures:
        print(f"FAILED: {failure}")
    if failures:
        return 1
    print("nothing is left behind" if dumps else "this machine writes no memory images")
    return 0 if dumps else SKIPPED


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""T77: what a process leaves behind. Usage: left_behind.py BUILD

Starts dpsql on the demo shop with its question still to come, looks at the files it has made, and
aborts it: no memory image may be written, which the same abort makes `cat` do. Then ends another
one in order: its temporary folder is gone, and so is the first one's. Then ends it by each signal in
the middle of a question whose rows are on the disk: they are gone, behind SIGKILL when the next one
has started.
"""
import os
import pathlib
import pty
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


POLICY = """
[dataset]
name = "visits"
[budget]
epsilon = 8
delta = 1e-6
[query]
aborts_allowed = 1000
max_groups_per_unit = 1
[database]
memory = "130 MB"
threads = 1
[tables.visit]
unit = "person"
max_rows_per_unit = 1
"""
# Grouped by what is long and of which there are many, so that DuckDB has to spill.
VISITS = """
CREATE TABLE visit AS SELECT i AS person, 'patient SECRET ' || (i * 7919 % 1000003) || ' has a diagnosis' AS words
FROM range(1000003) r(i);
"""
QUESTION = b"SELECT words, count(*) FROM (SELECT DISTINCT person, words FROM visit) v GROUP BY words;"


def has_rows(path):
    try:
        return path.stat().st_size > 0
    except FileNotFoundError:  # the engine removes some as it goes on
        return False


def spilled(folder):
    return list(filter(has_rows, folder.glob("dpsql-spilled-rows-*/*")))


def killed_while_spilling(folder, question, *signals):
    """What stays of its rows; None where none were ever on the disk."""
    running = Waiting(folder, *question)
    os.write(running.output, QUESTION)
    os.close(running.output)
    seen = wait_for(lambda: spilled(folder), 60)
    for number in signals:
        os.kill(running.pid, number)
        time.sleep(0.02)
    os.waitpid(running.pid, 0)
    return list(folder.glob("dpsql-spilled-rows-*")) if seen else None


def ended_in_the_background(folder, question):
    """How it ends by SIGTERM where the terminal is another group's; None where it does not."""
    leader, terminal = pty.fork()
    if leader == 0:
        running = subprocess.Popen([*question, "-c", QUESTION.decode()], cwd=folder, process_group=0,
                                   env={**os.environ, "TMPDIR": str(folder)})
        wait_for(lambda: spilled(folder), 60)
        running.terminate()
        ended = wait_for(lambda: running.poll() is not None)
        running.kill()
        os._exit(-running.wait() if ended else 0)
    status = os.waitpid(leader, 0)[1]
    os.close(terminal)
    return os.waitstatus_to_exitcode(status) or None


def check_spills(build, failures):
    """By each signal that ends a program, and by a second Ctrl-C."""
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "visits.sql").write_text(VISITS)
    (folder / "visits.toml").write_text(POLICY)
    subprocess.run([build / "tools/duckdb-load", "visits.duckdb", "visits.sql"], cwd=folder, check=True)
    question = [build / "dpsql", "visits.duckdb", "--policy", "visits.toml"]
    for signals in ((signal.SIGTERM,), (signal.SIGHUP,), (signal.SIGQUIT,), (signal.SIGINT, signal.SIGINT),
                    (signal.SIGKILL,)):
        left = killed_while_spilling(folder, question, *signals)
        name = " and ".join(number.name for number in signals)
        if left is None:
            failures.append(f"nothing was spilled before {name}")
        elif signals == (signal.SIGKILL,):
            if not left:
                failures.append("SIGKILL cannot leave nothing: what was looked at?")
        elif left:
            failures.append(f"rows stay on the disk after {name}")
    if ended_in_the_background(folder, question) != signal.SIGTERM:
        failures.append("SIGTERM does not end a program in the background of a terminal")
    Waiting(folder, *question).end(b"SELECT 1;")
    if list(folder.glob("dpsql-spilled-rows-*")):
        failures.append("rows of a killed process stay on the disk when the next one has ended")
    running = Waiting(folder, *question)
    wait_for(lambda: list(folder.glob("dpsql-spilled-rows-*")))
    for number in (signal.SIGUSR1, signal.SIGUSR1, signal.SIGUSR1, signal.SIGTERM):
        os.kill(running.pid, number)
        time.sleep(0.02)
    if running.end() != signal.SIGTERM:
        failures.append("SIGTERM does not end a program behind another signal")
    shutil.rmtree(folder)


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

    if Waiting(folder, *question).end(b"SELECT count(*) FROM customer;") != 0:
        failures.append("a question was not answered")
    failures += [f"{path.name} is left" for path in folder.glob("dpsql-*")]
    failures += [f"others may read {name}" for name in open_to_others(folder)]

    check_spills(build, failures)
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

"""Ctrl-Z keeps nobody else from the ledger. Usage: stopped.py SOURCE BUILD"""

import fcntl
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from demo_shop import make_shop
from terminal import Terminal

SOURCE, BUILD = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
DPSQL = BUILD / "dpsql"
STOPS = 60


def setUpModule():
    global FOLDER, HOUSE
    HOUSE = tempfile.TemporaryDirectory()
    FOLDER = pathlib.Path(HOUSE.name)
    make_shop(SOURCE, BUILD, FOLDER)
    (FOLDER / "free.sql").write_text("SELECT 1 AS n FROM city LIMIT 1;\n" * 500)


def tearDownModule():
    HOUSE.cleanup()


class Stopped(unittest.TestCase):
    def test_a43_a_stopped_program_holds_no_lock(self):
        words = [DPSQL, "shop.duckdb", "--policy", "shop.toml"] + ["-f", "free.sql"] * 200
        # In a group of its own, whose leader has a parent here: others cannot be stopped so.
        program = subprocess.Popen(words, cwd=FOLDER, process_group=0, stdout=subprocess.DEVNULL)
        try:
            head = FOLDER / "shop.ledger.head"
            until = time.monotonic() + 30
            while not head.exists() and time.monotonic() < until:
                time.sleep(0.01)
            with open(head, "rb") as file:
                for _ in range(STOPS):
                    time.sleep(random.uniform(0, 0.02))
                    os.kill(program.pid, signal.SIGTSTP)
                    _, status = os.waitpid(program.pid, os.WUNTRACED)
                    self.assertTrue(os.WIFSTOPPED(status), status)
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # BlockingIOError: it is held
                    fcntl.flock(file, fcntl.LOCK_UN)
                    os.kill(program.pid, signal.SIGCONT)
        finally:
            os.kill(program.pid, signal.SIGKILL)
            os.kill(program.pid, signal.SIGCONT)
            program.wait(timeout=30)

    def test_ctrl_z_at_the_prompt(self):
        environment = {"PATH": os.environ["PATH"], "TERM": "xterm", "LANG": "C.UTF-8", "PS1": "sh> ",
                       "HOME": str(FOLDER), "XDG_STATE_HOME": str(FOLDER)}
        with Terminal(["/bin/bash", "--norc", "--noprofile", "-i"], environment, FOLDER) as shell:
            shell.expect(r"sh> ")
            shell.send(f"{DPSQL} shop.duckdb --policy shop.toml --ledger other.ledger\n")
            shell.expect(r"dpsql> ")
            for _ in range(2):
                shell.send("SELECT coun\x1a")
                shell.expect(r"(?s)Stopped.*sh> ")
                shell.send("fg\n")
                shell.expect(r"fg\n.*shop\.toml.*\n")
                time.sleep(0.5)  # until Ctrl-C is a key again
                shell.send("\x03")
                shell.expect(r"\^C\ndpsql> ")
            self.assertIn("±", shell.ask("SELECT count(*) AS n FROM customer;"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])

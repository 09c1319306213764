"""Terminals in the documentation: runs their commands and writes down what came out."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile

_MARK = "\x1e"


class Shop:
    """The demo shop, of which every transcript gets a copy of its own."""

    def __init__(self, source, build):
        self._build, self._scripts = build, source / "tests/docs"
        self._folder = pathlib.Path(tempfile.mkdtemp(prefix="transcript-"))
        self._shop = self._folder / "shop"
        self._shop.mkdir()
        subprocess.run([build / "tools/duckdb-load", "shop.duckdb",
                        source / "tools/demo/shop.sql"], cwd=self._shop, check=True)
        shutil.copy(source / "tools/demo/shop.toml", self._shop)

    def close(self):
        shutil.rmtree(self._folder, ignore_errors=True)

    def run(self, body):
        """The transcript with its real output, and the exit code of its last command."""
        commands = commands_of(body)
        script = "".join(f"{{ {text}\n}} 2>&1\nprintf '{_MARK}%s{_MARK}' $?\n"
                         for text in commands)
        folder = pathlib.Path(tempfile.mkdtemp(dir=self._folder))
        home = folder / "home"
        shutil.copytree(self._shop, home)
        path = f"{self._build}:{self._build}/tools:{self._build}/tests:{self._scripts}:{os.environ['PATH']}"
        shell = subprocess.Popen(
            ["bash", "-c", script], cwd=home, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, start_new_session=True,
            env={"PATH": path, "HOME": str(home), "LC_ALL": "C.UTF-8", "NO_COLOR": "1"})
        try:
            printed, _ = shell.communicate(timeout=100)
        finally:
            _end_group(shell.pid)
        parts = printed.split(_MARK)
        outputs, codes = parts[0:-1:2], [int(code) for code in parts[1::2]]
        text = ""
        for command, output in zip(commands, outputs):
            text += "$ " + command.replace("\n", "\n> ") + "\n" + output
            text += "" if not output or output.endswith("\n") else "\n"
        return text, codes[-1] if len(codes) == len(commands) else None


def _end_group(leader):
    """Ends what a transcript left running behind &."""
    try:
        os.killpg(leader, signal.SIGKILL)
    except ProcessLookupError:
        pass


def commands_of(body):
    """The lines behind $, each with the lines behind > that go on with it."""
    return [match[1].replace("\n> ", "\n")
            for match in re.finditer(r"^\$ (.*(?:\n> .*)*)$", body, re.M)]

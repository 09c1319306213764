"""A program on a pseudo terminal, as a person would meet it."""

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\x1b[=>]")
PATIENCE = 30  # seconds; only a program that hangs needs them all


class Terminal:
    """Starts the program; `expect` reads on until a pattern is on the screen."""

    def __init__(self, arguments, environment, folder, columns=100):
        self.unread, self.seen = "", ""
        self.decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execve(arguments[0], [str(word) for word in arguments], environment)
        size = struct.pack("HHHH", 40, columns, 0, 0)
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, size)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.file)

    def send(self, text):
        os.write(self.file, text.encode())

    def _read(self, until):
        ready, _, _ = select.select([self.file], [], [], max(0, until - time.monotonic()))
        if not ready:
            raise AssertionError(f"nothing came; unread is {self.unread!r}")
        try:
            data = os.read(self.file, 65536)
        except OSError:  # how Linux says that the other side has closed
            return False
        text = self.decoder.decode(data)
        self.seen += text
        self.unread += text
        return bool(data)

    def expect(self, pattern):
        """The text up to the end of the first match, without escape sequences."""
        until = time.monotonic() + PATIENCE
        while True:
            plain = ESCAPES.sub("", self.unread).replace("\r", "")
            match = re.search(pattern, plain)
            if match:
                self.unread = plain[match.end():]
                return plain[:match.end()]
            if not self._read(until):
                raise AssertionError(f"it ended before {pattern!r}; unread is {plain!r}")

    def ask(self, line, pattern=r"(?s).*\ndpsql> "):
        """Types a line at the prompt and returns what comes before the next one."""
        self.send(line + "\n")
        return self.expect(pattern)

    def finish(self):
        """Waits for the end and returns the exit code."""
        until = time.monotonic() + PATIENCE
        while self._read(until):
            pass
        _, status = os.waitpid(self.pid, 0)
        self.pid = 0
        return os.waitstatus_to_exitcode(status)

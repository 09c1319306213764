"""A line between a client and a server that counts what passes, and that can be cut.

An address is the path of a Unix socket, or (host, port).
"""

import contextlib
import socket
import threading
import time


def connected(address):
    family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
    line = socket.socket(family)
    line.connect(address)
    return line


def listening(address):
    line = socket.socket(socket.AF_UNIX if isinstance(address, str) else socket.AF_INET)
    line.bind(address)
    line.listen(64)
    return line


class Proxy:
    """Each connection has a thread for each direction; they end with the connection."""

    def __init__(self, address, server, most_answered=None):
        """Of the connections behind so many no byte goes anywhere."""
        self.server, self.most_answered = server, most_answered
        self.mute_since = None
        self.lock = threading.Lock()
        self.lines = []
        self.to_client = 0
        self.to_server = 0
        self.listener = listening(address)
        self.address = self.listener.getsockname()
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.cut()

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
                server = connected(self.server)
            except OSError:  # closed by cut(), or the server is gone
                return
            with self.lock:
                self.lines += [client, server]
                mute = self.most_answered is not None and len(self.lines) > 2 * self.most_answered
            if mute:
                self.mute_since = self.mute_since or time.monotonic()
                continue
            for source, sink, name in ((client, server, "to_server"), (server, client, "to_client")):
                threading.Thread(target=self._pass, args=(source, sink, name), daemon=True).start()

    def _pass(self, source, sink, name):
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                with self.lock:
                    setattr(self, name, getattr(self, name) + len(data))
                sink.sendall(data)
        for line in (source, sink):
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def cut(self):
        """Ends every connection, and takes no new one."""
        with self.lock:
            lines, self.lines = [self.listener, *self.lines], []
        for line in lines:
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
            line.close()

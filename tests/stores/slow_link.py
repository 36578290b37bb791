"""A TCP relay that delays the responses of the server behind it."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from typing import Self


class SlowLink:
    """A relay to a port of this machine; `delay_seconds` may change at any time."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._sockets: list[socket.socket] = []
        self._closed = threading.Event()
        self.port: int = self._listener.getsockname()[1]
        self.delay_seconds = 0.0

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closed.set()
        for open_socket in (self._listener, *self._sockets):
            with suppress(OSError):
                open_socket.shutdown(socket.SHUT_RDWR)
            open_socket.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._port))
                self._sockets += [client, server]
                for source, target, delayed in ((client, server, False), (server, client, True)):
                    threading.Thread(
                        target=self._relay, args=(source, target, delayed), daemon=True
                    ).start()

    def _relay(self, source: socket.socket, target: socket.socket, delayed: bool) -> None:
        with suppress(OSError):
            while chunk := source.recv(65_536):
                if delayed:
                    self._closed.wait(self.delay_seconds)
                target.sendall(chunk)
            target.shutdown(socket.SHUT_WR)

"""The listening socket: copies of it in foreign code can be made useless."""

from __future__ import annotations

import os
import socket

import pytest

from app.serving.listening_socket import listen, stop_foreign_accepts


def test_copies_accept_nothing_more() -> None:
    """The socket itself, and those of other processes, do."""
    with (
        listen("127.0.0.1", 0) as original,
        socket.socket(fileno=os.dup(original.fileno())) as copy,
    ):
        stop_foreign_accepts(original)
        with socket.create_connection(original.getsockname()):
            with pytest.raises(BlockingIOError):
                copy.accept()
            original.accept()[0].close()

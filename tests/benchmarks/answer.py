"""A recorded response of Majlis, which the bare servers send."""

from __future__ import annotations

import json
import os
from base64 import b64decode, b64encode
from dataclasses import dataclass
from pathlib import Path

import httpx

VARIABLE = "BARE_ANSWER"
_HOP = {"date", "connection", "server", "transfer-encoding"}


@dataclass(frozen=True, slots=True)
class Answer:
    """Headers, without those that every server adds, and the body."""

    headers: list[tuple[bytes, bytes]]
    body: bytes

    def write(self, path: Path) -> None:
        """Write it to a file that a bare server reads."""
        headers = [[name.decode(), value.decode()] for name, value in self.headers]
        path.write_text(json.dumps({"headers": headers, "body": b64encode(self.body).decode()}))


def ask(port: int, path: str, accept: str) -> Answer:
    """Record the response of a server to the request that the load sends."""
    headers = {"Accept": accept, "Accept-Encoding": "identity", "X-Forwarded-For": "198.19.0.1"}
    response = httpx.get(f"http://127.0.0.1:{port}{path}", headers=headers).raise_for_status()
    headers_sent = [
        (n.lower(), v) for n, v in response.headers.raw if n.lower().decode() not in _HOP
    ]
    return Answer(headers_sent, response.content)


def recorded() -> Answer:
    """Return the response in the file that the environment variable names."""
    stored = json.loads(Path(os.environ[VARIABLE]).read_text())
    headers = [(name.encode(), value.encode()) for name, value in stored["headers"]]
    return Answer(headers, b64decode(stored["body"]))

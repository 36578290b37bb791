"""One recorded answer: what the bare servers send, byte for byte that of Majlis."""

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
    """Headers, without those that every server adds by itself, and body."""

    headers: list[tuple[bytes, bytes]]
    body: bytes

    def write(self, path: Path) -> None:
        """Keep it in a file for a server to read."""
        headers = [[name.decode(), value.decode()] for name, value in self.headers]
        path.write_text(json.dumps({"headers": headers, "body": b64encode(self.body).decode()}))


def ask(port: int, path: str, accept: str) -> Answer:
    """Record what a server answers to the load's own request."""
    headers = {"Accept": accept, "Accept-Encoding": "identity", "X-Forwarded-For": "198.19.0.1"}
    response = httpx.get(f"http://127.0.0.1:{port}{path}", headers=headers).raise_for_status()
    kept = [(n.lower(), v) for n, v in response.headers.raw if n.lower().decode() not in _HOP]
    return Answer(kept, response.content)


def recorded() -> Answer:
    """The answer in the file that the environment names."""
    told = json.loads(Path(os.environ[VARIABLE]).read_text())
    headers = [(name.encode(), value.encode()) for name, value in told["headers"]]
    return Answer(headers, b64decode(told["body"]))

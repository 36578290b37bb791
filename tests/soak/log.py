"""The log of a server, read while it grows."""

from __future__ import annotations

import re
from pathlib import Path
from threading import Lock

TROUBLES = ("Traceback", "took too long", "restart aborted", '"level": "CRITICAL"')
"""Text that no injected fault explains, anywhere in the log."""

_LONGEST = 3_000
_REPLACED = "All workers were replaced"
_OPEN = re.compile(r"Worker (\d+) is ready")


class Log:
    """Workers and problems in a log; each line is read once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._offset = 0
        self._restarts = 0
        self._opened: set[int] = set()
        self._troubles: list[str] = []
        self._reading = Lock()

    @property
    def restarts(self) -> int:
        """Return how often all workers were replaced."""
        self._read()
        return self._restarts

    @property
    def opened(self) -> set[int]:
        """Return the workers that have been ready, including those that ended."""
        self._read()
        return self._opened

    @property
    def troubles(self) -> list[str]:
        """Return lines that no injected fault explains."""
        self._read()
        return self._troubles

    def _read(self) -> None:
        with self._reading, self._path.open("rb") as log:
            log.seek(self._offset)
            new = log.read()
            whole = new[: new.rfind(b"\n") + 1]
            self._offset += len(whole)
            for line in whole.decode().splitlines():
                self._parse(line)

    def _parse(self, line: str) -> None:
        self._restarts += _REPLACED in line
        self._opened.update(map(int, _OPEN.findall(line)))
        if any(each in line for each in TROUBLES):
            self._troubles.append(line[:_LONGEST])

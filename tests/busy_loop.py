"""A busy event loop, as after the process was suspended."""

from __future__ import annotations

from time import monotonic


def block(seconds: float) -> None:
    """Block the event loop that calls this."""
    until = monotonic() + seconds
    while monotonic() < until:
        pass

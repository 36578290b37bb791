"""The callback by which long background work regularly yields the CPU."""

from __future__ import annotations

from collections.abc import Callable

TEXTS_A_BREATH = 32
"""Number of texts between two calls of the callback."""

Breathe = Callable[[], None]
"""Called often during long work. It may wait to yield the CPU, or raise to cancel the work."""


def hold_no_breath() -> None:
    """No-op yield callback, for synchronous callers."""

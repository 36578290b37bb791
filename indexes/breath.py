"""Breath: how long work in the background stops now and then, for others to have their turn."""

from __future__ import annotations

from collections.abc import Callable

TEXTS_A_BREATH = 32

Breathe = Callable[[], None]
"""Called often during long work: to let others have their turn, or to give up by raising."""


def hold_no_breath() -> None:
    """For those who have nothing else to do."""

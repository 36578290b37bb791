"""Permissions that apply to root as well, for the programs that a block starts."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

AttemptOutcome = TypeVar("AttemptOutcome")

_PR_CAPBSET_DROP = 24
_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH = 1, 2


def started_under_permissions(start: Callable[[], AttemptOutcome]) -> AttemptOutcome:
    """Start a program that may read no file but what its permissions allow, even as root.

    Capabilities are those of a thread, and a program has those of the thread that starts it.
    Other users have none to lose.
    """

    def start_without_capabilities() -> AttemptOutcome:
        prctl = ctypes.CDLL(None).prctl
        for capability in (_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH):
            prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
        return start()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(start_without_capabilities).result()

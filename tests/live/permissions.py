"""Starting programs without root's capability to bypass file permissions."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")

_PR_CAPBSET_DROP = 24
_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH = 1, 2


def start_under_permissions(start: Callable[[], T]) -> T:
    """Start a program to which file permissions apply even if it runs as root.

    Capabilities belong to a thread, and a program inherits those of the thread that starts it.
    Users other than root have no capabilities.
    """

    def start_without_capabilities() -> T:
        prctl = ctypes.CDLL(None).prctl
        for capability in (_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH):
            prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
        return start()

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(start_without_capabilities).result()

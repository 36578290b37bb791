"""The adoption of orphans: a process becomes the parent of those that its children leave behind."""

from __future__ import annotations

import ctypes

_PR_SET_CHILD_SUBREAPER = 36
"""From Linux's prctl.h."""


def adopt_orphans() -> bool:
    """Make this process the parent of all descendants whose parent ends; False if it cannot be.

    Only Linux can do it. Elsewhere such processes go to the init process.
    """
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    return prctl is not None and prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0

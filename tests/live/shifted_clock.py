"""`majlis` on a machine whose clock is ahead by `CLOCK_AHEAD` seconds, run as a program."""

from __future__ import annotations

import os
import sys
from datetime import datetime, timedelta

from app.platform import clock

_AHEAD = timedelta(seconds=float(os.environ["CLOCK_AHEAD"]))
_right = clock.utc_now


def _shifted() -> datetime:
    """Return the time that this machine believes it is."""
    return _right() + _AHEAD


if __name__ == "__main__":
    clock.utc_now = _shifted  # before the service is imported, which takes it as a default
    from app.operations.cli import main

    sys.argv = ["majlis", *sys.argv[2:]]
    main()

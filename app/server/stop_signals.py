"""Signals that stop a process."""

from __future__ import annotations

import asyncio
import signal


def stop_on(*signals: signal.Signals) -> asyncio.Event:
    """Return an event that is set when the process receives any of the signals."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in signals:
        loop.add_signal_handler(number, stop.set)
    return stop

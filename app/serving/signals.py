"""Signals: what an operator tells a process, as events of its loop."""

from __future__ import annotations

import asyncio
import signal


def stop_on(*signals: signal.Signals) -> asyncio.Event:
    """An event that any of the signals sets."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in signals:
        loop.add_signal_handler(number, stop.set)
    return stop

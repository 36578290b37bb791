"""The life of a serving process, as its supervisor knows it: periods, signals and status."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from app.platform.observability.metrics import Samples

STARTUP_SECONDS = 120.0
"""Maximum time for the start. The application first reads all content."""

GRACEFUL_SECONDS = 25.0
"""Maximum time for responses in progress after a stop signal."""

DRAIN_SECONDS = 0.5
"""How long responses ask clients to disconnect before idle connections are closed."""

STATUS = b"status\n"
"""The supervisor's request for a status."""

RECORD = b"record\n"
"""The supervisor's request to record the changes of the content, which one worker does."""


def stop_on(*signals: signal.Signals) -> asyncio.Event:
    """Return an event that is set when the process receives any of the signals."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in signals:
        loop.add_signal_handler(number, stop.set)
    return stop


@dataclass(frozen=True, slots=True)
class WorkerStatus:
    """Whether a process is ready for new requests, and its metric samples."""

    ready: bool
    samples: Samples

    def to_line(self) -> bytes:
        """Serialize the status as one line of JSON."""
        samples = [[name, labels, numbers] for (name, labels), numbers in self.samples.items()]
        return json.dumps({"ready": self.ready, "samples": samples}).encode() + b"\n"


Status = Callable[[], Awaitable[WorkerStatus]]
"""Returns the status of a service, for its monitoring port."""

Monitoring = Callable[[Status], AbstractAsyncContextManager[object]]
"""Serves the monitoring port of a service in a block, if it has one."""


def parse_status(line: bytes) -> WorkerStatus:
    """Parse a line that `WorkerStatus.to_line` wrote."""
    status = json.loads(line)
    samples = {(name, tuple(labels)): numbers for name, labels, numbers in status["samples"]}
    return WorkerStatus(status["ready"], samples)

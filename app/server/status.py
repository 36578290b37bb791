"""What worker and supervisor send to each other: requests, and the status of the process."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from app.platform.observability.metrics import Samples

STATUS = b"status\n"
"""The supervisor's request for a status."""

RECORD = b"record\n"
"""The supervisor's request to record the changes of the content, which one worker does."""


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


def parse_status(line: bytes) -> WorkerStatus:
    """Parse a line that `WorkerStatus.to_line` wrote."""
    status = json.loads(line)
    samples = {(name, tuple(labels)): numbers for name, labels, numbers in status["samples"]}
    return WorkerStatus(status["ready"], samples)

"""Status: what a serving process tells of itself, also over the wire to its supervisor."""

from __future__ import annotations

import json
from dataclasses import dataclass

from app.observability.metrics import Samples


@dataclass(frozen=True, slots=True)
class WorkerStatus:
    """Whether new requests are welcome, and what was counted."""

    ready: bool
    samples: Samples

    def line(self) -> bytes:
        """As one line of JSON."""
        samples = [[name, labels, numbers] for (name, labels), numbers in self.samples.items()]
        return json.dumps({"ready": self.ready, "samples": samples}).encode() + b"\n"


def read_status(line: bytes) -> WorkerStatus:
    """The status that a line tells."""
    told = json.loads(line)
    samples = {(name, tuple(labels)): numbers for name, labels, numbers in told["samples"]}
    return WorkerStatus(told["ready"], samples)

"""The start of the service: its steps, which the log names, and the time that it may take."""

import logging
import os
import sys
from time import monotonic
from typing import NoReturn

from app.platform.observability.logs import STDERR

log = logging.getLogger(__name__)


class Startup:
    """A start that may take some seconds from now on."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._steps = [("preparing", monotonic())]
        self.has_ended = False

    @property
    def left(self) -> float:
        """The seconds until the start has taken too long."""
        return max(0.0, self._seconds - (monotonic() - self._steps[0][1]))

    def begin(self, step: str) -> None:
        """Begin a step, which its first word names; after the start there is none."""
        if not self.has_ended:
            log.info(step)
            self._steps.append((step.split(maxsplit=1)[0].lower(), monotonic()))

    def told(self) -> str:
        """Return what took how long so far."""
        ends = [*(began for _, began in self._steps[1:]), monotonic()]
        took = zip(self._steps, ends, strict=True)
        return ", ".join(f"{step} took {end - began:.0f} s" for (step, began), end in took)

    def end_process(self) -> NoReturn:
        """End this process as it starts for too long, although a thread may load content."""
        logging.shutdown()
        sys.stderr.write(
            f"The start took longer than {self._seconds:g} seconds: {self.told()}. "
            "Raise STARTUP_SECONDS.\n"
        )
        STDERR.close()  # a thread writes what goes to standard error
        os._exit(1)

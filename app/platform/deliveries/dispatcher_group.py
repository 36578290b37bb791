"""A group of dispatchers that a service starts and stops together."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

from app.platform.component import Component
from app.platform.concurrency.background import Work
from app.platform.deliveries.dispatcher import Dispatcher
from app.platform.observability.metrics import Sample

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class DispatcherGroup(Component):
    """Dispatchers of several kinds, and what is to be said about them at the start."""

    dispatchers: tuple[Dispatcher, ...]
    warnings: tuple[str, ...]

    async def __aenter__(self) -> Self:
        for warning in self.warnings:
            log.warning(warning)
        return self

    async def __aexit__(self, *_: object) -> None:
        for dispatcher in self.dispatchers:
            await dispatcher.aclose()

    def metrics_samples(self) -> Iterator[Sample]:
        """Yield the metrics of attempts."""
        for dispatcher in self.dispatchers:
            yield from dispatcher.metrics_samples()

    def tasks(self) -> Iterator[tuple[str, Work]]:
        """Yield the background tasks by name."""
        for dispatcher in self.dispatchers:
            yield f"deliver_{dispatcher.kind}", dispatcher.run

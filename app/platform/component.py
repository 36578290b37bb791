"""Components: parts of an application that start and stop with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from app.platform.concurrency.background import Work
from app.platform.observability.metrics import Sample


class Component:
    """A part that is entered at the start; a component overrides what it needs."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close nothing."""

    def metrics_samples(self) -> Iterator[Sample]:
        """Yield the samples that are read at each scrape."""
        yield from ()

    def tasks(self) -> Iterator[tuple[str, Work]]:
        """Yield the background tasks by name; the names are values of a metric label."""
        yield from ()

    def tasks_of_one_process(self) -> Iterator[tuple[str, Work]]:
        """Yield the background tasks that one worker does for all."""
        yield from ()

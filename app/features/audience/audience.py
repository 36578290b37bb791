"""The audience of a service: its counts, the agents of requests, and the tasks that store them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from app.features.audience.classification import Classifier
from app.features.audience.counts import Counts, SearchKey
from app.features.audience.readers import Agent
from app.features.audience.retention import AudienceRetention
from app.features.audience.settings import AudienceSettings
from app.features.audience.store import AudienceStore
from app.features.audience.writer import CountsWriter
from app.platform.clock import Clock
from app.platform.component import Component
from app.platform.concurrency.background import Work
from app.platform.observability.metrics import Sample
from app.platform.observability.retained_texts import retained_query
from app.services import Services
from app.web.extensions import SearchCounter
from app.web.http.reading import Channel


@dataclass(frozen=True)
class Audience(Component, SearchCounter):
    """What counts the readers of one process; `hosts` are those of this site."""

    counts: Counts
    agent_of: Callable[[bytes], Agent]
    clock: Clock
    hosts: frozenset[str]
    writer: CountsWriter
    retention: AudienceRetention

    def count_search(self, channel: Channel, query: str, hits: int) -> None:
        """Count a search for what is kept of its query."""
        day = self.clock().date()
        self.counts.search(SearchKey(day, channel.value, retained_query(query), hits))

    def metrics_samples(self) -> Iterator[Sample]:
        """Yield the counts."""
        yield from self.counts.metrics_samples()

    def tasks(self) -> Iterator[tuple[str, Work]]:
        """Yield the background tasks by name."""
        yield "audience", self.writer.run
        yield "audience_retention", self.retention.run


def open_audience(services: Services) -> Audience:
    """Return the audience of a service whose counts are in its database."""
    settings, counts = services.settings.of(AudienceSettings), Counts()
    store, host = AudienceStore(services.database), urlsplit(settings.public_url).hostname
    return Audience(
        counts=counts,
        agent_of=Classifier().agent_of,
        clock=services.clock,
        hosts=frozenset({host} if host else ()),
        writer=CountsWriter(counts, store, settings.audience_write_seconds),
        retention=AudienceRetention(settings.audience_retention_days, store, services.clock),
    )

"""The audience of a service: its counts, the agents of requests, and the tasks that store them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from app.features.audience.counts import Counts, SearchKey
from app.features.audience.kept_texts import kept_query
from app.features.audience.readers import Agent, Channel
from app.features.audience.retention import AudienceRetention
from app.features.audience.store import AudienceStore
from app.features.audience.writer import CountsWriter
from app.platform.clock import Clock
from app.platform.concurrency.background import Work
from app.platform.database.database import Database


@dataclass(frozen=True, slots=True)
class Audience:
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
        self.counts.search(SearchKey(day, channel.value, kept_query(query), hits))

    def tasks(self) -> Iterator[tuple[str, Work]]:
        """Yield the background tasks by name."""
        yield "audience", self.writer.run
        yield "audience_retention", self.retention.run


def open_audience(
    database: Database, clock: Clock, public_url: str, retention_days: int, write_seconds: float
) -> Audience:
    """Return the audience of a service whose counts are in a database."""
    # Half a megabyte of patterns, which a service that counts nothing does not read.
    from app.features.audience.classification import Classifier  # noqa: PLC0415

    counts, store = Counts(), AudienceStore(database)
    host = urlsplit(public_url).hostname
    return Audience(
        counts=counts,
        agent_of=Classifier().agent_of,
        clock=clock,
        hosts=frozenset({host} if host else ()),
        writer=CountsWriter(counts, store, write_seconds),
        retention=AudienceRetention(retention_days, store, clock),
    )

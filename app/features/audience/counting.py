"""Counting: who reads which page in which form, written to the database and deleted in time.

A clock that jumps ahead makes days look older than they are, so each hour deletes one day only.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from urllib.parse import urlsplit

from hypercorn.typing import HTTPResponseStartEvent

from app.features.audience.classification import Classifier
from app.features.audience.model import Agent, Counts, MissedKey, Reader, SearchKey, SignatureKey
from app.features.audience.settings import AudienceSettings
from app.features.audience.store import AudienceStore
from app.platform.asgi.scope import response_header
from app.platform.clock import Clock
from app.platform.concurrency.background import Component, Work, wait_or_stop
from app.platform.database import SchemaMismatch, StoreUnavailable
from app.platform.database.seen_clock import hourly
from app.platform.observability.metrics import Sample
from app.platform.observability.retained_texts import (
    retained_name,
    retained_origin,
    retained_path,
    retained_query,
    retained_signer,
)
from app.services import Services
from app.web.extensions import Channel, SearchCounter
from app.web.http.request_context import RequestContext
from app.web.http.route_policy import MCP_FORM
from app.web.http.search_requests import SEARCH_HEADER, Search
from app.web.pipeline.observation import Exchange, Observer
from app.web.pipeline.surfaces import OTHERS, Surfaces, page_read, visitor_name

log = logging.getLogger(__name__)

_SHOWN = frozenset({200, 201, 202, 206, 304})
"""The statuses of responses that show a page. Others may be those of any path."""
_MISSED = frozenset({404, 410})
_SEARCH = SEARCH_HEADER.lower().encode()


class AudienceCounts(Observer):
    """Counts each response by page, form, status and agent, and each search by its words.

    A search is noted in a header of its response, also of a cached one, which is removed here.
    """

    def __init__(self, audience: Audience) -> None:
        self._audience = audience
        self._surfaces = Surfaces()

    def response(self, exchange: Exchange, start: HTTPResponseStartEvent) -> HTTPResponseStartEvent:
        """Count a response when it begins."""
        self._count(exchange.context, start)
        if not exchange.context.query:
            return start
        return self._without_search(start)

    def _without_search(self, start: HTTPResponseStartEvent) -> HTTPResponseStartEvent:
        """Count the search of a response, and return its start without the header."""
        noted = response_header(start["headers"], _SEARCH)
        if noted is None:
            return start
        day = self._audience.clock().date()
        self._audience.counts.search(SearchKey(day, *Search.from_header(noted)))
        headers = [pair for pair in start["headers"] if pair[0] != _SEARCH]
        return HTTPResponseStartEvent(
            type="http.response.start", status=start["status"], headers=headers
        )

    def _count(self, context: RequestContext, start: HTTPResponseStartEvent) -> None:
        audience, status = self._audience, start["status"]
        surface = self._surfaces.of(context)
        form = surface.form_of(context, start)
        page, agent = surface.page if status in _SHOWN else OTHERS, None
        if form == MCP_FORM:
            read, name = page_read.get(), visitor_name.get()
            page = page if read is None else retained_path(read)
            agent = None if name is None else Agent(retained_name(name), Reader.MCP_CLIENT)
        if agent is None:
            agent = audience.agent_of(context.headers.get(b"user-agent", b""))
        day = audience.clock().date()
        audience.counts.read(day, page, form, status, agent)
        signature = context.headers.get(b"signature-agent")
        if signature is not None:
            signer = retained_signer(signature)
            audience.counts.signature(SignatureKey(day, signer, agent.name, agent.reader.value))
        if status in _MISSED and (context.route.is_api or not context.query):
            # a page after the last one of a list is no missing page
            self._count_missed(context, day, surface.page, agent)

    def _count_missed(self, context: RequestContext, day: date, path: str, agent: Agent) -> None:
        host = (context.header(b"host") or "").partition(":")[0].lower()
        referer = context.header(b"referer") or ""
        origin = retained_origin(referer, self._audience.hosts | {host})
        self._audience.counts.missed(MissedKey(day, path, origin, agent.reader.value))


class CountsWriter:
    """Writes every `seconds`; a process that is killed loses at most what came since.

    While the database is unavailable, the counts stay in memory, bounded.
    """

    def __init__(self, counts: Counts, store: AudienceStore, seconds: float) -> None:
        self._counts = counts
        self._store = store
        self._seconds = seconds

    async def run(self, stop: asyncio.Event) -> None:
        """Write until `stop` is set, and then once more."""
        while not stop.is_set():
            await wait_or_stop(stop, self._seconds)
            await self.write()
        await self.write()  # what came while a write was under way
        unwritten = self._counts.take().total
        if unwritten:
            log.warning(
                "The database could not be written at the stop: %d counts of readers are lost.",
                unwritten,
            )

    async def write(self) -> None:
        """Write what was counted since the last time."""
        batch = self._counts.take()
        if not batch.agents and not batch.searches:
            return
        try:
            await self._store.add(batch)
        except StoreUnavailable:  # the database layer has logged it
            self._counts.put_back(batch)
        except SchemaMismatch as error:
            log.error("Cannot store the counts of readers: %s", error)
            self._counts.put_back(batch)


async def delete_oldest(days: int, store: AudienceStore, clock: Clock) -> int:
    """Delete the oldest day if it ended over `days` days ago; return how many counts it had."""
    oldest = await store.oldest()
    if oldest is None or oldest >= clock().date() - timedelta(days=days):
        return 0
    number = await store.forget(oldest)
    log.info("Deleted the counts of readers of %s", oldest)
    return number


@dataclass(frozen=True)
class Audience(Component, SearchCounter):
    """What counts the readers of one process; `hosts` are those of this site."""

    counts: Counts
    agent_of: Callable[[bytes], Agent]
    clock: Clock
    hosts: frozenset[str]
    writer: CountsWriter
    retention: Work

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
        yield "audience_retention", self.retention


def open_parts(services: Services) -> Iterable[object]:
    """Return the audience of an application, and the observer that counts for it."""
    settings, counts = services.settings.of(AudienceSettings), Counts()
    clock, days = services.clock, settings.audience_retention_days
    store, host = AudienceStore(services.database), urlsplit(settings.public_url).hostname
    audience = Audience(
        counts=counts,
        agent_of=Classifier().agent_of,
        clock=clock,
        hosts=frozenset({host} if host else ()),
        writer=CountsWriter(counts, store, settings.audience_write_seconds),
        retention=hourly(
            services.database,
            clock,
            partial(delete_oldest, days, store, clock),
            "counts of readers",
        ),
    )
    yield audience
    yield AudienceCounts(audience)

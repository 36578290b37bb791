"""The recorder: writes to the database what becomes published, changed, moved or gone.

Each process compares its content with the recorded state, which all share. Two rules keep one that
reads the folder later than another from recording the past:

- While it runs, it records only edits that it has seen itself, and only if the record of a page is
  of the documents that it had before.
- At its start, and whenever that is not so, it reads the records first and the folder after that:
  what differs then has happened since.

Processes that agree on an edition record it once all have switched to it. The first start with an
empty database records no changes.
"""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import chain, count
from operator import attrgetter
from time import sleep

from app.features.changes.model import version_of
from app.features.changes.published import (
    FORMAT,
    Derivation,
    Difference,
    PageDifference,
    Pause,
    PublishedContent,
    PublishedState,
    PublishedStates,
    all_dependents,
    dependents,
    edited_paths,
)
from app.platform.clock import Clock
from app.platform.concurrency.background import wait_or_stop
from app.platform.concurrency.executors import BoundedExecutor
from app.platform.database import SchemaMismatch, StoreUnavailable
from app.platform.database.database import Database
from app.publishing.content.store import ContentStore, Edition
from knowledge.edits import changed_keys
from knowledge.snapshot.loading import LoadedContent

log = logging.getLogger(__name__)

_MAX_CHANGES = 2_000
"""Changes that are recorded in one transaction, so that other writers wait for less than 0.1 s."""
_PAGES_PER_YIELD = 16
_YIELD_SECONDS = 0.0005


@dataclass(frozen=True, eq=False, slots=True)
class Seen:
    """What this process has compared last: content, up to an instant."""

    loaded: LoadedContent
    content: PublishedContent
    site: str
    at: datetime
    is_in_step: bool = True
    """Whether the records are known to be of this content."""


_CHECK_SECONDS = 0.5
_RETRY_SECONDS = 5.0
"""The wait after an error of the database."""

_MAX_TRIES = 3
"""How often edits are compared with newer records before all records are read again."""


class ChangeRecorder:
    """Records the changes of the editions of a store."""

    def __init__(
        self,
        database: Database,
        content_store: ContentStore,
        executor: BoundedExecutor,
        clock: Clock,
    ) -> None:
        self._states = PublishedStates(database)
        self._store = content_store
        self._executor = executor
        self._clock = clock
        self._state: PublishedState | None = None
        self._seen: Seen | None = None

    async def run(self, stop: asyncio.Event) -> None:
        """Record changes within a second until `stop` is set."""
        while not stop.is_set():
            await wait_or_stop(stop, _CHECK_SECONDS)
            try:
                await self.record()
            except StoreUnavailable:  # the database layer has logged it
                self._forget()
                await wait_or_stop(stop, _RETRY_SECONDS)
            except SchemaMismatch as error:
                log.error("Changes of pages are not recorded: %s", error)
                return

    async def record(self) -> None:
        """Record what has changed since the last call, or since the recorded state."""
        if not self._store.loaded or self._store.current.passages is None:
            return
        edition, now, seen = self._store.current, self._clock(), self._seen
        if seen and seen.loaded is edition.content and not _is_due(seen, now):
            return
        if not await self._store.origin.is_current(edition):
            return
        current = _seen(edition, now)
        if self._state is None or seen is None or seen.site != current.site:
            await self._reconcile()
        elif not await self._follow(self._state, seen, current):
            self._forget()

    def _forget(self) -> None:
        """Compare with the whole recorded state next time."""
        self._state = self._seen = None

    async def _follow(self, state: PublishedState, seen: Seen, current: Seen) -> bool:
        """Record the edits since `seen`; return whether the records are of what was seen.

        Records that are not the newest are read again, at once if another process wrote the last
        ones.
        """
        for number in range(_MAX_TRIES):
            if number or not seen.is_in_step:
                newer = await self._states.refreshed(state)
                if newer is None or (number and newer is state):
                    return False
                state, seen = newer, replace(seen, is_in_step=False)
            derived = await self._executor.run(partial(_derive_edits, state, seen, current))
            if derived and await self._store_all(state, *derived):
                return True
        return False

    async def _reconcile(self) -> None:
        """Record how the folder differs from the recorded state, which is read before it."""
        state = await self._states.load()
        edition = self._store.current
        if not await self._store.origin.is_current(edition):
            return  # the state may be of a newer one
        current = _seen(edition, self._clock())
        is_first = state.site.partition(" ")[0] != FORMAT
        derive = partial(_derive_all, state, is_first=is_first)
        differences = await self._executor.run(partial(derive, current))
        if differences and not is_first:
            await self._executor.run(self._store.reload)
            current = _seen(self._store.current, self._clock())
            differences = await self._executor.run(partial(derive, current))
        if not await self._store_all(state, differences, current):
            self._forget()

    async def _store_all(
        self, state: PublishedState, differences: Sequence[PageDifference], current: Seen
    ) -> bool:
        """Record differences in chunks, the instant last; False if another process was faster."""
        chunks = list(_chunks(differences))
        for number, chunk in enumerate(chunks, start=1):
            is_last = number == len(chunks)
            difference = Difference(
                sorted(chain.from_iterable(each.changes for each in chunk), key=attrgetter("at")),
                {each.path: each.record for each in chunk},
                current.at if is_last else state.checked_at,
                current.site if is_last else state.site,
            )
            recorded = await self._states.record(state, difference, self._clock())
            if recorded is None:
                return False
            state = recorded
        self._state, self._seen = state, current
        return True


def _yielding() -> Pause:
    """Return a function that sleeps briefly now and then, so that requests are served."""
    pages = count(1)

    def pause() -> None:
        if next(pages) % _PAGES_PER_YIELD == 0:
            sleep(_YIELD_SECONDS)

    return pause


def _seen(edition: Edition, now: datetime) -> Seen:
    if edition.passages is None:
        raise ValueError("the edition has no pages")
    content = PublishedContent(edition.snapshot, edition.passages.pages.versions)
    return Seen(edition.content, content, content.site, now)


def _is_due(seen: Seen, now: datetime) -> bool:
    """Return whether something was scheduled since."""
    change = seen.content.snapshot.next_change_at(seen.at)
    return change is not None and change <= now


def _derive_edits(
    state: PublishedState, seen: Seen, current: Seen
) -> tuple[Sequence[PageDifference], Seen] | None:
    """Return what changed since `seen`, and what is seen then; None if the records are others."""
    before, after = seen.content.versions, current.content.versions
    edited = {path for path in changed_keys(before, after) if before.get(path) != after.get(path)}
    recorded = {path: version_of(state.records.get(path, "")) for path in edited}
    if any(
        version not in (before.get(path), after.get(path)) for path, version in recorded.items()
    ):
        return None
    unrecorded = {path for path, version in recorded.items() if version != after.get(path)}
    derivation = Derivation(state.records, current.content, _yielding())
    derivation.scheduled(seen.at, current.at, edited)
    derivation.look_at(unrecorded, current.at)
    # If another process has seen more edits, it has also seen more of the lists and terms.
    is_in_step = seen.is_in_step
    if unrecorded and not is_in_step:
        is_in_step = not edited_paths(derivation.records, after)
    if unrecorded and is_in_step:
        others = dependents(unrecorded, seen.content.snapshot, current.content.snapshot)
        derivation.look_at(others, current.at)
    return derivation.differences, replace(current, is_in_step=is_in_step)


def _derive_all(
    state: PublishedState, current: Seen, *, is_first: bool
) -> Sequence[PageDifference]:
    """Return how content differs from all records; at the first start, only the records."""
    versions = current.content.versions
    edited = edited_paths(state.records, versions)
    if state.site != current.site:
        edited = versions.keys() | state.records.keys()
    derivation = Derivation(state.records, current.content, _yielding())
    derivation.scheduled(state.checked_at, current.at, edited)
    derivation.look_at(edited | all_dependents(versions, current.content.snapshot), current.at)
    if is_first:
        return [replace(each, changes=()) for each in derivation.differences]
    return derivation.differences


def _chunks(differences: Sequence[PageDifference]) -> Iterator[Sequence[PageDifference]]:
    """Yield differences in parts of about equal size, without parting those of a group."""
    chunk: list[PageDifference] = []
    size = 0
    for difference in differences:
        if size >= _MAX_CHANGES and difference.group != chunk[-1].group:
            yield chunk
            chunk, size = [], 0
        chunk.append(difference)
        size += len(difference.changes)
    if chunk:
        yield chunk

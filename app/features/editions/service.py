"""Editions of an application: which commit it serves, and the tasks that fetch and show the next.

A push, or the interval, lets a process fetch the branch and check its commit. That becomes the
published one of the machine, which each of its processes then prepares and shows.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Iterable, Iterator
from functools import partial
from shutil import which
from typing import Self

from quart import Quart

from app.feature import Advice
from app.features.editions.repository import Refusal, Repository, RepositoryError
from app.features.editions.settings import EditionSettings
from app.platform.asgi.scope import HeaderBlock, HTTPApp, HTTPScope, Receive, Send
from app.platform.concurrency.background import (
    Component,
    Work,
    event_or_stop,
    wait_or_stop,
    work_or_stop,
)
from app.platform.concurrency.executors import BoundedExecutor
from app.platform.observability.metrics import CONTENT_COMMIT, CONTENT_STALE, Sample
from app.publishing.content.store import ContentStore
from app.services import Services, services_of
from app.web.extensions import AddedLayer, ContentSource
from app.web.http.request_context import current_request
from app.web.pipeline.layer import PipelineLayer
from app.web.pipeline.observation import Observation

log = logging.getLogger(__name__)

_LOOK_SECONDS = 1.0
_HEADER = b"majlis-edition"


class Editions(Component, ContentSource):
    """The editions of one process."""

    def __init__(
        self, repository: Repository, store: ContentStore, executor: BoundedExecutor, seconds: float
    ) -> None:
        self.repository = repository
        self.asked = asyncio.Event()
        """Set when there may be a new commit."""
        self._store = store
        self._executor = executor
        self._seconds = seconds

    @property
    def commit(self) -> str | None:
        """The commit that this process serves, None before the first."""
        if not self._store.loaded:
            return None
        return self.repository.commit_of(self._store.current.folder)

    @property
    def problem(self) -> str | None:
        """Why a newer commit is not published, or None."""
        return str(refusal) if (refusal := self.repository.refusal) else None

    async def __aenter__(self) -> Self:
        """Begin with the commit that was published last; the first time, fetch one."""
        self.repository.refuse(None)  # the settings may allow it now
        if self.repository.published is None:
            await self.pull()
        commit = self.repository.published or "none"
        self.repository.hold({commit})
        self._store.start_at(self.repository.content(commit))
        return self

    def metrics_samples(self) -> Iterator[Sample]:
        """Yield the commit that is served, and whether a newer one is refused."""
        if commit := self.commit:
            yield CONTENT_COMMIT, (commit,), 1
        yield CONTENT_STALE, ("commit_refused",), float(self.repository.refusal is not None)

    def tasks(self) -> Iterator[tuple[str, Work]]:
        """Yield the tasks that each process does, as any may be told of a push."""
        yield "content_pull", self._pull_when_asked
        yield "content_follow", self._follow

    def tasks_of_one_process(self) -> Iterator[tuple[str, Work]]:
        """Yield the task that looks for commits of which nobody has told."""
        yield "content_interval", self._ask_regularly

    async def pull(self) -> None:
        """Fetch the branch, and publish its commit on this machine if it may be."""
        try:
            async with self.repository.locked():
                await self._publish(await self.repository.newest())
        except (RepositoryError, OSError) as error:
            log.error("New content cannot be fetched. %s", error)

    async def _publish(self, commit: str) -> None:
        repository, refusal = self.repository, self.repository.refusal
        if refusal is not None and refusal.commit == commit:
            return
        refusal = None
        if commit != repository.published:
            await repository.check_out(commit)
            if reason := await repository.problem_of(commit):
                refusal = Refusal(commit, reason)
                log.error("%s. Correct it, and push again.", refusal)
            else:
                repository.publish(commit)
                log.info("Commit %s is published", commit)
        repository.refuse(refusal)
        await repository.remove_others({repository.published or commit})

    async def _ask_regularly(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            self.asked.set()
            await wait_or_stop(stop, self._seconds)

    async def _pull_when_asked(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            await event_or_stop(stop, self.asked)
            self.asked.clear()
            await work_or_stop(stop, self.pull())

    async def _follow(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            commit = self.repository.published
            if commit is not None and commit != self.commit:
                await self._show(commit)
            await wait_or_stop(stop, _LOOK_SECONDS)

    async def _show(self, commit: str) -> None:
        """Prepare the edition of a commit, and show it; the last one stays on disk."""
        folder, run = self.repository.content(commit), self._executor.run
        self.repository.hold({each for each in (self.commit, commit) if each})
        if not self._store.loaded:
            await run(partial(self._store.start_at, folder))
            await run(self._store.reload)
            return
        prepared = await run(partial(self._store.prepare, folder))
        await run(partial(self._store.show, prepared))


class EditionHeader(PipelineLayer):
    """ASGI middleware that names the commit in each response."""

    def __init__(self, app: HTTPApp, quart: Quart) -> None:
        super().__init__(app, quart)
        self._editions = services_of(quart).part(Editions)
        self._commit: str | None = None
        self._block = HeaderBlock([])

    def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass a request on."""
        commit = self._editions.commit
        if commit != self._commit:
            self._commit = commit
            self._block = HeaderBlock([(_HEADER, commit.encode())] if commit else [])
        current_request.get().response_blocks.append(self._block)
        return self._app(scope, receive, send)


def open_parts(services: Services) -> Iterable[object]:
    """Return the editions of an application, and the layer that names them."""
    settings = services.settings.of(EditionSettings)
    yield Editions(
        Repository(settings),
        services.content_store,
        services.executors.edits,
        settings.content_git_seconds,
    )
    yield AddedLayer(EditionHeader, inside=Observation)


def advice(settings: EditionSettings) -> Iterator[Advice]:
    """Yield what keeps commits from being published."""
    if not settings.content_git:
        return
    if which("git") is None:
        yield Advice("CONTENT_GIT is set, but the program git is missing.", "Install git.")
    if refusal := Repository(settings).refusal:
        yield Advice(f"{refusal}.", "Correct it, and push again; `majlis check` finds the same.")

"""Editions of an application: which commit it serves, and the tasks that fetch and show the next.

A push, or the interval, lets a process fetch the branch and check its commit. With PostgreSQL, the
processes of all machines then prepare it, and switch at one instant. Without, each process of the
machine shows it once it is prepared. What is begun is finished, and then the newest is taken.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict, deque
from collections.abc import Awaitable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from math import inf
from shutil import which
from time import monotonic
from typing import Self

from quart import Quart
from sqlalchemy.ext.asyncio import AsyncConnection

from app.feature import Advice, Receiver
from app.features.editions import CONTENT_COMMIT
from app.features.editions.repository import Refusal, Repository, RepositoryError
from app.features.editions.settings import EditionSettings
from app.features.editions.store import AHEAD, Look, Switch, SwitchStore, boot_seconds
from app.platform.asgi.scope import HeaderBlock, HTTPApp, HTTPScope, Receive, Send, SendEvent
from app.platform.concurrency.background import (
    Component,
    Work,
    event_or_stop,
    wait_or_stop,
    work_or_stop,
)
from app.platform.concurrency.executors import BoundedExecutor
from app.platform.database import StoreUnavailable
from app.platform.limits.rate_limits import HEALTH
from app.platform.observability.metrics import CONTENT_STALE, Sample
from app.publishing.content.store import (
    ContentOrigin,
    ContentStore,
    Edition,
    PreparedEdition,
    made_of,
)
from app.services import Services, Startup, services_of
from app.web.errors import Refusals
from app.web.extensions import AddedLayer
from app.web.http.request_context import current_request
from app.web.pipeline import PipelineLayer
from knowledge.resources.errors import ContentUnavailable

log = logging.getLogger(__name__)

_HEADER = b"majlis-edition"


@dataclass(slots=True)
class _Preparation:
    """A commit that is being prepared, or is ready."""

    commit: str
    task: asyncio.Task[PreparedEdition | None]
    is_public: bool = False
    """Whether others serve the commit, or have served it: it may be shown once it is ready."""

    @property
    def edition(self) -> PreparedEdition | None:
        """What is ready; None before that, and if it could not be prepared."""
        return self.task.result() if self.task.done() and not self.task.exception() else None


_LOOK_SECONDS = 1.0
_PENDING_SECONDS = 0.1
"""How often to look while another commit is wanted."""
_BEAT_SECONDS = 0.25
"""How often a process notes that it runs; a request does so too."""
_DOUBT_SECONDS = 10.0
"""How long a process that knows nothing of the others stays away, if the database does."""
_RETRY_SECONDS = 10.0
"""When to try again after an error of the repository or the database."""
_FIRST_SHARE = 0.75
"""The part of the time of a start in which it waits for the first commit, before it goes on without
content; the rest is for loading."""


class Editions(Component, ContentOrigin):
    """The editions of one process; `shared` is the switch of all machines, None without one."""

    def __init__(
        self,
        repository: Repository,
        store: ContentStore,
        executor: BoundedExecutor,
        seconds: float,
        shared: SwitchStore | None,
        startup: Startup,
    ) -> None:
        self.repository = repository
        self.asked = asyncio.Event()
        """Set when there may be a new commit."""
        self._store = store
        self._executor = executor
        self._seconds = seconds
        self._shared = shared
        self._switch = Switch()
        self._doubtful_until = 0.0
        """Until when others may have switched without this process knowing it."""
        self._leased_until = self._ran_at = self._woken_at = 0.0
        """By `boot_seconds`: the end of the lease, when this process ran last, and when it noticed
        a pause in which the lease may have ended."""
        self._looked_at = inf
        """When the last look began; what does not serve, such as an export, needs none."""
        self._known: tuple[Edition | None, str | None] = None, None
        self._startup = startup
        self._preparation: _Preparation | None = None
        self._waiting = OrderedDict[str, float]()
        """Since when this process knows of each commit that it is to serve, the oldest first."""
        self._has_failed = False
        """Whether content could not be fetched the last time."""

    @property
    def commit(self) -> str | None:
        """The commit that this process serves, None before the first."""
        edition = self._store.current if self._store.loaded else None
        if edition is not self._known[0]:
            self._known = edition, self.commit_of(edition) if edition else None
        return self._known[1]

    @property
    def waiting_seconds(self) -> float:
        """How long the oldest commit waits that this process is to serve."""
        return next((monotonic() - since for since in self._waiting.values()), 0.0)

    @property
    def problem(self) -> str | None:
        """Why a newer commit is not published, or None."""
        if self._has_failed:  # what git says may name hosts
            return "New content cannot be fetched; the log says why"
        return str(refusal) if (refusal := self.repository.refusal) else None

    @property
    def is_late(self) -> bool:
        """Whether other processes serve a newer commit, or will in a second."""
        if self._shared is None:
            return False
        self._note_running()
        is_doubtful = self._woken_at > self._looked_at or monotonic() < self._doubtful_until
        return is_doubtful or self._switch.is_late(self.commit, self._ready)

    def _note_running(self) -> None:
        """Note that this process runs; doubt what it knows after a pause that its lease ended in.

        Others announce a switch without it after its lease at the earliest, so that a pause which
        is shorter than a switch is announced ahead hides none.
        """
        now = boot_seconds()
        if now - self._ran_at > AHEAD.total_seconds() and now > self._leased_until:
            self._woken_at = now
        self._ran_at = now

    @property
    def _ready(self) -> str | None:
        preparation = self._preparation
        return preparation.commit if preparation and preparation.edition else self.commit

    def commit_of(self, edition: Edition) -> str | None:
        """Return the commit of an edition."""
        return self.repository.commit_of(edition.folder)

    async def __aenter__(self) -> Self:
        """Begin with the commit of the others, the last of this machine, or the first."""
        self._looked_at = 0.0
        self.repository.refuse(None)  # the settings may allow it now
        folder = self.repository.folder / "none"
        if commit := await self._first():
            folder = self.repository.content(commit)
            self.repository.publish(commit)
        self._store.start_at(folder)
        return self

    async def _first(self) -> str | None:
        if commit := await self._available():
            return commit
        seconds = self._startup.left * _FIRST_SHARE
        try:
            async with asyncio.timeout(seconds):
                await self.pull()
        except TimeoutError:
            message = "The service starts without content: %s. STARTUP_SECONDS lets it wait longer."
            log.warning(message, self._startup.told())
        return await self._available()

    async def _available(self) -> str | None:
        """Return the commit of the others, or else of this machine, that can be checked out."""
        commits = [self.repository.published]
        if self._shared is not None:
            with suppress(StoreUnavailable):
                commits.insert(0, await self._shared.current())
        for commit in filter(None, commits):
            with self._errors_noted():
                await self.repository.obtain(commit)
                self.repository.content(commit)
                self.repository.use(commit)
                return commit
        return None

    async def __aexit__(self, *_: object) -> None:
        """Let nobody wait for this process."""
        if self._shared is not None:
            with suppress(StoreUnavailable):
                await self._shared.leave()

    async def is_current(self, edition: Edition) -> bool:
        """Return whether all processes serve an edition; raises StoreUnavailable."""
        return self._shared is None or await self._shared.current() == self.commit_of(edition)

    async def claims_purge(
        self, connection: AsyncConnection, edition: Edition, at: datetime
    ) -> bool | None:
        """Return whether this process tells of an edition; None if it is not the one of all."""
        if self._shared is None:
            return True
        commit = self.commit_of(edition) or ""
        purge = f"{commit} {edition.snapshot.last_change_at(at)}"
        return await self._shared.claims_purge(connection, commit, purge)

    def metrics_samples(self) -> Iterator[Sample]:
        """Yield the commit that is served, and why it may not be the newest."""
        if commit := self.commit:
            yield CONTENT_COMMIT, (commit,), 1
        yield CONTENT_STALE, ("commit_refused",), float(self.repository.refusal is not None)
        yield CONTENT_STALE, ("edition_late",), float(self.is_late)
        yield CONTENT_STALE, ("fetch_failed",), float(self._has_failed)

    def tasks(self) -> Iterator[tuple[str, Work]]:
        """Yield the tasks that each process does, as any may be told of a push."""
        yield "content_pull", self._pull_when_asked
        yield "content_follow", self._follow
        if self._shared is not None:
            yield "content_lease", self._note_pauses

    def tasks_of_one_process(self) -> Iterator[tuple[str, Work]]:
        """Yield the task that looks for commits of which nobody has told."""
        yield "content_interval", self._ask_regularly

    @contextmanager
    def _errors_noted(self) -> Iterator[None]:
        """Note whether content can be fetched, log why it cannot, and go on after the block."""
        try:
            yield
        except (RepositoryError, OSError) as error:
            log.error("New content cannot be fetched. %s", error)
            self._has_failed = True
        except StoreUnavailable:
            pass  # it is logged where it arises
        else:
            self._has_failed = False

    async def pull(self) -> None:
        """Fetch the branch, and publish its commit if it may be."""
        with self._errors_noted():
            async with self.repository.locked():
                self._startup.begin("Fetching the repository")
                seen = (await self._shared.look(self._ready)).switch if self._shared else None
                commit = await self.repository.newest()
                published = seen.newest if seen else self.repository.published
                if await self._may_publish(commit, published):
                    await self._publish(commit, seen)
                known = (seen.current, seen.wanted, seen.next) if seen else ()
                await self.repository.remove_others({self.repository.published, commit, *known})
            return
        self._ask_again(_RETRY_SECONDS)

    def _ask_again(self, seconds: float) -> None:
        asyncio.get_running_loop().call_later(seconds, self.asked.set)

    async def _may_publish(self, commit: str, published: str | None) -> bool:
        """Return whether a commit is another one than the published, and not refused."""
        repository, refusal = self.repository, self.repository.refusal
        if refusal is not None and refusal.commit == commit:
            return False
        repository.refuse(None)
        if commit == published:
            return False
        await repository.check_out(commit)
        self._startup.begin(f"Checking commit {commit[:12]}")
        if reason := await self._problem_of(commit):
            refused = Refusal(commit, reason)
            repository.refuse(refused)
            log.error("%s. Correct it, and push again.", refused)
            return False
        return True

    async def _problem_of(self, commit: str) -> str | None:
        """Return why a commit may not be published; one process finds it out for all machines."""
        repository, shared = self.repository, self._shared
        own: asyncio.Task[str | None] | None = None
        if shared is None:
            return await repository.problem_of(commit)
        try:
            while (check := await shared.check(commit, repository.rules)).reason is None:
                if check.is_own and own is None:
                    own = asyncio.create_task(repository.problem_of(commit))
                if own is None:
                    await asyncio.sleep(_LOOK_SECONDS)
                elif (await asyncio.wait([own], timeout=_LOOK_SECONDS))[0]:
                    await shared.check(commit, repository.rules, own.result() or "")
            return check.reason
        finally:
            if own is not None:
                own.cancel()

    async def _publish(self, commit: str, seen: Switch | None) -> None:
        if self._shared is None or seen is None:
            self.repository.publish(commit)
        elif not await self._shared.propose(commit, seen):
            self._ask_again(_LOOK_SECONDS)

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
        """Prepare what is wanted, and show it when it is time, until `stop` is set."""
        try:
            while not stop.is_set():
                began = boot_seconds()
                try:
                    pause = await self._step()
                except StoreUnavailable:  # it is logged where it arises
                    pause = self._miss()
                self._looked_at = began
                await wait_or_stop(stop, pause)
        finally:
            self._drop_preparation()

    async def _note_pauses(self, stop: asyncio.Event) -> None:
        while not stop.is_set():
            self._note_running()
            await wait_or_stop(stop, _BEAT_SECONDS)

    def _miss(self) -> float:
        """Do without a look; return the seconds until the next one."""
        if self._switch.at is None or self._switch.is_settled:
            return _LOOK_SECONDS
        self._doubtful_until = self._doubtful_until or monotonic() + _DOUBT_SECONDS
        return _PENDING_SECONDS

    async def _step(self) -> float:
        """Follow the switch; return the seconds until the next look."""
        if self._shared is None:
            commit, now = self.repository.published, monotonic()
            look = Look(Switch(current=commit, wanted=commit) if commit else self._switch, now)
        else:
            look = await self._shared.look(self._ready)
        self._switch, self._doubtful_until, self._leased_until = look.switch, 0.0, look.until
        switch = look.switch
        self._note_waiting(switch)
        if not switch.wanted or switch.wanted == self.commit:
            self._drop_preparation()
            return _LOOK_SECONDS if switch.wanted == switch.current else _PENDING_SECONDS
        if self._preparation is None:
            task = asyncio.create_task(self._prepare(switch.wanted))
            self._preparation = _Preparation(switch.wanted, task)
        await self._show_prepared(self._preparation, look)
        return _PENDING_SECONDS

    async def _show_prepared(self, preparation: _Preparation, look: Look) -> None:
        """Show what is prepared once it is ready and may be shown, or drop what nobody shows."""
        switch, commit = look.switch, preparation.commit
        preparation.is_public |= commit == switch.current
        if not preparation.task.done():
            return
        if (edition := preparation.edition) is None:
            self._preparation = None
            preparation.task.result()  # raises what it failed with
        elif preparation.is_public or (commit == switch.wanted and switch.is_settled):
            at = 0.0 if preparation.is_public else look.at
            self._store.show(edition, at)
            await asyncio.sleep(at - monotonic())
            await asyncio.to_thread(lambda: self._store.current)
            self._preparation = None
            self._published(commit)
            log.info("Commit %s is served", commit)
        elif commit != switch.wanted:
            self._drop_preparation()

    def _note_waiting(self, switch: Switch) -> None:
        for commit in filter(None, (switch.wanted, switch.next)):
            self._waiting.setdefault(commit, monotonic())
        if switch.newest == self.commit:
            self._waiting.clear()

    def _drop_preparation(self) -> None:
        if self._preparation is not None:
            self._preparation.task.cancel()
            self._preparation = None

    async def _prepare(self, commit: str) -> PreparedEdition | None:
        """Return the edition of a commit; None if it could not be prepared, or is the first one."""
        run = self._executor.run
        with self._errors_noted():
            await self.repository.obtain(commit)
            folder = self.repository.content(commit)
            self.repository.use(self.commit, commit)
            if self._store.loaded:
                return await run(partial(self._store.prepare, folder))
            await run(partial(self._store.start_at, folder))
            await run(self._store.reload)
            self._published(commit)
            return None
        await asyncio.sleep(_RETRY_SECONDS)
        return None

    def _published(self, commit: str) -> None:
        """Note that this process serves a commit: it stays on disk, and none before it waits."""
        if self._shared is not None and commit in (self._switch.current, self._switch.wanted):
            self.repository.publish(commit)
        self.repository.use(commit)
        while self._waiting and self._waiting.popitem(last=False)[0] != commit:
            pass


class EditionHeader(PipelineLayer):
    """ASGI middleware that names the commit of each response, and refuses reads of an older one.

    A proxy that does not ask whether this process is ready turns to another one by that.
    """

    def __init__(self, app: HTTPApp, quart: Quart) -> None:
        super().__init__(app, quart)
        services = services_of(quart)
        self._editions, self._store = services.part(Editions), services.content_store
        self._edition: Edition | None = None
        self._block = HeaderBlock([])

    def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass a request on."""
        editions = deque[Edition](maxlen=1)
        made_of.set(editions)
        context, first = current_request.get(), self._block_of()
        blocks = context.response_blocks
        blocks.append(first)
        is_content = context.route.is_read and context.route.policy.bucket is not HEALTH
        if is_content and self._editions.is_late:
            raise ContentUnavailable(
                "Other machines show newer content.", "Try again in a few seconds."
            )

        def add(message: SendEvent) -> Awaitable[None]:
            if message["type"] == "http.response.start" and editions:
                blocks[blocks.index(first)] = self._block_of(*editions)
            return send(message)

        return self._app(scope, receive, add)

    def _block_of(self, edition: Edition | None = None) -> HeaderBlock:
        """Return the header of an edition; a response that is made of none names the current."""
        edition = edition or (self._store.current if self._store.loaded else None)
        if edition is not self._edition:
            commit = self._editions.commit_of(edition) if edition else None
            self._block = HeaderBlock([(_HEADER, commit.encode())] if commit else [])
            self._edition = edition
        return self._block


def open_parts(services: Services) -> Iterable[object]:
    """Return the editions of an application, and the layer that names them."""
    settings, database = services.settings.of(EditionSettings), services.database
    shared = SwitchStore(database, settings.edition_wait_seconds)
    editions = Editions(
        Repository(settings),
        services.content_store,
        services.executors.edits,
        settings.content_git_seconds,
        shared if database.is_postgresql else None,
        services.startup,
    )
    services.content_store.origin = editions
    yield editions
    yield AddedLayer(EditionHeader, inside=Refusals)


def receivers(settings: EditionSettings) -> Iterator[Receiver]:
    """Yield the repository."""
    if settings.content_git:
        yield Receiver("CONTENT_GIT", settings.content_git, ask=Repository(settings).unreadable)


def advice(settings: EditionSettings) -> Iterator[Advice]:
    """Yield what keeps commits from being published."""
    if not settings.content_git:
        return
    if which("git") is None:
        yield Advice("CONTENT_GIT is set, but the program git is missing.", "Install git.")
    if refusal := Repository(settings).refusal:
        yield Advice(f"{refusal}.", "Correct it, and push again; `majlis check` finds the same.")

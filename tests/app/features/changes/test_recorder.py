"""The recorder: workers that share a database record each change of the content once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NoReturn

import pytest
import pytest_asyncio
from conftest import Content
from contract.visitor import FakeClock

from app.features.changes import recorder as recorder_module
from app.features.changes.log import ChangeLog, delete_due
from app.features.changes.model import Change, ChangeType
from app.features.changes.published import PublishedStates
from app.features.changes.recorder import ChangeRecorder
from app.platform.concurrency.executors import BoundedExecutor
from app.platform.database import StoreUnavailable
from app.platform.database.database import Database
from app.publishing.content.store import ContentStore

PUBLISHED, CHANGED, MOVED, GONE = ChangeType
START = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


def post(title: str = "A title", text: str = "Text.", **keys: str) -> str:
    """Return the file of a post with further front matter."""
    front = "".join(f"{key}: {value}\n" for key, value in keys.items())
    return f"---\ntitle: {title}\npublishedAt: 2026-01-01\n{front}---\n{text}\n"


class Site:
    """A folder without countries, its database, and workers that read both."""

    def __init__(self, content: Content, database: Database, folder: Path) -> None:
        self.clock = FakeClock(START)
        self.log = ChangeLog(database)
        self._content = content
        self._database = database
        self._folder = folder
        self._executor = BoundedExecutor("edits", 1, 9)
        self._read = 0

    def write(self, **files: str) -> Path:
        """Write posts by slug; `""` deletes one."""
        texts = {f"posts/{slug}.en.md": text for slug, text in files.items() if text}
        folder = self._content(texts, countries=False)
        for slug, text in files.items():
            if not text:
                (folder / f"posts/{slug}.en.md").unlink()
        return folder

    def worker(self) -> Worker:
        """Start a worker."""
        store = ContentStore(self.write(), self._folder / "index", self.clock)
        store.reload()
        return Worker(store, ChangeRecorder(self._database, store, self._executor, self.clock))

    async def news(self) -> list[Change]:
        """Return the changes recorded since the last call."""
        page = await self.log.after(self._read, 1_000)
        self._read = page.cursor
        return [item.change for item in page.items]

    async def told(self) -> set[tuple[str, str]]:
        """Return what the new changes tell of pages."""
        return {(each.change.value, each.path) for each in await self.news()}

    def close(self) -> None:
        """Stop the threads."""
        self._executor.close()


class Worker:
    """One process: its edition and its recorder."""

    def __init__(self, store: ContentStore, recorder: ChangeRecorder) -> None:
        self._store = store
        self._recorder = recorder

    async def sees(self) -> None:
        """Load the folder, and record what has changed."""
        self._store.reload()
        await self.records()

    async def runs(self, stop: asyncio.Event) -> None:
        """Load the folder, and run until it is stopped."""
        self._store.reload()
        await self._recorder.run(stop)

    async def records(self) -> None:
        """Record what has changed, until nothing is left to do."""
        for _ in range(3):
            await self._recorder.record()


@pytest.fixture
def database_server() -> None:
    """SQLite only; the store has its tests on both."""


@pytest_asyncio.fixture
async def site(content: Content, database: Database, tmp_path: Path) -> AsyncIterator[Site]:
    """A site with two posts, whose first worker has started."""
    made = Site(content, database, tmp_path)
    made.write(one=post("One"), two=post("Two", tags="[Stock]"))
    yield made
    made.close()


async def test_the_first_start_records_no_changes(site: Site) -> None:
    """It is what all later changes are compared with; so does a start without edits."""
    for _ in range(2):
        await site.worker().records()
        assert await site.news() == []


async def test_each_edit_is_told_once_by_several_workers(site: Site) -> None:
    """A page became published, changed, or is gone; what shows it in a list has not changed."""
    workers = [site.worker() for _ in range(3)]
    for worker in workers:
        await worker.records()
    site.write(one=post("One", "Other."), two="", three=post("Three"))
    site.clock.move(MINUTE)
    for worker in workers:
        await worker.sees()
    news = await site.news()
    assert {(each.change, each.path) for each in news} == {
        (CHANGED, "/en/blog/one"),
        (GONE, "/en/blog/two"),
        (PUBLISHED, "/en/blog/three"),
    }
    assert len(news) == 3
    assert {(each.kind, each.at) for each in news} == {("post", START + MINUTE)}


async def test_what_no_worker_got_to_record_is_told_at_the_next_start(site: Site) -> None:
    """The same holds for files that were replaced while the service was stopped."""
    await site.worker().records()
    site.write(one=post("One", "Other."), two="")
    site.worker()  # is killed before it records anything
    await site.worker().records()
    assert await site.told() == {("changed", "/en/blog/one"), ("gone", "/en/blog/two")}


async def test_a_worker_that_lags_behind_does_not_record_the_past(site: Site) -> None:
    """It finds edits recorded already, also several of one page, which it may have seen as one."""
    fast, slow = site.worker(), site.worker()
    for worker in (fast, slow):
        await worker.records()
    for text in ("Second.", "Third."):
        site.write(one=post("One", text))
        await fast.sees()
    assert await site.told() == {("changed", "/en/blog/one")}
    await slow.records()
    await slow.sees()
    site.write(one=post("One", "Fourth."))
    await slow.sees()
    await fast.sees()
    assert [each.change for each in await site.news()] == [CHANGED]


async def test_a_worker_that_sees_two_edits_as_one_records_the_rest(site: Site) -> None:
    """Another one recorded the first edit and died."""
    dying, living = site.worker(), site.worker()
    for worker in (dying, living):
        await worker.records()
    site.write(one=post("One", "Second."))
    await dying.sees()
    site.write(one=post("One", "Third."))
    await living.sees()
    assert [each.change for each in await site.news()] == [CHANGED, CHANGED]
    await site.worker().records()
    assert await site.news() == []


async def test_a_schedule_is_told_at_its_instants(site: Site) -> None:
    """Without an edit, by each worker, and after a stop during which the instants passed."""
    at, until = START + 10 * MINUTE, START + 20 * MINUTE
    later = post("Later").replace(
        "2026-01-01", f"{at:%Y-%m-%dT%H:%M:%SZ}\nunpublishAt: {until:%Y-%m-%dT%H:%M:%SZ}"
    )
    site.write(later=later)
    workers = [site.worker(), site.worker()]
    for worker in workers:
        await worker.records()
    assert await site.news() == []
    site.clock.now = at + MINUTE
    for worker in workers:
        await worker.records()
    assert [(each.change, each.path, each.at) for each in await site.news()] == [
        (PUBLISHED, "/en/blog/later", at)
    ]
    site.clock.now = until + 60 * MINUTE
    await site.worker().records()
    assert [(each.change, each.path, each.at) for each in await site.news()] == [
        (GONE, "/en/blog/later", until)
    ]


async def test_pages_of_terms_come_and_go_with_their_posts(site: Site) -> None:
    """A tag needs three posts to be listed."""
    worker = site.worker()
    await worker.records()
    site.write(a=post(tags="[Stock]"), b=post(tags="[Stock]"))
    await worker.sees()
    assert ("published", "/en/blog/tag/stock") in await site.told()
    site.write(a=post())
    await worker.sees()
    assert await site.told() == {("changed", "/en/blog/a"), ("gone", "/en/blog/tag/stock")}


async def test_a_renamed_page_with_its_old_address_has_moved(site: Site) -> None:
    """By front matter or `_redirects`; without either it is gone, and another is published."""
    worker = site.worker()
    await worker.records()
    site.write(one="", uno=post("One", aliases="[/blog/one]"))
    await worker.sees()
    [moved] = await site.news()
    assert (moved.change, moved.path, moved.moved_to) == (MOVED, "/en/blog/one", "/en/blog/uno")
    folder = site.write(two="", zwei=post("Two"))
    (folder / "_redirects").write_text("/blog/two /blog/zwei\n")
    await worker.sees()
    [moved] = await site.news()
    assert (moved.path, moved.moved_to) == ("/en/blog/two", "/en/blog/zwei")
    site.write(zwei="", dos=post("Two"))
    await worker.sees()
    assert await site.told() == {("gone", "/en/blog/zwei"), ("published", "/en/blog/dos")}


@pytest.mark.parametrize(
    "edit",
    [
        pytest.param(lambda site: site.write(one="---\ntitle: [\n---\n"), id="a broken file"),
        pytest.param(
            lambda site: (
                (site.write() / "site").mkdir()
                or (site.write() / "site/navigation.md").write_text("---\nmainNav: []\n---\n")
            ),
            id="a menu",
        ),
    ],
)
async def test_what_changes_no_page_is_not_told(site: Site, edit: Callable[[Site], object]) -> None:
    """A file that breaks keeps its last good version; a menu is not a page's own content."""
    worker = site.worker()
    await worker.records()
    edit(site)
    await worker.sees()
    assert await site.news() == []


async def test_a_deletion_that_is_held_back_is_not_told(site: Site) -> None:
    """The pages are still published."""
    site.write(**{f"post-{number}": post() for number in range(30)})
    worker = site.worker()
    await worker.records()
    site.write(**{f"post-{number}": "" for number in range(30)})
    await worker.sees()
    assert await site.news() == []


async def test_a_site_that_opens_a_country_tells_its_pages(
    content: Content, database: Database, tmp_path: Path
) -> None:
    """The other pages stay as they are."""
    folder = content({"pages/a.en.md": "A.", "countries/sa.md": "---\nenabled: false\n---\n"})
    store = ContentStore(folder, tmp_path / "index")
    store.reload()
    executor = BoundedExecutor("edits", 1, 9)
    recorder = ChangeRecorder(database, store, executor, FakeClock(START))
    await recorder.record()
    content({"countries/sa.md": "---\ntitle: {en: x, ar: س}\n---\n"})
    store.reload()
    await recorder.record()
    page = await ChangeLog(database).after(0, 99)
    told = {(item.change.change, item.change.path) for item in page.items}
    assert told == {(PUBLISHED, "/sa/en"), (PUBLISHED, "/sa/ar"), (PUBLISHED, "/sa/en/a")}
    executor.close()


async def test_workers_that_record_at_the_same_time_record_each_change_once(site: Site) -> None:
    """Whoever is late reads what has been recorded, and adds what is missing."""
    workers = [site.worker() for _ in range(3)]
    await asyncio.gather(*(worker.records() for worker in workers))
    for number in range(4):
        site.write(**{f"new-{number}": post(f"{number}")})
        await asyncio.gather(*(worker.sees() for worker in workers))
    news = await site.news()
    assert [each.path for each in news] == [f"/en/blog/new-{number}" for number in range(4)]


async def test_many_changes_are_recorded_in_parts(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker that dies between two parts leaves the rest to the next start."""
    monkeypatch.setattr(recorder_module, "_MAX_CHANGES", 3)
    worker = site.worker()
    await worker.records()
    site.write(**{f"new-{number}": post(f"{number}") for number in range(8)})
    with monkeypatch.context() as dying:
        dying.setattr(PublishedStates, "record", dies_after(1, PublishedStates.record))
        with pytest.raises(ConnectionError):
            await worker.sees()
    assert len(await site.news()) == 3
    await site.worker().records()
    assert len(await site.news()) == 5


def dies_after(parts: int, record: Callable[..., Awaitable[object]]) -> Callable[..., object]:
    """Return a method that records some parts, and then loses the connection."""
    left = [None] * parts

    async def recording(*arguments: object) -> object:
        if not left:
            raise ConnectionError
        left.pop()
        return await record(*arguments)

    return recording


async def test_changes_wait_for_a_database_that_is_away(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was edited meanwhile is told when it is back."""
    worker = site.worker()
    await worker.records()
    site.write(one=post("One", "Other."))
    stop = asyncio.Event()
    with monkeypatch.context() as away:
        away.setattr(Database, "writing", unavailable)
        away.setattr(recorder_module, "wait_or_stop", stopping(stop, 3))
        await worker.runs(stop)
    assert await site.news() == []
    await worker.records()
    assert await site.told() == {("changed", "/en/blog/one")}


def unavailable(_: Database) -> NoReturn:
    """Fail like a database that is away."""
    raise StoreUnavailable


def stopping(stop: asyncio.Event, waits: int) -> Callable[..., Awaitable[None]]:
    """Return a wait that takes no time, and ends the service after some waits."""
    left = [None] * waits

    async def wait(*_: object) -> None:
        if left:
            left.pop()
        else:
            stop.set()

    return wait


async def test_changes_are_deleted_after_some_days(site: Site) -> None:
    """Younger ones are kept; followers of the others are told by the head of the log."""
    worker = site.worker()
    await worker.records()
    for slug in ("a", "b"):
        site.write(**{slug: post(slug)})
        await worker.sees()
        site.clock.move(50 * DAY)
    assert await delete_due(90, site.log, site.clock) == 1
    assert [each.path for each in await site.news()] == ["/en/blog/b"]
    assert (await site.log.head()).purged == 1

"""Purges: what the receiver of a CDN gets after edits, with a real receiver."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Self

import pytest
from contract.visitor import BASE_URL, FakeClock
from gulf import write_site
from standardwebhooks import Webhook
from storefront.clocks import FakeDatabaseClock
from storefront.receiver import Receiver, Responder, answers
from storefront.shop import SECRET

from app.features.changes.cdn import (
    COLLECTS,
    PURGE_DELAYS,
    Editions,
    Purger,
    PurgeSender,
    purge_tags,
)
from app.platform.clock import utc_now
from app.platform.concurrency.executors import BoundedExecutor
from app.platform.database.database import Database
from app.platform.deliveries.delivery import DeliveryKind, DeliveryStatus
from app.platform.deliveries.dispatcher import Dispatcher
from app.platform.deliveries.outbox import Outbox
from app.publishing.content.store import ContentStore
from knowledge.edits import Key
from knowledge.fields import content_types
from knowledge.views.content_view import SharedResultKey, shared_keys
from knowledge.views.edit_effects import Touched

PAGE = "---\ntitle: A page\n---\nText.\n"


class Site:
    """A content folder, the purger of its edits, and the receiver of a CDN."""

    def __init__(self, database: Database, folder: Path, *script: Responder) -> None:
        self.clock = FakeClock(utc_now())  # a signature must be young
        self.receiver = Receiver(*script)
        self.outbox = Outbox(database, FakeDatabaseClock(self.clock))
        self.root = write_site(folder, {"pages/one.md": PAGE, "pages/two.md": PAGE})
        self.store = ContentStore(self.root, clock=self.clock)
        self.executor = BoundedExecutor("edits", 1, 1)
        editions = Editions(self.store, self.executor, BASE_URL)
        self.purger = Purger(database, self.outbox, editions, self.clock, "cdn.example")
        sender = PurgeSender(self.receiver.url, SECRET)
        self.dispatcher = Dispatcher(
            self.outbox, DeliveryKind("cdn"), sender, self.clock, lambda: 0.5, delays=PURGE_DELAYS
        )

    async def __aenter__(self) -> Self:
        await self.receiver.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.executor.close()
        await self.dispatcher.aclose()
        await self.receiver.__aexit__()

    def write(self, path: str, text: str = PAGE) -> None:
        """Write a file, and load it."""
        (self.root / path).write_text(text, encoding="utf-8")
        self.store.reload({path})

    async def purge(self) -> bool:
        """Look for edits, and again when they have been collected; return whether any is purged."""
        assert not await self.purger.purge()
        self.clock.move(COLLECTS)
        return await self.purger.purge()

    async def told(self) -> list[str]:
        """Return the tags that the receiver is told next."""
        assert await self.purge()
        assert await self.dispatcher.deliver_due() == 1
        return self.last_tags

    @property
    def last_tags(self) -> list[str]:
        """The tags of the last request."""
        body: dict[str, dict[str, list[str]]] = json.loads(self.receiver.received[-1].body)
        return body["data"]["tags"]


@pytest.fixture
async def site(database: Database, tmp_path: Path) -> AsyncIterator[Site]:
    """A site whose first purge is delivered."""
    async with Site(database, tmp_path / "content") as made:
        made.store.reload()
        assert await made.told() == ["all"]
        yield made


async def test_nothing_is_purged_before_the_content_is_loaded(
    database: Database, tmp_path: Path
) -> None:
    """Then everything, as nobody knows what was sent before."""
    async with Site(database, tmp_path / "content") as site:
        assert not await site.purge()
        site.store.reload()
        assert await site.told() == ["all"]


async def test_an_edit_purges_what_it_touched_once(site: Site) -> None:
    """As tags in the body and in a header, signed."""
    before = site.store.current.edits.number
    site.write("pages/one.md", PAGE + "More.\n")
    touched = site.store.current.edits.since(before)
    assert touched is not None
    assert await site.told() == purge_tags(touched)
    request = site.receiver.received[-1]
    assert request.headers["cache-tag"] == ",".join(site.last_tags)
    event = Webhook(SECRET).verify(request.body, request.headers)
    assert event["type"] == "cdn.purge"
    assert not await site.purge()


async def test_edits_are_collected_until_each_process_has_loaded_them(site: Site) -> None:
    """The CDN would otherwise get the old page again."""
    site.write("pages/one.md", PAGE + "More.\n")
    assert not await site.purger.purge()
    site.clock.move(COLLECTS / 2)
    site.write("pages/two.md", PAGE + "More.\n")
    assert not await site.purger.purge()
    site.clock.move(COLLECTS / 2)
    assert await site.purger.purge()
    assert not await site.purge()


async def test_edits_wait_while_the_receiver_is_down(database: Database, tmp_path: Path) -> None:
    """They become one purge, which names the tags of all."""
    script = (answers(200), answers(503), answers(200))
    async with Site(database, tmp_path / "content", *script) as site:
        site.store.reload()
        assert await site.told() == ["all"]
        for path in ("pages/one.md", "pages/two.md", "pages/three.md"):
            before = site.store.current.edits.number
            site.write(path, PAGE + "More.\n")
            await site.purge()
            await site.dispatcher.deliver_due()
        newest = (await site.outbox.newest(1))[0]
        assert newest.status is DeliveryStatus.PENDING
        site.clock.move(timedelta(minutes=1))
        assert await site.dispatcher.deliver_due() == 1
        last = site.store.current.edits.since(before)
        assert last is not None
        assert await site.purger.purge()
        await site.dispatcher.deliver_due()
        assert {*purge_tags(last)} < {*site.last_tags}


LATER = "---\ntitle: Later\npublishedAt: {:%Y-%m-%d}\n---\nText.\n"


async def test_a_scheduled_change_purges_what_shows_it(site: Site) -> None:
    """No edit tells of it."""
    site.write("pages/later.md", LATER.format(site.clock.now + timedelta(days=2)))
    await site.told()
    site.clock.move(timedelta(days=3))
    told = await site.told()
    shown, other, menu = map(
        _tag, ((content_types.PAGE, "later"), (content_types.PAGE, "one"), _menu(site))
    )
    assert {shown, menu} <= {*told}
    assert other not in told
    assert not await site.purge()


async def test_a_scheduled_change_and_an_edit_purge_everything(site: Site) -> None:
    """What the one touches after the other is not known."""
    site.write("pages/later.md", LATER.format(site.clock.now + timedelta(days=2)))
    await site.told()
    site.clock.move(timedelta(days=3))
    site.write("pages/one.md", PAGE + "More.\n")
    assert await site.told() == ["all"]


async def test_more_edits_than_are_remembered_purge_everything(site: Site) -> None:
    """As while the receiver was down for long."""
    for number in range(site.store.current.edits.MAX_RECENT + 1):
        site.write("pages/one.md", f"{PAGE}{number}\n")
    assert await site.told() == ["all"]


async def test_what_pages_share_is_purged_though_no_page_was_asked_for_here(site: Site) -> None:
    """Another process has sent the pages. An edit that leaves the menu as it is keeps them."""
    menu = _tag(_menu(site))
    site.write("pages/one.md", PAGE + "More.\n")
    assert menu not in await site.told()
    site.write("pages/three.md", PAGE)
    assert menu in await site.told()


def _tag(key: Key) -> str:
    """Return the tag of what is made from a key."""
    return purge_tags(Touched(frozenset({key})))[0]


def _menu(site: Site) -> SharedResultKey:
    """Return the key of the menu of a locale, which lists the pages of the small site."""
    keys = shared_keys(site.store.current.snapshot, BASE_URL)
    return next(key for key in keys if key.function.__name__ == "default_menu")

"""IndexNow: the key file, and what search engines get and answer, with a real receiver."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Self

import pytest
from cases import cases
from contract.visitor import BASE_URL, FakeClock, Visitor
from storefront.clocks import FakeDatabaseClock
from storefront.page_changes import changed, record
from storefront.receiver import Receiver, Responder, answers

from app.features.changes.cdn import Editions
from app.features.changes.feed import ChangeList
from app.features.changes.followers import ChangeNotifier
from app.features.changes.indexnow import COLLECTS, IndexNowSender, search_engines
from app.features.changes.model import ChangePage, ChangeType
from app.features.changes.service import open_followers
from app.features.changes.settings import INDEXNOW_URL, ChangeSettings
from app.platform.concurrency.executors import BoundedExecutor
from app.platform.database.database import Database
from app.platform.deliveries.delivery import Delivery, DeliveryKind, DeliveryStatus
from app.platform.deliveries.dispatcher import Dispatcher
from app.platform.deliveries.outbox import Outbox
from app.publishing.content.store import ContentStore
from app.tables import all_tables

KEY = "0123456789abcdef-Majlis"
WARNING = "search engines cannot reach this site"


class Engines:
    """Search engines that answer by a script, and the notifier that tells them of changes."""

    def __init__(self, database: Database, *script: Responder) -> None:
        self.clock = FakeClock()
        self.database = database
        self.receiver = Receiver(*script)
        self.outbox = Outbox(database, FakeDatabaseClock(self.clock))
        follower = search_engines(BASE_URL, KEY, self.receiver.url)
        self.notifier = ChangeNotifier(database, self.outbox, [follower], self.clock)
        self.dispatcher = Dispatcher(
            self.outbox,
            DeliveryKind("indexnow"),
            IndexNowSender(self.receiver.url),
            self.clock,
            lambda: 0.5,
        )

    async def __aenter__(self) -> Self:
        await self.receiver.__aenter__()
        await self.notifier.notify()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.dispatcher.aclose()
        await self.receiver.__aexit__()

    async def told(self) -> Delivery:
        """Tell of what is recorded, and return the delivery after its attempt."""
        opened = await self.notifier.notify()
        self.clock.move(COLLECTS)
        assert opened + await self.notifier.notify() == 1
        assert await self.dispatcher.deliver_due() == 1
        return (await self.outbox.newest(1))[0]


async def test_search_engines_get_absolute_urls_of_all_changes_in_one_request(
    database: Database,
) -> None:
    """Each page once, and of a moved page both addresses; percent-encoded, as in the sitemap."""
    async with Engines(database) as engines:
        await record(
            database, changed("new", ChangeType.PUBLISHED), changed("gone", ChangeType.GONE)
        )
        await record(database, changed("new"), changed("old", ChangeType.MOVED, "/ae/en/جرد"))
        delivery = await engines.told()
    (request,) = engines.receiver.received
    assert json.loads(request.body) == {
        "host": "www.wahat.example",
        "key": KEY,
        "keyLocation": f"{BASE_URL}/{KEY}.txt",
        "urlList": [
            f"{BASE_URL}/ae/en/{slug}" for slug in ("new", "gone", "old", "%D8%AC%D8%B1%D8%AF")
        ],
    }
    assert request.headers["content-type"] == "application/json; charset=utf-8"
    assert "webhook-id" not in request.headers
    assert delivery.status is DeliveryStatus.DELIVERED


@pytest.mark.parametrize(
    ("status", "remedy"),
    [
        pytest.param(400, "check INDEXNOW_URL", id="400"),
        pytest.param(403, "the key file is reachable", id="403"),
        pytest.param(422, "BASE_URL is the public address", id="422"),
    ],
)
async def test_a_refusal_is_final_and_its_log_line_says_what_to_do(
    database: Database, status: int, remedy: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Further changes are sent nevertheless, and what was refused can be sent again."""
    async with Engines(database, answers(status), answers(200)) as engines:
        await record(database, changed("a"))
        refused = await engines.told()
        assert (refused.status, refused.next_attempt_at) == (DeliveryStatus.FAILED, None)
        assert f"IndexNow answered {status}" in caplog.text
        assert remedy in caplog.text
        await record(database, changed("b"))
        assert (await engines.told()).status is DeliveryStatus.DELIVERED
        await engines.outbox.replay(refused.id)
        assert await engines.dispatcher.deliver_due() == 1
    assert engines.receiver.received[0].body == engines.receiver.received[2].body


@pytest.mark.parametrize(
    ("answer", "wait"),
    [
        pytest.param(answers(429, "Retry-After: 600"), timedelta(minutes=10), id="429"),
        pytest.param(answers(500), timedelta(seconds=5), id="500"),
    ],
)
async def test_other_answers_are_retried_and_further_changes_wait(
    database: Database, answer: Responder, wait: timedelta
) -> None:
    """Retry-After is honoured; what changed meanwhile becomes one request after that."""
    async with Engines(database, answer, answers(202)) as engines:
        await record(database, changed("a"))
        delivery = await engines.told()
        assert delivery.next_attempt_at == engines.clock.now + wait
        for slug in "bcd":
            await record(database, changed(slug))
            assert await engines.notifier.notify() == await engines.dispatcher.deliver_due() == 0
        engines.clock.move(wait)
        assert await engines.dispatcher.deliver_due() == 1
        await engines.told()
    sent = [json.loads(request.body)["urlList"] for request in engines.receiver.received]
    assert [len(urls) for urls in sent] == [1, 1, 3]


def test_only_the_key_file_is_served(
    visit: Callable[..., Visitor], sample: Visitor, caplog: pytest.LogCaptureFixture
) -> None:
    """As plain text, also where nothing is sent; without a key there is no such route."""
    visitor = visit({"site/home.md": ""}, indexnow_key=KEY, base_url="http://localhost:8000")
    reply = visitor.get(f"/{KEY}.txt")
    assert (reply.status, reply.text) == (200, KEY)
    assert reply.headers["Content-Type"] == "text/plain; charset=utf-8"
    for path in (f"/{KEY}", f"/{KEY}.md", f"/{KEY.lower()}.txt", "/0123456789.txt"):
        assert visitor.get(path).status == 404
    assert caplog.text.count(WARNING) == 1
    assert sample.get(f"/{KEY}.txt").status == 404
    rules, without = (
        {str(rule) for rule in each.quart.url_map.iter_rules()} for each in (visitor, sample)
    )
    assert rules - without == {f"/{KEY}.txt"}
    assert followers_of(sample.quart.extensions["majlis"].settings) == ([], ())


async def nothing(page: ChangePage) -> ChangeList:
    """Return no changes."""
    return ChangeList(items=[], cursor=f"0a1b2c3d-{page.cursor}", more=False)


def followers_of(settings: ChangeSettings) -> tuple[list[str], tuple[str, ...]]:
    """Return the background tasks and the warnings of a service with these settings."""
    database, executor = (
        Database("sqlite:///unused.db", tables=all_tables),
        BoundedExecutor("edits", 1, 1),
    )
    editions = Editions(ContentStore(settings.content_dir), executor, BASE_URL)
    service = open_followers(settings, database, FakeClock(), nothing, editions)
    return [name for name, _ in service.tasks()], service.warnings


@cases(
    ("base_url", "url", "sends"),
    [
        pytest.param("https://www.example.com", INDEXNOW_URL, True, id="public"),
        pytest.param("", INDEXNOW_URL, False, id="unset"),
        pytest.param("http://localhost:8000", INDEXNOW_URL, False, id="local"),
        pytest.param("http://127.0.0.2", INDEXNOW_URL, False, id="loopback"),
        pytest.param("", "http://127.0.0.1:9/x", True, id="another service"),
    ],
)
async def test_nothing_is_sent_of_a_site_that_search_engines_cannot_reach(
    base_url: str, url: str, sends: bool
) -> None:
    """A warning at the start says so. Another INDEXNOW_URL may be within reach."""
    settings = ChangeSettings(_env_file=None, indexnow_key=KEY, base_url=base_url, indexnow_url=url)
    tasks, warnings = followers_of(settings)
    assert tasks == (["notify", "deliver_indexnow"] if sends else [])
    assert [WARNING in warning for warning in warnings] == ([] if sends else [True])

"""The CDN: the tags of responses, and the purger, which names those that an edit may have changed.

A response has readable tags, by which operators may purge: its page, the kind of its documents,
and its locale. It has `all` too, and a short digest of each key that it was made from; an edit
purges the digests of its keys. What was made from too much for so many tags, or from all content,
has the tag `edition`, which each edit purges. `CDN-Cache-Control` is that of RFC 9213.

The purger runs in one process of each machine, as each loads an edit at its own time; machines that
switch together tell of it once. A process that begins purges everything, as it does not know what
was sent before it. What pages share, such as a footer, is made in advance: other processes may have
sent pages with results that nobody has asked this one for.
"""

import asyncio
import json
import logging
from base64 import b32encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import lru_cache, partial
from hashlib import blake2b
from itertools import repeat
from urllib.parse import quote

from quart import Quart, Response, request

from app.features.changes.settings import CDN
from app.platform.asgi.caching import Caching, is_storable
from app.platform.clock import Clock
from app.platform.concurrency.background import wait_or_stop
from app.platform.concurrency.executors import BoundedExecutor, Overloaded
from app.platform.database import StoreUnavailable
from app.platform.database.database import Database
from app.platform.deliveries.delivery import Delivery, DeliveryKind, Message
from app.platform.deliveries.http_client import WebhookSender
from app.platform.deliveries.outbox import Outbox
from app.publishing.content.store import ContentStore, Edition
from app.services import services
from app.web.http.request_context import current_request
from knowledge.addresses.addresses import address_at, split_locale
from knowledge.edits import EDITION, Key, reads_so_far
from knowledge.fields.content_types import ContentType
from knowledge.fields.page_type import PageTypes
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import SharedResultKey, shared_keys
from knowledge.views.edit_effects import EVERYTHING, Touched, touched_between
from renderers.representation import split_suffix

log = logging.getLogger(__name__)

PURGE_DELAYS = (timedelta(seconds=5), *repeat(timedelta(minutes=1), 24 * 60))
"""A purge that is not delivered is tried again each minute, for a day: readers see old pages."""


class Editions:
    """The editions of a store, with all that their pages share at `base_url`."""

    def __init__(self, store: ContentStore, executor: BoundedExecutor, base_url: str) -> None:
        self.store = store
        self._executor = executor
        self._base_url = base_url
        self._prepared: tuple[Snapshot, datetime | None] | None = None

    async def prepare_shared_results(self, now: datetime) -> None:
        """Make the shared results of the current edition, unless that is done."""
        snapshot = self.store.current.snapshot
        current = (snapshot, snapshot.next_change_at(now))
        if self._prepared != current:
            await self._executor.run(
                partial(_prepare_shared_results, snapshot, now, self._base_url)
            )
            self._prepared = current


def _prepare_shared_results(snapshot: Snapshot, now: datetime, base_url: str) -> None:
    for key in shared_keys(snapshot, base_url):
        try:
            key.value(snapshot, now)
        except Exception:  # whoever asks for a page with it gets the error
            log.debug("A result that pages share cannot be made", exc_info=True)


def touched_since(edition: Edition, edit: int, at: datetime, now: datetime) -> Touched | None:
    """Return what edits after one, and the schedule after an instant, touched; None if nothing."""
    touched = edition.edits.since(edit)
    change = edition.snapshot.next_change_at(at)
    if change is None or change > now:
        return touched
    return EVERYTHING if touched else touched_between(edition.snapshot, at, now)


_CHECK_SECONDS = 0.5
COLLECTS = timedelta(seconds=2)
"""How long edits are collected; by then each process has loaded them, and the CDN cannot get the
page of before again."""

_RETENTION = timedelta(days=7)
_MOST_DELETED = 10
"""Old deliveries that are deleted with each new one."""
SUBJECT = "cdn"

CDN_PURGE = DeliveryKind("cdn")


class Purger:
    """Puts a purge into the outbox after each edit; `receiver` is the name that operators see."""

    def __init__(
        self, database: Database, outbox: Outbox, editions: Editions, clock: Clock, receiver: str
    ) -> None:
        self._database = database
        self._outbox = outbox
        self._editions = editions
        self._clock = clock
        self._receiver = receiver
        self._purged: int | None = None
        """The number of the last edit that was purged; None before the first purge."""
        self._purged_at = clock()
        self._due_since: datetime | None = None

    async def run(self, stop: asyncio.Event) -> None:
        """Purge after each edit until `stop` is set."""
        while not stop.is_set():
            with suppress(StoreUnavailable, Overloaded):  # the first is logged where it arises
                await self.purge()
            await wait_or_stop(stop, _CHECK_SECONDS)

    async def purge(self) -> bool:
        """Put a purge into the outbox if it is due, and none is pending; return whether it was."""
        if not self._editions.store.loaded:
            return False
        await self._editions.prepare_shared_results(self._clock())
        now, edition = self._clock(), self._editions.store.current
        touched: Touched | None = EVERYTHING
        if self._purged is not None:
            touched = touched_since(edition, self._purged, self._purged_at, now)
        if touched is None:
            return False
        self._due_since = self._due_since or now
        if now - self._due_since < COLLECTS:
            return False
        if await self._outbox.is_pending(CDN_PURGE, SUBJECT):
            return False
        async with self._database.writing() as connection:
            is_own: bool | None = True
            if self._purged is not None:
                origin = self._editions.store.origin
                is_own = await origin.claims_purge(connection, edition, now)
            if is_own is None:
                return False
            if is_own:
                await self._outbox.add(connection, self._message(purge_tags(touched), now))
            subject = (CDN_PURGE, SUBJECT)
            await self._outbox.purge(connection, *subject, _RETENTION, _MOST_DELETED)
        self._purged, self._purged_at, self._due_since = edition.edits.number, now, None
        return True

    def _message(self, tags: Sequence[str], now: datetime) -> Message:
        event = {"type": "cdn.purge", "timestamp": now.isoformat(), "data": {"tags": tags}}
        return Message(
            kind=CDN_PURGE,
            subject_id=SUBJECT,
            subject=self._receiver,
            body=json.dumps(event).encode(),
            ordered=True,
        )


POLICY_HEADER = "CDN-Cache-Control"
TAGS_HEADER = "Cache-Tag"


class PurgeSender(WebhookSender):
    """Posts to one URL, with the tags in a header too, which caches read more easily."""

    def headers_of(self, delivery: Delivery) -> Mapping[str, str]:
        """Return the tags of a purge, separated by commas."""
        return {TAGS_HEADER: ",".join(json.loads(delivery.body)["data"]["tags"])}


ALL = "all"
"""The tag of every response."""
_DIGEST_BYTES = 3
"""Two keys with the same digest purge each other's responses, which is rare and harmless."""
_MOST_TAGS = 200
"""Of keys; more make `edition`, so that the headers of a response stay short."""
_MOST_PURGED = 200
"""Tags of a purge; more make `all`."""
_LONGEST_PATH = 256


def response_tags(path: str, reads: Iterable[Key] | None, pages: PageTypes) -> list[str]:
    """Return the tags of the response at a path; `reads` is None if they are not known."""
    tags = {EDITION} if reads is None else set(map(_of_key, reads))
    is_wide = EDITION in tags or len(tags) > _MOST_TAGS
    return [ALL, *_readable(path, pages), *([EDITION] if is_wide else sorted(tags))]


def purge_tags(touched: Touched) -> list[str]:
    """Return the tags whose responses an edit may have changed."""
    tags = sorted(set(map(_of_key, touched.keys)))
    return [ALL] if touched.everything or len(tags) > _MOST_PURGED else tags


def _readable(path: str, pages: PageTypes) -> Iterator[str]:
    """Yield the tags of a page, the same for all its forms.

    >>> from knowledge.fields.page_type import PAGE_TYPES
    >>> list(_readable("/sa/en/blog/x.md", PAGE_TYPES))
    ['page:/sa/en/blog/x', 'kind:post', 'locale:en-SA']
    >>> list(_readable("/llms.txt", PAGE_TYPES))
    ['page:/llms%2Etxt']
    """
    path, _ = split_suffix(path)
    escaped = quote(path, safe="/").replace(".", "%2E").replace("~", "%7E")
    if len(escaped) <= _LONGEST_PATH:
        yield f"page:{escaped}"
    locale, rest = split_locale(path)
    address = address_at(rest, pages) if locale else None
    if address is not None:
        yield from (f"kind:{kind.singular}" for kind in address.page.content_types)
    if locale is not None:
        yield f"locale:{locale.tag}"


@lru_cache(maxsize=65_536)
def _of_key(key: Key) -> str:
    """Return the tag of a key, the same in all processes."""
    if key == EDITION:
        return EDITION
    digest = blake2b(_name(key).encode(), digest_size=_DIGEST_BYTES).digest()
    return b32encode(digest).decode().rstrip("=").lower()  # CDNs ignore case


def _name(key: Key) -> str:
    """Return the text of a key, without what differs between processes.

    >>> from knowledge.fields.content_types import POST
    >>> _name((POST, "stock"))
    'post stock'
    """
    if isinstance(key, tuple):
        return " ".join(map(_name, key))
    if isinstance(key, ContentType):
        return key.singular
    if isinstance(key, SharedResultKey):
        return f"{key.function.__module__}.{key.function.__qualname__} {key.locale.path}"
    return str(key)


_HEAD_BYTES = 2_600
"""Of the 4 KiB that proxies read of a response head. The layers around the application add to it:
encoding, entity tag, rate limits, request ID."""


def add_cache_tags(app: Quart, cdn: CDN) -> None:
    """Add the headers to all responses once their Cache-Control is final; nothing without a CDN."""
    if cdn == "off":
        return

    async def add_headers(response: Response) -> Response:
        policy = _policy(cdn, request.path, response)
        response.headers[POLICY_HEADER] = policy
        if policy != Caching.NEVER:
            pages = services().content_store.page_types
            tags = ",".join(response_tags(request.path, reads_so_far(), pages))
            head = sum(len(f"{name}: {value}\r\n") for name, value in response.headers.items())
            is_short = len(tags) + head <= _HEAD_BYTES
            response.headers[TAGS_HEADER] = tags if is_short else f"{ALL},{EDITION}"
        return response

    app.after_request(add_headers)


def _policy(cdn: CDN, path: str, response: Response) -> str:
    """Return what a CDN may do with a response; it keeps none of the API, which counts requests."""
    policy = response.headers.get("Cache-Control", Caching.NEVER)
    if path.startswith("/api/"):
        return Caching.NEVER
    if cdn == "vary" and policy == Caching.NEGOTIATED:
        return Caching.PUBLIC
    is_kept = policy != Caching.SUGGESTING and is_storable(policy.encode())
    has_one_form = response.status_code == 200 and not current_request.get().negotiates
    if is_kept and (cdn == "vary" or has_one_form):
        return policy
    return Caching.NEVER

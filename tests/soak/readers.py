"""Readers: clients that request content, in every media type and encoding."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import quote, urlsplit
from xml.etree import ElementTree as ET

from contract.schemas import ENDPOINTS, legacy_example
from soak.caller import Answer
from soak.stamps import GROUP_SIZE
from soak.world import EDITED, World

API = "/api/public/v1"
_FORMS = {
    "html": ("text/html,application/xhtml+xml,*/*;q=0.8", "text/html"),
    "markdown": ("text/markdown, text/html, */*", "text/markdown"),
    "json": ("application/json, text/plain, */*", "application/json"),
}
_CODINGS = ("gzip, deflate, br", "gzip, zstd", "gzip", "br;q=1.0, *;q=0.1", "identity", "")
_LOCALES = tuple(
    f"/{c}/{lang}" for c in ("ae", "sa", "qa", "om", "kw", "bh") for lang in ("en", "ar")
)
_WORDS = ("harbour", "ERP", "invoice", "فاتورة", "نقاط البيع", "vat e-invoicing", "stok", "*", "🦀")
_LOCATION = re.compile(r"<loc>([^<]+)</loc>")


@dataclass(frozen=True, slots=True)
class Target:
    """Something to read: its kind, path and media type."""

    kind: str
    path: str
    accept: str
    media_type: str
    expected: tuple[int, ...] = (200, 304)


def targets(world: World) -> list[Target]:
    """Return everything to read; edited content as often as all the rest."""
    with_forms = [each for path in _pages(world) for each in _in_all_forms(path)]
    edited = [each for name in EDITED for each in _edited(name)]
    maps = [*_maps(), *_lists()]
    times = max(1, len(with_forms) // (len(edited) + len(maps)))
    return [*with_forms, *_api(), *(edited + maps) * times]


def _pages(world: World) -> list[str]:
    sitemap = world.server.client_get("/sitemap.xml").text
    return sorted({urlsplit(url).path for url in _LOCATION.findall(sitemap)})


def _in_all_forms(path: str) -> Iterator[Target]:
    expected = _expected(path)
    for kind, (accept, media_type) in _FORMS.items():
        yield Target(kind, path, accept, media_type, expected)
    if path.count("/") > 2:
        yield Target("markdown", f"{path}.md", "*/*", "text/markdown", expected)


def _edited(name: str) -> Iterator[Target]:
    yield from _in_all_forms(f"/sa/en/soak-{name}")
    path = f"{API}/pages/soak-{name}"
    yield Target("api", path, "*/*", "application/json", _expected(path))


def _expected(path: str) -> tuple[int, ...]:
    """Return the expected statuses: a worker that starts while a page is broken returns 404."""
    return (200, 304, 404) if path.endswith("/soak-gamma") else (200, 304)


def _api() -> Iterator[Target]:
    for row in ENDPOINTS:
        for path in (row.example, *(legacy_example(row, alias) for alias in row.legacy)):
            yield Target("health" if "health" in path else "api", path, "*/*", "application/json")
            yield Target("api in markdown", path, "text/markdown", "text/markdown")


def _lists() -> Iterator[Target]:
    """Yield the responses that contain all posts of the group."""
    yield Target("api", f"{API}/blog/posts?pageSize=24&lang=en", "*/*", "application/json")
    yield Target("api", f"{API}/blog/homepage?lang=en", "*/*", "application/json")
    for number in range(GROUP_SIZE):
        yield from _in_all_forms(f"/qa/en/blog/soak-group-{number}")
    yield from _in_all_forms("/ae/en/blog")
    yield from _in_all_forms("/ae/en")


def _maps() -> Iterator[Target]:
    for locale in _LOCALES:
        yield Target("feed", f"{locale}/blog/feed.xml", "*/*", "application/atom+xml")
        yield Target("llms.txt", f"{locale}/llms.txt", "*/*", "text/markdown")
    yield Target("llms.txt", "/llms.txt", "*/*", "text/markdown")
    yield Target("llms.txt", "/llms-full.txt", "*/*", "text/markdown")
    yield Target("sitemap", "/sitemap.xml", "*/*", "application/xml")
    yield Target("robots.txt", "/robots.txt", "*/*", "text/plain")


class Reader:
    """Reads targets on a keep-alive connection."""

    def __init__(self, world: World, name: str) -> None:
        self._chance = world.chance(name)
        self._caller = world.caller()
        self._ledger = world.ledger
        self._targets = targets(world)
        self._known: dict[tuple[Target, str], tuple[str, bytes]] = {}

    def act(self) -> None:
        """Read a target, sometimes with If-None-Match, with HEAD, or with a new query."""
        target, coding = self._chance.choice(self._targets), self._chance.choice(_CODINGS)
        headers = {"Accept": target.accept, "Accept-Encoding": coding}
        luck = self._chance.random()
        known_etag = self._known.get((target, coding))
        if known_etag and luck < 0.3:
            headers["If-None-Match"] = known_etag[0]
        path = _with_noise(target.path, self._chance) if luck > 0.9 else target.path
        method = "HEAD" if 0.85 < luck < 0.9 else "GET"
        answer = self._caller.ask(
            target.kind, path, headers, method=method, expected=target.expected
        )
        if answer and answer.status == 200 and method == "GET":
            self._judge(target, answer)
            if path == target.path:
                self._judge_etag(target, coding, answer)
        if self._chance.random() < 0.02:
            self._caller.close()

    def _judge(self, target: Target, answer: Answer) -> None:
        """Check that the response has the requested media type and can be parsed."""
        media_type = answer.headers.get("Content-Type", "").partition(";")[0]
        if media_type != target.media_type:
            self._ledger.broke("the media type is the requested one", f"{target} as {media_type}")
        try:
            if media_type == "application/json":
                json.loads(answer.body)
            elif media_type in ("application/xml", "application/atom+xml"):
                ET.fromstring(answer.body)  # noqa: S314  # from our server
        except (ValueError, ET.ParseError) as error:
            self._ledger.broke("every response can be parsed", f"{target}: {error}")

    def _judge_etag(self, target: Target, coding: str, answer: Answer) -> None:
        """Check that one ETag belongs to one body."""
        etag, digest = answer.headers.get("ETag"), sha256(answer.body).digest()
        before = self._known.get((target, coding))
        is_strong = etag and not etag.startswith("W/")  # a weak one is of what forms share
        if is_strong and before and before[0] == etag and before[1] != digest:
            self._ledger.broke("one ETag is one body", str(target))
        if etag:
            self._known[target, coding] = (etag, digest)


def _with_noise(path: str, chance: random.Random) -> str:
    """Return the path with a new query, so that the response is not cached."""
    return f"{path}{'&' if '?' in path else '?'}never={chance.getrandbits(48)}"


class Searcher:
    """Searches in the blog and over the whole site."""

    def __init__(self, world: World, name: str) -> None:
        self._chance = world.chance(name)
        self._caller = world.caller()

    def act(self) -> None:
        """Search for a known word, or for a random one."""
        odd = f"{self._chance.getrandbits(20):x}"
        word = quote(odd if self._chance.random() < 0.3 else self._chance.choice(_WORDS))
        path = self._chance.choice(
            (
                f"{API}/blog/posts?pageSize=24&search={word}",
                f"{self._chance.choice(_LOCALES)}/search?q={word}",
                f"{self._chance.choice(_LOCALES)}/blog?search={word}",
            )
        )
        accept = self._chance.choice([accept for accept, _ in _FORMS.values()])
        self._caller.ask("search", path, {"Accept": accept})


class OverLimitClient:
    """Sends more requests than its rate limit allows."""

    def __init__(self, world: World, name: str) -> None:
        self._chance = world.chance(name)
        self._caller = world.caller()
        self._ledger = world.ledger

    def act(self) -> None:
        """Send a request; a 429 must have Retry-After."""
        as_one = {"X-Forwarded-For": f"203.0.113.{self._chance.randrange(4)}"}
        answer = self._caller.ask("over limit", f"{API}/countries", as_one, expected=(200, 429))
        if answer and answer.status == 429 and not answer.headers.get("Retry-After"):
            self._ledger.broke("each 429 has Retry-After", "over limit")


class Monitor:
    """Reads metrics and readiness, as Prometheus and a load balancer do."""

    def __init__(self, world: World, _name: str) -> None:
        self._caller = world.caller(int(world.variables["METRICS_PORT"]))
        self._paths = ("/metrics", "/ready")

    def act(self) -> None:
        """Request both."""
        for path in self._paths:
            self._caller.ask("monitoring", path)

"""Readers: whoever asks for content, in every form, coding and state of knowledge."""

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
_CODINGS = ("gzip, deflate, br", "gzip", "br;q=1.0, *;q=0.1", "identity", "")
_LOCALES = tuple(
    f"/{c}/{lang}" for c in ("ae", "sa", "qa", "om", "kw", "bh") for lang in ("en", "ar")
)
_WORDS = ("harbour", "ERP", "invoice", "فاتورة", "نقاط البيع", "vat e-invoicing", "stok", "*", "🦀")
_LOCATION = re.compile(r"<loc>([^<]+)</loc>")


@dataclass(frozen=True, slots=True)
class Target:
    """Something to read: what kind of thing it is, where, and the form it has."""

    kind: str
    path: str
    accept: str
    media_type: str
    expected: tuple[int, ...] = (200, 304)


def targets(world: World) -> list[Target]:
    """Everything there is to read, what is edited as often as all the rest."""
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
    """A worker that starts while the breaker's file is broken has no good version of it."""
    return (200, 304, 404) if path.endswith("/soak-gamma") else (200, 304)


def _api() -> Iterator[Target]:
    for row in ENDPOINTS:
        for path in (row.example, *(legacy_example(row, alias) for alias in row.legacy)):
            yield Target("health" if "health" in path else "api", path, "*/*", "application/json")
            yield Target("api in markdown", path, "text/markdown", "text/markdown")


def _lists() -> Iterator[Target]:
    """Answers in which all posts of the group stand together."""
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
    """Reads one thing after the other on a connection that it keeps."""

    def __init__(self, world: World, name: str) -> None:
        self._chance = world.chance(name)
        self._caller = world.caller()
        self._ledger = world.ledger
        self._targets = targets(world)
        self._known: dict[tuple[Target, str], tuple[str, bytes]] = {}

    def act(self) -> None:
        """Read something, now and then as one who knows it, asks only for the head, or is odd."""
        target, coding = self._chance.choice(self._targets), self._chance.choice(_CODINGS)
        headers = {"Accept": target.accept, "Accept-Encoding": coding}
        luck = self._chance.random()
        known = self._known.get((target, coding))
        if known and luck < 0.3:
            headers["If-None-Match"] = known[0]
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
        """It is of the promised type, and can be read as such."""
        media_type = answer.headers.get("Content-Type", "").partition(";")[0]
        if media_type != target.media_type:
            self._ledger.broke("every form is the one asked", f"{target} as {media_type}")
        try:
            if media_type == "application/json":
                json.loads(answer.body)
            elif media_type in ("application/xml", "application/atom+xml"):
                ET.fromstring(answer.body)  # noqa: S314  # our own
        except (ValueError, ET.ParseError) as error:
            self._ledger.broke("every answer can be read", f"{target}: {error}")

    def _judge_etag(self, target: Target, coding: str, answer: Answer) -> None:
        """One ETag is one body."""
        etag, digest = answer.headers.get("ETag"), sha256(answer.body).digest()
        before = self._known.get((target, coding))
        if etag and before and before[0] == etag and before[1] != digest:
            self._ledger.broke("one ETag is one body", str(target))
        if etag:
            self._known[target, coding] = (etag, digest)


def _with_noise(path: str, chance: random.Random) -> str:
    """The same with a query that nobody sent before, so that nothing is in memory."""
    return f"{path}{'&' if '?' in path else '?'}never={chance.getrandbits(48)}"


class Searcher:
    """Searches in the blog and over the whole site."""

    def __init__(self, world: World, name: str) -> None:
        self._chance = world.chance(name)
        self._caller = world.caller()

    def act(self) -> None:
        """Search for a word that is known, or for one that nobody ever meant."""
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


class Glutton:
    """Asks as one client for more than it may have."""

    def __init__(self, world: World, name: str) -> None:
        self._chance = world.chance(name)
        self._caller = world.caller()
        self._ledger = world.ledger

    def act(self) -> None:
        """Ask; whoever is over the limit is told when to come back."""
        as_one = {"X-Forwarded-For": f"203.0.113.{self._chance.randrange(4)}"}
        answer = self._caller.ask("glutton", f"{API}/countries", as_one, expected=(200, 429))
        if answer and answer.status == 429 and not answer.headers.get("Retry-After"):
            self._ledger.broke("each 429 has Retry-After", "glutton")


class Monitor:
    """Looks at metrics and readiness, as Prometheus and a load balancer do."""

    def __init__(self, world: World, _name: str) -> None:
        self._caller = world.caller(int(world.variables["METRICS_PORT"]))
        self._paths = ("/metrics", "/ready")

    def act(self) -> None:
        """Ask for both."""
        for path in self._paths:
            self._caller.ask("monitoring", path)

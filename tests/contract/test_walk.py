"""The walk: every address that the service gives anyone answers with what was promised of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import chain
from typing import NamedTuple

import feedparser
import pytest
from contract.schemas import ENDPOINTS
from contract.visitor import BASE_URL, Reply, Visitor
from protego import Protego

from knowledge.locale import all_locales

pytestmark = pytest.mark.slow

CATALOG = "/.well-known/api-catalog"
LOCALES = [locale.path for locale in all_locales()]
MAPS = [
    *("/llms.txt", "/llms-full.txt", "/robots.txt", "/sitemap.xml"),
    *(CATALOG, "/.well-known/security.txt"),
    *(f"{locale}/{name}" for locale in LOCALES for name in ("llms.txt", "llms-full.txt")),
    *(f"{locale}/blog/feed.xml" for locale in LOCALES),
]
API = [row.example for row in ENDPOINTS]
MISSING = ["/nothing", "/ae/en/nothing", "/sa/ar/nothing.md", "/ae/en/blog/nothing.json"]
TYPES_BY_SUFFIX = {
    ".md": "text/markdown",
    "llms.txt": "text/markdown",
    "llms-full.txt": "text/markdown",
    "feed.xml": "application/atom+xml",
    "sitemap.xml": "application/xml",
    "robots.txt": "text/plain",
}
LINK = re.compile(r'<(?P<href>[^>]*)>(?P<parameters>(?:;\s*[\w-]+="[^"]*")*)')
LOCATION = re.compile("<loc>(.*?)</loc>")
MARKDOWN_TARGET = re.compile(r"\]\(<?([^\s()<>]+)>?\)|^<(https?://[^>]+)>$", re.MULTILINE)
FRONT_MATTER_URL = re.compile(r'^(?:url|  [\w-]+): "(https?://[^"]+)"$', re.MULTILINE)


class Advert(NamedTuple):
    """An address that somebody was given, and the type it was said to have."""

    url: str
    media_type: str | None = None

    @property
    def path(self) -> str:
        """The site path with its query, `""` for an address elsewhere."""
        bare = self.url.partition("#")[0]
        if bare.startswith("//") or not bare.startswith(("/", BASE_URL)):
            return ""
        return bare.removeprefix(BASE_URL)


class Ways(HTMLParser):
    """The addresses in an HTML page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[Advert] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note where a link, form, picture or script leads."""
        named = dict(attrs)
        for name in ("href", "src", "action"):
            if named.get(name) and not (tag == "form" and named.get("method") == "post"):
                media_type = named.get("type") if tag == "link" else None
                self.found.append(Advert(str(named[name]), media_type))


def advertised(path: str, reply: Reply) -> Iterator[Advert]:
    """Everything that an answer advertises, in headers and body."""
    yield from in_header(reply)
    media_type = reply.headers.get("Content-Type", "").partition(";")[0]
    if path == "/robots.txt":
        yield from map(Advert, Protego.parse(reply.text).sitemaps)
    elif path == "/sitemap.xml":
        yield from map(Advert, LOCATION.findall(reply.text))
        yield from map(Advert, re.findall(r'<xhtml:link[^>]* href="([^"]+)"', reply.text))
    elif path == CATALOG:
        yield from in_catalog(reply)
    elif media_type == "application/atom+xml":
        yield from in_feed(reply)
    elif media_type == "text/html":
        yield from Ways(reply.text).found
    elif media_type == "text/markdown":
        yield from in_markdown(reply.text)


def in_header(reply: Reply) -> Iterator[Advert]:
    """The Link headers, Location and Content-Location."""
    for match in LINK.finditer(reply.links):
        media_type = re.search(r'type="([^"]+)"', match["parameters"])
        yield Advert(match["href"], media_type[1] if media_type else None)
    for name in ("Location", "Content-Location"):
        if name in reply.headers:
            yield Advert(reply.headers[name])


def in_catalog(reply: Reply) -> Iterator[Advert]:
    """The targets of the linkset."""
    for context in reply.json["linkset"]:
        for targets in (each for name, each in context.items() if name != "anchor"):
            yield from (Advert(each["href"], each.get("type")) for each in targets)


def in_feed(reply: Reply) -> Iterator[Advert]:
    """The feed's own links and those of its entries."""
    feed = feedparser.parse(reply.text)
    for link in chain(feed.feed.links, *(entry.links for entry in feed.entries)):
        yield Advert(link["href"], link.get("type"))


def in_markdown(text: str) -> Iterator[Advert]:
    """Links, autolinks and the addresses of the front matter; code is no link."""
    bare = re.sub(r"^```.*?^```|`[^`\n]*`", "", text, flags=re.DOTALL | re.MULTILINE)
    for target, address in MARKDOWN_TARGET.findall(bare):
        yield Advert(target or address)
    front, separator, _ = bare.removeprefix("---\n").partition("\n---\n")
    if separator and bare.startswith("---\n"):
        yield from map(Advert, FRONT_MATTER_URL.findall(front))


def promised(advert: Advert) -> str | None:
    """The type an answer must have: what was said, else what its name says."""
    if advert.media_type:
        return advert.media_type
    path = advert.path.partition("?")[0]
    return next((kind for end, kind in TYPES_BY_SUFFIX.items() if path.endswith(end)), None)


class Walk:
    """Everything that can be reached by what the service says, each address asked once."""

    def __init__(self, visitor: Visitor) -> None:
        self.broken: list[tuple[Advert, int, str, str]] = []
        self.echoes: list[str] = []
        self.seen: set[Advert] = set()
        self._visitor = visitor
        self._ahead: list[tuple[Advert, str]] = []

    def start(self, path: str, accept: str | None = None) -> None:
        """Go on from what an answer says, whatever its status."""
        self._note(path, self._ask(path, accept))

    def finish(self) -> None:
        """Ask as a client asks that knows the address and the type, and go on from there."""
        while self._ahead:
            advert, source = self._ahead.pop()
            reply = self._ask(advert.path, advert.media_type)
            answered = reply.headers.get("Content-Type", "").partition(";")[0]
            if reply.status != 200 or advert.media_type not in (None, answered):
                self.broken.append((advert, reply.status, answered, source))
            self._note(advert.path, reply)

    def _ask(self, path: str, accept: str | None) -> Reply:
        return self._visitor.get(path, {"Accept": accept} if accept else None)

    def _note(self, path: str, reply: Reply) -> None:
        if b"testserver" in reply.body or "testserver" in str(reply.headers):
            self.echoes.append(path)
        for advert in advertised(path, reply):
            goal = Advert(advert.path, promised(advert))
            if goal.path and goal not in self.seen:
                self.seen.add(goal)
                self._ahead.append((goal, path))


@pytest.fixture(scope="module")
def walk(sample: Visitor) -> Walk:
    """From every map, API resource and error through everything they lead to."""
    walk = Walk(sample)
    for path in (*MAPS, *API, *MISSING, "/"):
        walk.start(path)
    for path in (*API, *MISSING):
        walk.start(path, "text/markdown")
    for path in MISSING:
        walk.start(path, "text/html")
    for path in ("/sa/ar", "/sa/ar/erp", "/ae/en/blog", "/ae/en/products/counter-pos-15"):
        for accept in ("text/markdown", "application/json"):
            walk.start(path, accept)
    walk.finish()
    return walk


def test_every_advertised_address_answers_with_the_advertised_type(walk: Walk) -> None:
    """Pages, twins, maps, files, the API; headers and bodies; errors too."""
    assert walk.broken == []
    assert len(walk.seen) > 2_000


def test_every_address_is_given_by_its_own_service(walk: Walk) -> None:
    """Absolute ones come from BASE_URL: the host that was asked is in none."""
    assert walk.echoes == []


def test_every_page_of_the_sitemap_was_on_the_way(walk: Walk, sample: Visitor) -> None:
    """With its twins."""
    seen = {advert.path for advert in walk.seen}
    pages = {Advert(url).path for url in LOCATION.findall(sample.get("/sitemap.xml").text)}
    homes = set(LOCALES)
    twins = {
        (f"{path}/index" if path in homes else path) + suffix
        for path in pages
        for suffix in (".md", ".json")
    }
    assert pages | twins <= seen

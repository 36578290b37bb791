"""Link check: every URL that the service advertises responds with the advertised type."""

from __future__ import annotations

import pytest
from contract.adverts import API_CATALOG, LOCATION, SKILLS, Advert, advertised, expected_type
from contract.schemas import ENDPOINTS
from contract.visitor import Reply, Visitor
from gulf import all_locales

pytestmark = pytest.mark.slow

LOCALES = [locale.path for locale in all_locales()]
MAPS = [
    *("/llms.txt", "/llms-full.txt", "/robots.txt", "/sitemap.xml"),
    *(API_CATALOG, SKILLS, "/.well-known/security.txt"),
    *(f"{locale}/{name}" for locale in LOCALES for name in ("llms.txt", "llms-full.txt")),
    *(f"{locale}/blog/feed.{form}" for locale in LOCALES for form in ("xml", "json")),
]
API = [row.example for row in ENDPOINTS]
MISSING = ["/nothing", "/ae/en/nothing", "/sa/ar/nothing.md", "/ae/en/blog/nothing.json"]


class Walk:
    """A crawl of all advertised URLs; each is requested once."""

    def __init__(self, visitor: Visitor) -> None:
        self.broken: list[tuple[Advert, int, str, str]] = []
        self.with_request_host: list[str] = []
        self.seen: set[Advert] = set()
        self._visitor = visitor
        self._queue: list[tuple[Advert, str]] = []

    def start(self, path: str, accept: str | None = None) -> None:
        """Add the URLs that a response advertises, whatever its status."""
        self._collect(path, self._request(path, accept))

    def finish(self) -> None:
        """Request all collected URLs with their media type, and those they advertise in turn."""
        while self._queue:
            advert, source = self._queue.pop()
            reply = self._request(advert.path, advert.media_type)
            answered = reply.headers.get("Content-Type", "").partition(";")[0]
            if reply.status != 200 or advert.media_type not in (None, answered):
                self.broken.append((advert, reply.status, answered, source))
            self._collect(advert.path, reply)

    def _request(self, path: str, accept: str | None) -> Reply:
        return self._visitor.get(path, {"Accept": accept} if accept else None)

    def _collect(self, path: str, reply: Reply) -> None:
        if b"testserver" in reply.body or "testserver" in str(reply.headers):
            self.with_request_host.append(path)
        for advert in advertised(path, reply):
            target = Advert(advert.path, expected_type(advert))
            if target.path and target not in self.seen:
                self.seen.add(target)
                self._queue.append((target, path))


@pytest.fixture(scope="module")
def walk(sample: Visitor) -> Walk:
    """A crawl from every discovery resource, API example and error page."""
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
    """Pages, per-format URLs, discovery resources, files, API and errors."""
    assert walk.broken == []
    assert len(walk.seen) > 2_000


def test_absolute_urls_use_the_base_url(walk: Walk) -> None:
    """None has the Host of the request."""
    assert walk.with_request_host == []


def test_every_page_of_the_sitemap_was_reached(walk: Walk, sample: Visitor) -> None:
    """And its per-format URLs."""
    seen = {advert.path for advert in walk.seen}
    pages = {Advert(url).path for url in LOCATION.findall(sample.get("/sitemap.xml").text)}
    homes = set(LOCALES)
    suffixed = {
        (f"{path}/index" if path in homes else path) + suffix
        for path in pages
        for suffix in (".md", ".json")
    }
    assert pages | suffixed <= seen

"""The law of the response cache: nobody can tell by an answer whether it was there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

import pytest
from contract.schemas import ENDPOINTS, SOFTWARE_DETAIL_ENDPOINT
from contract.visitor import NOW, Reply, Visitor

from knowledge.locale import Country, Language, Locale
from knowledge.resources.site_map import site_map
from renderers.media_types import MediaType
from renderers.representation_urls import suffixed_path

ACCEPTS = ("*/*", "text/html", "text/markdown", "application/json")
CODINGS = ("identity", "gzip", "br")
LOCALES = (
    Locale(Country("AE"), Language("en")),
    Locale(Country("KW"), Language("ar")),
)
MAPS = (
    *("/llms.txt", "/ae/en/llms.txt", "/llms-full.txt", "/sitemap.xml", "/robots.txt"),
    *("/ae/ar/blog/feed.xml", "/.well-known/api-catalog", "/.well-known/security.txt"),
)
ODD = (
    *("/", "/ae/en/erp?x=1", "/ae/en/no-such", "/sa/ar/no-such.md", "/api/public/v1/no-such"),
    *("/api/page/%61bout", "/ae/en/%65rp", "/ae/en/erp/", "/ae/en/blog?page=2&search=tax"),
    *("/api/public/v1/blog/posts?page=99", "/api/public/v1/pages?country=xx", "/images/logo.svg"),
)
MOMENTARY = {"/api/public/v1/health", "/api/health"}
"""What health tells changes from one answer to the next; no cache keeps it."""


@pytest.fixture(scope="module")
def uncached() -> Iterator[Visitor]:
    """The sample content served without the layer."""
    with Visitor() as visitor:
        validation = vars(visitor.quart)["asgi_app"]
        limits = validation._app._app
        limits._app = visitor.quart.extensions["majlis"].cache._app
        yield visitor


def whole(reply: Reply) -> tuple[int, list[tuple[str, str]], bytes]:
    """All that a client sees of an answer, but for the name of the exchange."""
    headers = sorted(pair for pair in reply.headers.items() if pair[0].lower() != "x-request-id")
    return reply.status, headers, reply.body


def pages(visitor: Visitor) -> Iterator[str]:
    """Every public page in one of two locales by turns."""
    snapshot = visitor.quart.extensions["majlis"].content_store.current.snapshot
    for number, page in enumerate(site_map(snapshot, NOW).pages):
        locale = LOCALES[number % 2] if LOCALES[number % 2] in page.locales else page.locales[0]
        yield f"{locale.path}{page.address.path}"


def endpoints() -> Iterator[str]:
    """Every endpoint of the contract, and an alias of each."""
    for row in (*ENDPOINTS, SOFTWARE_DETAIL_ENDPOINT):
        if row.example not in MOMENTARY:
            yield row.example


def check(
    uncached: Visitor, cached: Visitor, target: str, headers: Mapping[str, str]
) -> tuple[int, str | None]:
    """The answer without the cache, that of a miss and that of a hit; status and entity tag."""
    wanted = whole(uncached.get(target, headers))
    assert whole(cached.get(target, headers)) == wanted, target
    assert whole(cached.get(target, headers)) == wanted, target
    return wanted[0], {name.lower(): value for name, value in wanted[1]}.get("etag")


def check_without_body(
    uncached: Visitor, cached: Visitor, target: str, headers: Mapping[str, str]
) -> None:
    """By HEAD, and by a condition, first as a miss (another query) and then as a hit."""
    status, etag = check(uncached, cached, target, headers)
    head = whole(cached.ask("HEAD", target, headers))
    assert head == whole(uncached.ask("HEAD", target, headers)), target
    if etag is not None:
        known = {**headers, "If-None-Match": f'"other", W/{etag}'}
        wanted = whole(uncached.get(target, known))
        assert wanted[0] == (304 if status == 200 else status)
        assert whole(cached.get(target, known)) == wanted, target
        mark = "&" if "?" in target else "?"
        miss = cached.get(f"{target}{mark}unknown=1", known)
        assert whole(miss) == wanted, target


@pytest.mark.parametrize("accept", ACCEPTS)
def test_every_page_is_the_same_from_memory(
    sample: Visitor, uncached: Visitor, accept: str
) -> None:
    """In each form; the codings take turns, as all of them pass through the same hands."""
    targets = sorted(pages(sample))
    assert len(targets) > 50
    for number, target in enumerate(targets):
        headers = {"Accept": accept, "Accept-Encoding": CODINGS[number % 3]}
        checked = check_without_body if number % 8 == 0 else check
        checked(uncached, sample, target, headers)


@pytest.mark.parametrize("form", [MediaType.MARKDOWN, MediaType.JSON])
def test_every_twin_is_the_same_from_memory(
    sample: Visitor, uncached: Visitor, form: MediaType
) -> None:
    """Whatever is accepted."""
    for number, target in enumerate(sorted(pages(sample))):
        headers = {"Accept": ACCEPTS[number % 4], "Accept-Encoding": CODINGS[number % 3]}
        check(uncached, sample, suffixed_path(target, form), headers)


@pytest.mark.parametrize(("accept", "coding"), [*product(ACCEPTS, CODINGS)])
def test_every_endpoint_map_and_oddity_is_the_same_from_memory(
    sample: Visitor, uncached: Visitor, accept: str, coding: str
) -> None:
    """The API, the maps, the errors, the redirects."""
    headers = {"Accept": accept, "Accept-Encoding": coding}
    for target in (*endpoints(), *MAPS, *ODD):
        check(uncached, sample, target, headers)
    for target in endpoints():
        check_without_body(uncached, sample, target, headers)

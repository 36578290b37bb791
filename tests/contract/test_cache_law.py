"""The response cache is transparent: cached and uncached responses are identical."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

import pytest
from cases import cases
from contract.schemas import ENDPOINTS, SOFTWARE_DETAIL_ENDPOINT
from contract.visitor import NOW, Reply, Visitor

from app.web.pipeline.cached_responses import CachedResponses
from app.web.pipeline.layers import LAYERS
from knowledge.locales.locale import Country, Language, Locale
from knowledge.resources.site_map import site_map
from renderers.representation import MediaType, suffixed_path

ACCEPTS = ("*/*", "text/html", "text/markdown", "application/json")
CODINGS = ("identity", "gzip", "br", "zstd")
LOCALES = (
    Locale(Country("AE"), Language("en")),
    Locale(Country("KW"), Language("ar")),
)
MAPS = (
    *("/llms.txt", "/ae/en/llms.txt", "/llms-full.txt", "/sitemap.xml", "/robots.txt"),
    *("/ae/ar/blog/feed.xml", "/ae/ar/blog/feed.json", "/sa/ar/opensearch.xml"),
    *(f"/kw/en/blog/category/erp-guides/feed.{form}" for form in ("xml", "json")),
    *("/.well-known/api-catalog", "/.well-known/security.txt"),
    "/.well-known/agent-skills/index.json",
)
ODD = (
    *("/", "/ae/en/erp?x=1", "/ae/en/no-such", "/sa/ar/no-such.md", "/api/public/v1/no-such"),
    *("/api/page/%61bout", "/ae/en/%65rp", "/ae/en/erp/", "/ae/en/blog?page=2&search=tax"),
    *("/api/public/v1/blog/posts?page=99", "/api/public/v1/pages?country=xx", "/images/logo.svg"),
)
UNCACHED = {"/api/public/v1/health", "/api/health", "/api/public/v1/changes"}
"""Health changes from one response to the next, and cursors differ in each database."""


@pytest.fixture(scope="module")
def uncached() -> Iterator[Visitor]:
    """The sample content, served without the response cache."""
    with Visitor() as visitor:
        layers = [layer for layer in LAYERS if layer is not CachedResponses]
        visitor.wrap(layers)
        yield visitor


def visible(reply: Reply) -> tuple[int, list[tuple[str, str]], bytes]:
    """Return everything a client sees of a response except its request id."""
    headers = sorted(pair for pair in reply.headers.items() if pair[0].lower() != "x-request-id")
    return reply.status, headers, reply.body


def pages(visitor: Visitor) -> Iterator[str]:
    """Yield every public page, alternating between two locales."""
    snapshot = visitor.quart.extensions["majlis"].content_store.current.snapshot
    for number, page in enumerate(site_map(snapshot, NOW).pages):
        locale = LOCALES[number % 2] if LOCALES[number % 2] in page.locales else page.locales[0]
        yield f"{locale.path}{page.address.path}"


def endpoints() -> Iterator[str]:
    """Yield the example of every endpoint of the API contract that may be cached."""
    for row in (*ENDPOINTS, SOFTWARE_DETAIL_ENDPOINT):
        if row.stable not in UNCACHED:
            yield row.example


def check(
    uncached: Visitor, cached: Visitor, target: str, headers: Mapping[str, str]
) -> tuple[int, str | None]:
    """Compare the responses without cache, on a miss and on a hit; return status and ETag."""
    expected = visible(uncached.get(target, headers))
    assert visible(cached.get(target, headers)) == expected, target
    assert visible(cached.get(target, headers)) == expected, target
    return expected[0], {name.lower(): value for name, value in expected[1]}.get("etag")


def check_without_body(
    uncached: Visitor, cached: Visitor, target: str, headers: Mapping[str, str]
) -> None:
    """Compare HEAD and conditional requests, on a hit and on a miss (with another query)."""
    status, etag = check(uncached, cached, target, headers)
    head = visible(cached.ask("HEAD", target, headers))
    assert head == visible(uncached.ask("HEAD", target, headers)), target
    if etag is not None:
        conditional = {**headers, "If-None-Match": f'"other", W/{etag.removeprefix("W/")}'}
        expected = visible(uncached.get(target, conditional))
        assert expected[0] == (304 if status == 200 else status)
        assert visible(cached.get(target, conditional)) == expected, target
        mark = "&" if "?" in target else "?"
        miss = cached.get(f"{target}{mark}unknown=1", conditional)
        assert visible(miss) == expected, target


@cases("accept", ACCEPTS)
def test_every_page_is_the_same_from_the_cache(
    sample: Visitor, uncached: Visitor, accept: str
) -> None:
    """In each media type; the content codings alternate, as they share one code path."""
    targets = sorted(pages(sample))
    assert len(targets) > 50
    for number, target in enumerate(targets):
        headers = {"Accept": accept, "Accept-Encoding": CODINGS[number % 4]}
        checked = check_without_body if number % 7 == 0 else check
        checked(uncached, sample, target, headers)


@pytest.mark.parametrize("media_type", [MediaType.MARKDOWN, MediaType.JSON])
def test_every_per_format_url_is_the_same_from_the_cache(
    sample: Visitor, uncached: Visitor, media_type: MediaType
) -> None:
    """For any Accept header."""
    for number, target in enumerate(sorted(pages(sample))):
        headers = {"Accept": ACCEPTS[number % 4], "Accept-Encoding": CODINGS[number % 3]}
        check(uncached, sample, suffixed_path(target, media_type), headers)


@cases(("accept", "coding"), [*product(ACCEPTS, CODINGS[:1]), *product(ACCEPTS[:1], CODINGS[1:])])
def test_every_endpoint_map_error_and_redirect_is_the_same_from_the_cache(
    sample: Visitor, uncached: Visitor, accept: str, coding: str
) -> None:
    """For every Accept header and every content coding, which depend on different code."""
    headers = {"Accept": accept, "Accept-Encoding": coding}
    for target in (*MAPS, *ODD):
        check(uncached, sample, target, headers)
    for target in endpoints():
        check_without_body(uncached, sample, target, headers)

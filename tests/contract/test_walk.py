"""Link check: every URL that the service advertises responds with the advertised type."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from contract.adverts import API_CATALOG, LOCATION, SKILLS, Advert
from contract.schemas import ENDPOINTS
from contract.visitor import Visitor
from contract.walk import Walk
from gulf import all_locales
from page_heads import HEAD_LIMIT

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

LOCALES = [locale.path for locale in all_locales()]
MAPS = [
    *("/llms.txt", "/llms-full.txt", "/robots.txt", "/sitemap.xml"),
    *(API_CATALOG, SKILLS, "/.well-known/security.txt"),
    *(f"{locale}/{name}" for locale in LOCALES for name in ("llms.txt", "llms-full.txt")),
    *(f"{locale}/blog/feed.{form}" for locale in LOCALES for form in ("xml", "json")),
]
API = [row.example for row in ENDPOINTS]
UNWRITTEN = re.compile(r"/products$|/developers$|/blog/tag/")
"""URLs of pages whose description nobody wrote."""

MISSING = ["/nothing", "/ae/en/nothing", "/sa/ar/nothing.md", "/ae/en/blog/nothing.json"]


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


def test_response_heads_fit_into_the_buffers_of_proxies(walk: Walk) -> None:
    """Of pages, maps, files, the API and errors; nginx answers 502 to a longer one."""
    assert 1_024 < walk.longest_head < HEAD_LIMIT


def test_every_page_of_the_sitemap_was_reached(walk: Walk, sample: Visitor) -> None:
    """And its per-format URLs."""
    seen = {advert.path for advert in walk.seen}
    pages = {Advert(url).path for url in LOCATION.findall(sample.get("/sitemap.xml").text)}
    homes = set(LOCALES)
    suffixed = {
        (f"{path}/index" if path in homes else path) + suffix
        for path in pages
        for suffix in (".md", ".json", ".xml")
    }
    assert pages | suffixed <= seen


def test_every_variant_of_a_page_names_all_the_others(walk: Walk) -> None:
    """Each answers, is canonical to itself, and has the same table with `x-default`."""
    assert list(walk.one_sided()) == []
    assert walk.differing == []
    assert sum(bool(head.alternates) for head in walk.heads.values()) > 1_000


def test_a_canonical_url_is_canonical_to_itself(walk: Walk) -> None:
    """Every page that names another one is one step from it."""
    chains = [
        (url, head.canonical)
        for url, head in walk.heads.items()
        if head.canonical not in walk.heads
        or walk.heads[head.canonical].canonical != head.canonical
    ]
    assert chains == []


def test_the_sitemap_has_what_may_be_indexed(walk: Walk, sample: Visitor) -> None:
    """Every page in it is canonical to itself, and nobody may not index it."""
    urls = LOCATION.findall(sample.get("/sitemap.xml").text)
    pages = [(url, walk.heads[url]) for url in urls]
    assert [url for url, head in pages if not head.is_indexed or head.canonical != url] == []


def test_nothing_leads_to_a_page_that_repeats_another_one(walk: Walk) -> None:
    """A city's page that only repeats the country's is there for those who know its address."""
    in_cities = {url: head for url, head in walk.heads.items() if "/cities/" in url.split("?")[0]}
    assert [url for url, head in in_cities.items() if head.canonical != url] == []
    assert len(in_cities) > 32


def test_titles_and_descriptions_tell_all_pages_apart(walk: Walk) -> None:
    """No two pages that may be indexed have the same of both, in any country."""
    pages = {
        url: head for url, head in walk.heads.items() if head.is_indexed and head.canonical == url
    }
    said = Counter((head.language, head.title, head.description) for head in pages.values())
    assert [texts for texts, count in said.items() if count > 1] == []
    first = {url: head for url, head in pages.items() if "?" not in url}
    assert {url: head.title for url, head in first.items() if len(head.title) > 65} == {}
    lengths = {
        url: len(head.description) for url, head in first.items() if not UNWRITTEN.search(url)
    }
    assert {url: each for url, each in lengths.items() if not 70 <= each <= 160} == {}

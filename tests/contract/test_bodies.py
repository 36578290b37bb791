"""Response bodies: every endpoint of the API contract matches its schema in every locale."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from cases import cases
from contract.schemas import (
    ENDPOINTS,
    ERROR_ENVELOPE,
    LOCALIZED_CONTENT,
    MISSING_LOCALE_ENVELOPE,
    SOFTWARE_DETAIL,
    SOFTWARE_DETAIL_ENDPOINT,
    Endpoint,
    example_in,
    legacy_example,
)
from contract.validation import violations
from contract.visitor import Reply, Visitor

API = "/api/public/v1"
LOCALES = [
    (country, lang) for country in ("AE", "SA", "QA", "OM", "KW", "BH") for lang in ("en", "ar")
]
ROWS = [pytest.param(row, id=row.stable.removeprefix(f"{API}/")) for row in ENDPOINTS]


def violations_of(row: Endpoint, reply: Reply) -> list[str]:
    """Return how a response violates the contract of its endpoint, for any status."""
    if reply.status == 200:
        return violations(row.schema, reply.json)
    if reply.status == 404 and "fallback" in reply.json:
        return violations(MISSING_LOCALE_ENVELOPE, reply.json)
    return [f"status {reply.status}", *violations(ERROR_ENVELOPE, reply.json)]


@cases("row", ROWS)
def test_the_example_of_each_endpoint_matches_its_schema(sample: Visitor, row: Endpoint) -> None:
    """The status is 200, and the body has no field outside the contract."""
    reply = sample.get(row.example)
    assert reply.status == 200
    assert reply.headers["Content-Type"] == "application/json"
    assert violations(row.schema, reply.json) == []


@cases("row", ROWS)
def test_each_endpoint_matches_its_schema_in_every_locale(sample: Visitor, row: Endpoint) -> None:
    """200 with its schema or, if the page is not available in that locale, 404 with its schema."""
    violated = {
        locale: problems
        for locale in LOCALES
        if (problems := violations_of(row, sample.get(example_in(row, *locale))))
    }
    assert violated == {}


def test_software_detail_has_the_legacy_format_in_every_locale(sample: Visitor) -> None:
    """The only endpoint without a stable path."""
    path = legacy_example(SOFTWARE_DETAIL_ENDPOINT, SOFTWARE_DETAIL_ENDPOINT.legacy[0])
    for country, lang in LOCALES:
        reply = sample.get(f"{path}?country={country}&lang={lang}")
        assert reply.status == 200
        assert violations(SOFTWARE_DETAIL, reply.json) == []


def test_software_detail_and_its_successor_agree(sample: Visitor) -> None:
    """All fields that both have are equal."""
    old = sample.get("/api/software-detail/module/finance?country=SA&lang=ar").json
    new = sample.get(f"{API}/locale-content/software/module/finance?country=SA&lang=ar").json
    assert violations(LOCALIZED_CONTENT, new) == []
    assert old.pop("kind") == "module"
    assert old == {name: new["page"][name] for name in old}


def listed(visitor: Visitor, country: str, lang: str) -> Iterator[str]:
    """Yield the URL of every document in the lists of a locale."""
    query = f"country={country}&lang={lang}"

    def items(path: str, key: str = "items") -> Iterator[str]:
        for item in visitor.get(f"{API}/{path}{query}").json[key]:
            yield item["slug"]

    for slug in items("pages?"):
        yield f"{API}/pages/{slug}?{query}"
    for slug in items("blog/posts?pageSize=24&"):
        yield f"{API}/blog/posts/{slug}?{query}"
    for slug in items("cities?", "cities"):
        for page in ("index", "erp"):
            yield f"{API}/locale-content/city/{slug}/{page}?lang={lang}"


@cases(("country", "lang"), LOCALES)
def test_everything_that_is_listed_can_be_fetched(sample: Visitor, country: str, lang: str) -> None:
    """Of the lists of pages, of the newest 24 posts, and of cities with two pages each."""
    urls = list(listed(sample, country, lang))
    assert urls
    assert [url for url in urls if sample.get(url).status != 200] == []


@cases("slug", ["erp", "solutions", "business-models", "faqs", "contact", "industries"])
def test_all_six_registry_pages_are_published_in_every_locale(sample: Visitor, slug: str) -> None:
    """In the requested language, without fallback."""
    for country, lang in LOCALES:
        reply = sample.get(f"{API}/locale-content/{slug}?country={country}&lang={lang}")
        assert violations(LOCALIZED_CONTENT, reply.json) == []
        assert reply.headers["Content-Language"] == lang
        assert reply.json["page"]["_locale"] == reply.json["meta"]
        assert not reply.json["meta"]["fallbackUsed"]


FILTERS = [
    "",
    "search=vat",
    "search=الضريبة",
    "category=erp-guides",
    "pageSize=1&page=3",
    "page=99",
]


@cases("query", FILTERS)
def test_pagination_of_posts_is_consistent(sample: Visitor, query: str) -> None:
    """Totals, page sizes and the number of items agree."""
    for country, lang in LOCALES:
        target = f"{API}/blog/posts?country={country}&lang={lang}&{query}"
        body = sample.get(
            target.replace("الضريبة", "%D8%A7%D9%84%D8%B6%D8%B1%D9%8A%D8%A8%D8%A9")
        ).json
        pagination = body["pagination"]
        before = (pagination["page"] - 1) * pagination["pageSize"]
        assert len(body["items"]) == max(
            0, min(pagination["pageSize"], pagination["total"] - before)
        )
        assert pagination["totalPages"] == max(1, -(-pagination["total"] // pagination["pageSize"]))


def test_posts_are_listed_newest_first(sample: Visitor) -> None:
    """`prev` and `next` of each post follow that order."""
    items = sample.get(f"{API}/blog/posts?pageSize=24").json["items"]
    dates = [item["publishedAt"] for item in items]
    assert dates == sorted(dates, reverse=True)
    for newer, older in pairwise(items):
        assert sample.get(f"{API}/blog/posts/{newer['slug']}").json["prev"] == older
        assert sample.get(f"{API}/blog/posts/{older['slug']}").json["next"] == newer

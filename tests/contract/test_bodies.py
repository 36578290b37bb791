"""Laws of the bodies: each row of the seed's table keeps its shape, in every locale."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
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


def broken(row: Endpoint, reply: Reply) -> list[str]:
    """How an answer breaks the contract of its row, whatever its status."""
    if reply.status == 200:
        return violations(row.schema, reply.json)
    if reply.status == 404 and "fallback" in reply.json:
        return violations(MISSING_LOCALE_ENVELOPE, reply.json)
    return [f"status {reply.status}", *violations(ERROR_ENVELOPE, reply.json)]


@pytest.mark.parametrize("row", ROWS)
def test_the_example_of_each_row_is_answered_in_its_shape(sample: Visitor, row: Endpoint) -> None:
    """200, and nothing in the body that the seed does not have."""
    reply = sample.get(row.example)
    assert reply.status == 200
    assert reply.headers["Content-Type"] == "application/json"
    assert violations(row.schema, reply.json) == []


@pytest.mark.parametrize("row", ROWS)
def test_each_row_keeps_its_shape_in_every_locale(sample: Visitor, row: Endpoint) -> None:
    """200 in its schema, or, where the page is not for that locale, the 404 of rule 3."""
    found = {
        locale: problems
        for locale in LOCALES
        if (problems := broken(row, sample.get(example_in(row, *locale))))
    }
    assert found == {}


def test_software_detail_has_the_legacy_shape_in_every_locale(sample: Visitor) -> None:
    """The one row without a stable twin."""
    path = legacy_example(SOFTWARE_DETAIL_ENDPOINT, SOFTWARE_DETAIL_ENDPOINT.legacy[0])
    for country, lang in LOCALES:
        reply = sample.get(f"{path}?country={country}&lang={lang}")
        assert reply.status == 200
        assert violations(SOFTWARE_DETAIL, reply.json) == []


def test_software_detail_and_its_successor_tell_the_same(sample: Visitor) -> None:
    """Field for field, as far as both have it."""
    old = sample.get("/api/software-detail/module/finance?country=SA&lang=ar").json
    new = sample.get(f"{API}/locale-content/software/module/finance?country=SA&lang=ar").json
    assert violations(LOCALIZED_CONTENT, new) == []
    assert old.pop("kind") == "module"
    assert old == {name: new["page"][name] for name in old}


def listed(visitor: Visitor, country: str, lang: str) -> Iterator[str]:
    """The address of every document that the lists of a locale name."""
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


@pytest.mark.parametrize(("country", "lang"), LOCALES)
def test_everything_that_is_listed_can_be_fetched(sample: Visitor, country: str, lang: str) -> None:
    """A list never leads to a 404."""
    addresses = list(listed(sample, country, lang))
    assert addresses
    assert [each for each in addresses if sample.get(each).status != 200] == []


@pytest.mark.parametrize(
    "slug", ["erp", "solutions", "business-models", "faqs", "contact", "industries"]
)
def test_all_six_registry_pages_are_published_in_every_locale(sample: Visitor, slug: str) -> None:
    """In the language asked, not in the other one."""
    for country, lang in LOCALES:
        reply = sample.get(f"{API}/locale-content/{slug}?country={country}&lang={lang}")
        assert violations(LOCALIZED_CONTENT, reply.json) == []
        assert reply.headers["Content-Language"] == lang
        assert reply.json["page"]["_locale"] == reply.json["meta"]


FILTERS = [
    "",
    "search=vat",
    "search=الضريبة",
    "category=erp-guides",
    "pageSize=1&page=3",
    "page=99",
]


@pytest.mark.parametrize("query", FILTERS)
def test_every_list_of_posts_adds_up(sample: Visitor, query: str) -> None:
    """Totals, page sizes and the number of items agree."""
    for country, lang in LOCALES:
        target = f"{API}/blog/posts?country={country}&lang={lang}&{query}"
        body = sample.get(
            target.replace("الضريبة", "%D8%A7%D9%84%D8%B6%D8%B1%D9%8A%D8%A8%D8%A9")
        ).json
        told = body["pagination"]
        before = (told["page"] - 1) * told["pageSize"]
        assert len(body["items"]) == max(0, min(told["pageSize"], told["total"] - before))
        assert told["totalPages"] == max(1, -(-told["total"] // told["pageSize"]))


def test_posts_are_listed_newest_first(sample: Visitor) -> None:
    """And each names its neighbours in that order."""
    items = sample.get(f"{API}/blog/posts?pageSize=24").json["items"]
    dates = [item["publishedAt"] for item in items]
    assert dates == sorted(dates, reverse=True)
    for newer, older in pairwise(items):
        assert sample.get(f"{API}/blog/posts/{newer['slug']}").json["prev"] == older
        assert sample.get(f"{API}/blog/posts/{older['slug']}").json["next"] == newer

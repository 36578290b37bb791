"""Other spellings of a path lead to the canonical one, if there is something."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

import pytest
from agents import HOST
from cases import cases
from conftest import Visit
from contract.visitor import Visitor
from storefront.receiver import answers
from storefront.shop import BEARER, Shop


@cases(
    ("path", "canonical"),
    [
        pytest.param("/developers/", "/developers", id="slash after the manual"),
        pytest.param("/Developers", "/developers", id="capital letters of the manual"),
        pytest.param("/Developers.MD", "/developers.md", id="in a form"),
        pytest.param("/llms.txt/", "/llms.txt", id="slash after a map"),
        pytest.param("/ae", "/ae/en", id="a country alone"),
        pytest.param("/SA/", "/sa/en", id="a country in capitals, with a slash"),
        pytest.param("/AE/EN", "/ae/en", id="a home page in capitals"),
        pytest.param("/AE/EN/Pricing", "/ae/en/pricing", id="a page in capitals"),
        pytest.param("/ae/en/Pricing", "/ae/en/pricing", id="its slug alone"),
        pytest.param("/SA/AR/Pricing/", "/sa/ar/pricing", id="with a slash"),
        pytest.param("/AE/en/pricing.md", "/ae/en/pricing.md", id="a per-format URL"),
        pytest.param("/AE/EN/llms.txt", "/ae/en/llms.txt", id="a map of a locale"),
        pytest.param("/ae/EN/blog/Feed.xml", "/ae/en/blog/feed.xml", id="a feed"),
    ],
)
def test_another_spelling_leads_to_the_canonical_path(
    sample: Visitor, path: str, canonical: str
) -> None:
    """With its query, for good, and at once."""
    for query in ("", "?utm_source=x&page=2"):
        reply = sample.get(path + query)
        assert (reply.status, reply.headers["Location"]) == (308, canonical + query)
    assert sample.get(canonical).status == 200


@cases(
    "path",
    [
        pytest.param("/AE/EN/no-such-page", id="a page that is missing"),
        pytest.param("/zz", id="a country that the site has not"),
        pytest.param("/XX/EN/pricing", id="a locale that the site has not"),
        pytest.param("/API/public/v1/pages", id="the API in capitals"),
        pytest.param("/api/public/v1/pages/", id="slash after a path of the API"),
        pytest.param("/api/public/v1/Pages", id="a path of the API in capitals"),
        pytest.param("//developers/", id="two slashes"),
        pytest.param("//evil.example/", id="a host"),
        pytest.param("/Static/x/y", id="a file"),
    ],
)
def test_what_is_not_there_stays_missing(sample: Visitor, path: str) -> None:
    """The API has one spelling of each path, and no redirect leaves the site."""
    assert sample.get(path).status == 404


def test_a_document_is_at_its_canonical_path_however_its_file_is_spelled(visit: Visit) -> None:
    """Slugs have no capital letters, so no path with them is the canonical one of a page."""
    site = visit({"pages/Returns-2026.md": "---\ntitle: Returns\n---\nText.\n"})
    assert site.get("/ae/en/returns-2026").status == 200
    assert site.get("/ae/en/Returns-2026").headers["Location"] == "/ae/en/returns-2026"


def test_a_redirect_of_the_author_comes_first(visit: Visit) -> None:
    """Also from a country alone."""
    site = visit(
        {"pages/terms.md": "---\ntitle: T\n---\nx\n", "_redirects": "/ae /ae/en/terms 301\n"}
    )
    reply = site.get("/ae")
    assert (reply.status, reply.headers["Location"]) == (301, "/ae/en/terms")


def test_only_reads_are_redirected(sample: Visitor) -> None:
    """A form that is sent to another spelling is refused as before."""
    assert sample.ask("HEAD", "/Developers").status == 308
    assert sample.ask("POST", "/Developers").status in (404, 405)


@pytest.fixture(scope="module")
def shop() -> Iterator[Shop]:
    """The sample with all routes that take bodies."""
    with Shop(answers(200), mcp=True) as opened:
        yield opened


def test_a_body_is_taken_with_a_slash_after_the_path_too(shop: Shop) -> None:
    """On each route that takes one; a redirect would lose it, as few clients send it again."""
    values = {"<id>": "1", "<locale:locale>": "ae/en", "<name>": "contact"}
    paths = {
        reduce(lambda path, name: path.replace(name, values[name]), values, rule.rule)
        for rule in shop.quart.url_map.iter_rules()
        if rule.methods and "POST" in rule.methods
    }
    assert {"/mcp", "/api/leads", "/api/public/v1/leads"} < paths
    for path in paths:
        for method in ("POST", "OPTIONS"):
            headers = {**HOST, **BEARER, "Content-Type": "application/json"}
            body = b'{"email": 1, "jsonrpc": "2.0", "id": 1, "method": "ping"}'
            plain = shop.ask(method, path, headers, body=body)
            slashed = shop.ask(method, f"{path}/", headers, body=body)
            assert (slashed.status, slashed.body) == (plain.status, plain.body), path
            assert sorted(slashed.headers.keys()) == sorted(plain.headers.keys()), path
            assert plain.status not in (308, 404, 405) or "orders" in path, path


def test_a_slash_after_a_path_that_takes_no_bodies_is_refused_as_before(shop: Shop) -> None:
    """A POST to nothing is a POST to nothing."""
    for path in ("/api/public/v1/pages/", "/", "/api/", "//"):
        assert shop.ask("POST", path, HOST).status in (400, 404, 405)

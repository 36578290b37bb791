"""CDN-Cache-Control: what content delivery networks may keep."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from cases import cases
from contract.visitor import Visitor

PAGE = "/ae/en/about"
FORMS = ("text/html", "text/markdown", "application/json")
FILES = (f"{PAGE}.md", f"{PAGE}.json", "/llms.txt", "/robots.txt", "/openapi.json")
FOR_NOBODY = ("/ae/en/nothing", "/api/public/v1/health", "/api/public/v1/blog/homepage", "/")


@pytest.fixture(scope="module", params=["on", "vary"])
def site(request: pytest.FixtureRequest) -> Iterator[Visitor]:
    """The sample behind a CDN."""
    with Visitor(cdn=request.param) as visitor:
        yield visitor


def policy(site: Visitor, path: str, accept: str = "*/*") -> str | None:
    """Return the header of a response."""
    return site.get(path, {"Accept": accept}).headers.get("CDN-Cache-Control")


def test_only_a_cdn_that_honours_vary_keeps_negotiated_pages(
    site: Visitor, request: pytest.FixtureRequest
) -> None:
    """So no other shows markdown to a browser."""
    kept = {"public, max-age=60, stale-while-revalidate=300"}
    is_kept = "[vary]" in request.node.name
    assert {policy(site, PAGE, form) for form in FORMS} == (kept if is_kept else {"no-store"})


@cases("path", FILES)
def test_every_cdn_keeps_urls_that_name_their_format(site: Visitor, path: str) -> None:
    """It is kept as long as Cache-Control says."""
    response = site.get(path)
    assert response.status == 200
    assert response.headers["CDN-Cache-Control"] == response.headers["Cache-Control"]
    assert response.headers["Cache-Control"].startswith("public")


def test_the_page_for_developers_is_kept_as_any_page(
    site: Visitor, request: pytest.FixtureRequest
) -> None:
    """Its JSON is the OpenAPI document, whose own URL names its format."""
    forms = {form: policy(site, "/developers", form) for form in FORMS}
    is_kept = "[vary]" in request.node.name
    assert all(("public" in str(each)) == is_kept for each in forms.values())


@cases("path", FOR_NOBODY)
def test_no_cdn_keeps_what_is_for_one_reader_or_of_a_moment(site: Visitor, path: str) -> None:
    """Errors, the API, which counts requests, and redirects by the reader's languages."""
    assert policy(site, path) == "no-store"


def test_without_a_cdn_there_is_no_header(sample: Visitor) -> None:
    """It is off by default."""
    assert policy(sample, PAGE) is None

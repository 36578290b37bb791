"""Pages as plain text: the markdown, for clients that ask for text."""

from __future__ import annotations

import pytest
from cases import cases
from contract.visitor import BASE_URL, Visitor

TEXT = {"Accept": "text/plain"}
MARKDOWN = {"Accept": "text/markdown"}
TYPE = "text/plain; charset=utf-8"


@cases("path", ["/sa/ar/erp", "/ae/en", "/ae/en/blog?page=2", "/developers"])
def test_a_page_is_its_markdown_as_plain_text(sample: Visitor, path: str) -> None:
    """Byte for byte, in the language of the page, for this client alone."""
    text, markdown = sample.get(path, TEXT), sample.get(path, MARKDOWN)
    assert (text.status, text.headers["Content-Type"]) == (200, TYPE)
    assert text.body == markdown.body
    for name in ("Content-Language", "Cache-Control", "Vary", "X-Markdown-Tokens", "Link"):
        assert text.headers.get(name) == markdown.headers.get(name)
    assert text.headers["Cache-Control"].startswith("private")
    assert "X-Robots-Tag" not in text.headers


@pytest.mark.parametrize("coding", ["identity", "br"])
def test_it_has_an_entity_tag_and_a_place_in_the_cache_of_its_own(
    sample: Visitor, coding: str
) -> None:
    """Also when both forms are requested in turn, and for a conditional request."""
    replies = [
        sample.get("/sa/en/erp", {"Accept": accept, "Accept-Encoding": coding})
        for accept in ("text/plain", "text/markdown", "text/html", "text/plain", "text/markdown")
    ]
    types = [reply.headers["Content-Type"].partition(";")[0] for reply in replies]
    assert types == ["text/plain", "text/markdown", "text/html", "text/plain", "text/markdown"]
    tags = [reply.headers["ETag"] for reply in replies]
    assert (len(set(tags)), tags[0], tags[1]) == (3, tags[3], tags[4])
    condition = {"Accept-Encoding": coding, "If-None-Match": tags[0]}
    assert sample.get("/sa/en/erp", {**TEXT, **condition}).status == 304
    assert sample.get("/sa/en/erp", {**MARKDOWN, **condition}).status == 200


def test_the_markdown_of_a_page_is_plain_text_too(sample: Visitor) -> None:
    """At both URLs; the other language of the page is linked as markdown."""
    assert sample.get("/sa/ar/erp.md", TEXT).headers["Content-Type"].startswith("text/plain")
    text = sample.get("/sa/ar/erp", TEXT)
    assert "Content-Location" not in text.headers
    assert f'<{BASE_URL}/sa/en/erp.md>; rel="alternate"; type="text/markdown"' in text.links


@cases(
    ("path", "status"),
    [("/sa/ar/no-such-page", 404), ("/ae/en/%zz", 400), ("/ae/en/blog?page=x", 400)],
)
def test_an_error_is_plain_text_too(sample: Visitor, path: str, status: int) -> None:
    """With the text of the error as markdown."""
    error = sample.get(path, TEXT)
    assert (error.status, error.headers["Content-Type"]) == (status, TYPE)
    assert error.body == sample.get(path, MARKDOWN).body


def test_the_api_has_no_plain_text(sample: Visitor) -> None:
    """It returns JSON to a client that accepts neither JSON nor markdown."""
    for path in ("/api/public/v1/pages", "/api/public/v1/pages/no-such-page"):
        assert sample.get(path, TEXT).headers["Content-Type"] == "application/json"

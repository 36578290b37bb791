"""Public pages: pages of every type in every media type (see docs/authoring.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from typing import Any

import babel
import frontmatter
import mistune
from cases import cases
from conftest import locale_of
from contract.visitor import BASE_URL, NOW, Reply, Visitor

from app.platform.settings import SAMPLE_CONTENT
from knowledge.resources.site_map import site_map
from knowledge.snapshot.loading import load_content
from renderers.representation import MediaType, suffixed_path

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
AGENT = "text/markdown, text/html, */*"
FRONTEND = "application/json, text/plain, */*"
MIRROR = "application/xml, text/xml;q=0.9"
ACCEPTS = {
    MediaType.HTML: BROWSER,
    MediaType.MARKDOWN: AGENT,
    MediaType.JSON: FRONTEND,
    MediaType.XML: MIRROR,
}
MEDIA_TYPES = {
    MediaType.HTML: "text/html; charset=utf-8",
    MediaType.MARKDOWN: "text/markdown; charset=utf-8",
    MediaType.JSON: "application/json",
    MediaType.XML: "application/xml; charset=utf-8",
}
PUBLIC = "public, max-age=60, stale-while-revalidate=300"
WITH_TOKEN = "private, no-cache"
"""Of the HTML with the contact form, whose token tells when it was made."""
KEY_FACTS = 5_000
DIRECTIONS = {"left-to-right": "ltr", "right-to-left": "rtl"}


_OWN_BEHAVIOUR = ("/contact", "/pricing", "/faqs")
"""Pages of one document that show more than their sections."""


@cache
def paths() -> list[str]:
    """Return two pages of each page type in one locale per language, and those with a form."""
    snapshot = load_content(SAMPLE_CONTENT, form_kinds=()).snapshot
    pages = site_map(snapshot, NOW)
    found = []
    for name in ("ae/en", "sa/ar"):
        locale = locale_of(name)
        by_type: dict[str, list[str]] = {}
        for address in pages.addresses(locale):
            by_type.setdefault(address.page.name, []).append(address.path)
        chosen = {path for each in by_type.values() for path in (each[0], each[-1])}
        chosen |= {path for each in by_type.values() for path in each if path in _OWN_BEHAVIOUR}
        found += [locale.path + path for path in sorted(chosen)]
    return found


_SELF_LINK = r'<a class="anchor" href="#([^"]*)" aria-labelledby="\1" tabindex="-1"></a>'
EVERY_PAGE = cases("path", paths)


def answers(sample: Visitor, path: str) -> dict[MediaType, Reply]:
    """Return a page in each media type, by content negotiation."""
    return {
        media_type: sample.get(path, {"Accept": accept}) for media_type, accept in ACCEPTS.items()
    }


@EVERY_PAGE
def test_each_representation_has_its_headers(sample: Visitor, path: str) -> None:
    """Status, type, language, caching, and the headers of certain media types."""
    language = path.split("/")[2]
    for media_type, reply in answers(sample, path).items():
        sent = reply.headers
        assert reply.status == 200
        assert sent["Content-Type"] == MEDIA_TYPES[media_type]
        assert sent["Content-Language"] == language
        assert sent["Vary"] == "Accept, Accept-Encoding"
        assert "X-Robots-Tag" not in sent
        assert f'<{BASE_URL}{path}>; rel="canonical"' in reply.links
        assert f'<{BASE_URL}/{path[1:6]}/llms.txt>; rel="describedby"' in reply.links
        assert reply.links.count('rel="describedby"') == 1
        if is_html := media_type is MediaType.HTML:
            assert re.findall(r'rel="describedby"[^>]* href="([^"]+)"', reply.text) == [
                f"/{path[1:6]}/llms.txt"
            ]
            assert re.findall(r'<a href="([^"]*/?llms\.txt)"', reply.text) == [
                f"/{path[1:6]}/llms.txt"
            ]
        public = WITH_TOKEN if path.endswith("/contact") else PUBLIC
        assert sent["Cache-Control"] == (public if is_html else "private, max-age=300")
        assert sent.get("Content-Location") == (
            None if is_html else suffixed_path(path, media_type)
        )
        assert ("X-Markdown-Tokens" in sent) is (media_type is MediaType.MARKDOWN)
        is_text = media_type in (MediaType.HTML, MediaType.MARKDOWN)
        assert ("Content-Signal" in sent) is is_text
        assert ("Content-Usage" in sent) is is_text


@EVERY_PAGE
def test_each_media_type_and_coding_has_its_own_entity_tag(sample: Visitor, path: str) -> None:
    """A request with that tag gives 304 without body, with the headers that a cache needs."""
    tags = set()
    for accept in ACCEPTS.values():
        for coding in ("identity", "gzip", "br", "zstd"):
            headers = {"Accept": accept, "Accept-Encoding": coding}
            full = sample.get(path, headers)
            again = sample.get(path, {**headers, "If-None-Match": full.headers["ETag"]})
            assert (again.status, again.body) == (304, b"")
            for name in ("ETag", "Vary", "Cache-Control", "Content-Location"):
                assert again.headers.get(name) == full.headers.get(name)
            tags.add(full.headers["ETag"])
    assert len(tags) == 16


@EVERY_PAGE
@cases("media_type", [MediaType.MARKDOWN, MediaType.JSON, MediaType.XML])
def test_a_per_format_url_ignores_the_accept_header(
    sample: Visitor, path: str, media_type: MediaType
) -> None:
    """Same body as negotiated, cached publicly, noindex, with a canonical link to the page."""
    negotiated = sample.get(path, {"Accept": ACCEPTS[media_type]})
    for accept in ("", BROWSER, "image/png", "*/*;q=0"):
        suffixed = sample.get(suffixed_path(path, media_type), {"Accept": accept})
        assert (suffixed.status, suffixed.body) == (200, negotiated.body)
        assert suffixed.headers["Content-Type"] == MEDIA_TYPES[media_type]
        assert suffixed.headers["X-Robots-Tag"] == "noindex"
        assert suffixed.headers["Cache-Control"] == PUBLIC
        assert "Content-Location" not in suffixed.headers
        assert f'<{BASE_URL}{path}>; rel="canonical"' in suffixed.links


@EVERY_PAGE
def test_head_has_the_headers_of_get(sample: Visitor, path: str) -> None:
    """In every media type."""
    for accept in ACCEPTS.values():
        got = sample.get(path, {"Accept": accept})
        head = sample.ask("HEAD", path, {"Accept": accept})
        assert (head.status, head.body) == (got.status, b"")
        assert sorted(head.headers.items()) == sorted(got.headers.items())


@EVERY_PAGE
def test_all_media_types_have_the_same_texts(sample: Visitor, path: str) -> None:
    """Headings and other main texts of the JSON are in HTML and markdown too."""
    by_type = answers(sample, path)
    html = squeezed(unescape(re.sub(r"<[^>]*>", "", by_type[MediaType.HTML].text)))
    markdown = squeezed(by_type[MediaType.MARKDOWN].text)
    language = path.split("/")[2]
    texts = {squeezed(text) for text in headlines(by_type[MediaType.JSON].json, language)}
    assert texts
    assert {text for text in texts if text not in html} == set()
    assert {text for text in texts if text not in markdown} == set()


def squeezed(text: str) -> str:
    """Remove white space, direction marks and markdown syntax from a text."""
    return re.sub(r"[\s\u200e\u200f\u2066-\u2069\\*_`()\[\]]", "", text)


SHOWN = {"heading", "question", "customerName", "excerpt", "shortDescription", "quote"}
UNSEEN = {"seo", "navigation", "section", "page"}


def headlines(value: Any, language: str) -> Iterator[str]:
    """Yield the texts of a body that are shown to readers, in one language."""
    match value:
        case {"page": page, "items": items, "section": _}:  # testimonials
            yield from headlines([page.get("title", ""), *items], language)
        case {"page": dict(page)}:
            yield from headlines(page, language)
        case dict():
            for key, child in value.items():
                if key in SHOWN and isinstance(child, str):
                    yield child
                elif key in ("prev", "next"):  # only the titles are shown
                    yield child["title"] if child else ""
                elif key not in UNSEEN:
                    yield from headlines(child, language)
        case list():
            for child in value:
                yield from headlines(child, language)


@EVERY_PAGE
def test_markdown_is_clean_and_has_absolute_links(sample: Visitor, path: str) -> None:
    """Valid front matter, one H1 followed by the index link, absolute links, no directives."""
    reply = sample.get(path, {"Accept": AGENT})
    head, text = frontmatter.parse(reply.text)
    assert head["url"] == BASE_URL + path
    assert head["lang"] == path.split("/")[2]
    direction = DIRECTIONS[babel.Locale(str(head["lang"])).character_order]
    assert head["dir"] == direction
    html = sample.get(path, {"Accept": BROWSER}).text
    assert f'<html lang="{head["lang"]}" dir="{direction}"' in html
    assert sample.get(f"/api/public/v1/seo-page?path={path}").json["dir"] == direction
    assert str(head["tokens"]) == reply.headers["X-Markdown-Tokens"]
    lines = text.splitlines()
    assert lines[0] == f"# {head['title']}"
    assert lines[2].startswith("> ")
    assert f"[llms.txt]({BASE_URL}/{path[1:6]}/llms.txt)" in lines[2]
    tokens = blocks(text)
    headings = [token for token in tokens if token["type"] == "heading"]
    assert [token["attrs"]["level"] for token in headings].count(1) == 1
    assert [url for url in targets(tokens) if not url.startswith(("http", "mailto:", "tel:"))] == []
    assert re.search(r"^\s*:::", text, re.MULTILINE) is None
    assert "[llms.txt]" in text[:KEY_FACTS]


def blocks(text: str) -> list[dict[str, Any]]:
    """Parse a document to mistune tokens."""
    parsed = mistune.create_markdown(renderer=None, plugins=["table"])(text)
    assert isinstance(parsed, list)
    return parsed


def targets(tokens: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the URL of every link and image."""
    for token in tokens:
        if token["type"] in ("link", "image"):
            yield token["attrs"]["url"]
        yield from targets(token.get("children", []))


@EVERY_PAGE
def test_a_shared_cache_that_ignores_vary_never_holds_anything_but_html(
    sample: Visitor, path: str
) -> None:
    """At a page's own URL only HTML is cached publicly, unless it has the contact form."""
    for media_type, reply in answers(sample, path).items():
        may_keep = "public" in reply.headers["Cache-Control"]
        assert may_keep is (media_type is MediaType.HTML and not path.endswith("/contact"))


@EVERY_PAGE
def test_every_heading_has_an_id_of_its_own(sample: Visitor, path: str) -> None:
    """Headings of the page's text link to themselves; the markdown has no such links.

    The link stands beside its heading, has the name of it, and is no stop of the tabulator key.
    """
    html = sample.get(path, {"Accept": BROWSER}).text
    headings = re.findall(r"<h[1-6]\b([^>]*)>", html)
    assert headings
    assert all(' id="' in attributes for attributes in headings)
    ids = re.findall(r'\bid="([^"]*)"', html)
    assert len(ids) == len(set(ids))
    links = re.findall(_SELF_LINK, html)
    assert len(links) == html.count('class="anchor"') > 0
    assert set(links) <= set(ids)
    texts = re.findall(r"<h[1-6]\b[^>]*>(.*?)</h[1-6]>", html, re.DOTALL)
    assert not any("<a class" in text for text in texts)
    assert 'class="anchor"' not in sample.get(path, {"Accept": AGENT}).text


@EVERY_PAGE
def test_crawlers_do_not_follow_links_to_copies_of_the_contact_page(
    sample: Visitor, path: str
) -> None:
    """Each link with a query is a page of its own to them; those pages are not indexed."""
    html = sample.get(path, {"Accept": BROWSER}).text
    links = re.findall(r'<a [^>]*href="[^"]*/contact\?[^>]*>', html)
    assert [link for link in links if not link.startswith('<a rel="nofollow" ')] == []


@cases("query", ["page=/ae/en/erp", "plan=Growth", "sent=1", "utm_source=x"])
def test_copies_of_the_contact_page_are_not_indexed(sample: Visitor, query: str) -> None:
    """By their header and by their head; the page itself is."""
    copy = sample.get(f"/ae/en/contact?{query}", {"Accept": BROWSER})
    assert copy.headers["X-Robots-Tag"] == "noindex"
    assert '<meta name="robots" content="noindex, follow">' in copy.text
    page = sample.get("/ae/en/contact", {"Accept": BROWSER})
    assert '<meta name="robots" content="index, follow">' in page.text

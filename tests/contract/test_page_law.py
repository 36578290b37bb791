"""Laws of public pages: every page of the site map, in every form, by agents.md's table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import frontmatter
import mistune
import pytest
from conftest import locale_of
from contract.visitor import BASE_URL, NOW, Reply, Visitor

from app.settings import SAMPLE_CONTENT
from knowledge.loading import load_content
from knowledge.resources.site_map import site_map
from renderers.media_types import MediaType
from renderers.representation_urls import suffixed_path

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
AGENT = "text/markdown, text/html, */*"
FRONTEND = "application/json, text/plain, */*"
ACCEPTS = {MediaType.HTML: BROWSER, MediaType.MARKDOWN: AGENT, MediaType.JSON: FRONTEND}
MEDIA_TYPES = {
    MediaType.HTML: "text/html; charset=utf-8",
    MediaType.MARKDOWN: "text/markdown; charset=utf-8",
    MediaType.JSON: "application/json",
}
PUBLIC = "public, max-age=60, stale-while-revalidate=300"
KEY_FACTS = 5_000


def paths() -> Iterator[str]:
    """Every page of one locale in each language."""
    snapshot = load_content(SAMPLE_CONTENT).snapshot
    found = site_map(snapshot, NOW)
    for name in ("ae/en", "sa/ar"):
        locale = locale_of(name)
        yield from (locale.path + address.path for address in found.addresses(locale))


EVERY_PAGE = pytest.mark.parametrize("path", list(paths()))


def answers(sample: Visitor, path: str) -> dict[MediaType, Reply]:
    """A page in each form, by negotiation."""
    return {form: sample.get(path, {"Accept": accept}) for form, accept in ACCEPTS.items()}


@EVERY_PAGE
def test_each_form_tells_what_it_is(sample: Visitor, path: str) -> None:
    """Status, type, language, caching, and what stands only on some forms."""
    language = path.split("/")[2]
    for form, reply in answers(sample, path).items():
        told = reply.headers
        assert reply.status == 200
        assert told["Content-Type"] == MEDIA_TYPES[form]
        assert told["Content-Language"] == language
        assert told["Vary"] == "Accept, Accept-Encoding"
        assert "X-Robots-Tag" not in told
        assert f'<{BASE_URL}{path}>; rel="canonical"' in reply.links
        assert f'<{BASE_URL}/{path[1:6]}/llms.txt>; rel="describedby"' in reply.links
        is_html = form is MediaType.HTML
        assert told["Cache-Control"] == (PUBLIC if is_html else "private, max-age=300")
        assert told.get("Content-Location") == (None if is_html else suffixed_path(path, form))
        assert ("X-Markdown-Tokens" in told) is (form is MediaType.MARKDOWN)
        assert ("Content-Signal" in told) is (form is MediaType.MARKDOWN)


@EVERY_PAGE
def test_each_form_and_coding_has_an_entity_tag_of_its_own(sample: Visitor, path: str) -> None:
    """And with it each is known again: 304, with what a cache needs and no body."""
    tags = set()
    for accept in ACCEPTS.values():
        for coding in ("identity", "gzip", "br"):
            headers = {"Accept": accept, "Accept-Encoding": coding}
            full = sample.get(path, headers)
            again = sample.get(path, {**headers, "If-None-Match": full.headers["ETag"]})
            assert (again.status, again.body) == (304, b"")
            for name in ("ETag", "Vary", "Cache-Control", "Content-Location"):
                assert again.headers.get(name) == full.headers.get(name)
            tags.add(full.headers["ETag"])
    assert len(tags) == 9


@EVERY_PAGE
@pytest.mark.parametrize("form", [MediaType.MARKDOWN, MediaType.JSON])
def test_a_twin_is_its_form_whatever_is_accepted(
    sample: Visitor, path: str, form: MediaType
) -> None:
    """The negotiated bytes, public, pointing to the page, and not for an index."""
    negotiated = sample.get(path, {"Accept": ACCEPTS[form]})
    for accept in ("", BROWSER, "image/png", "*/*;q=0"):
        media_type_by_suffix = sample.get(suffixed_path(path, form), {"Accept": accept})
        assert (media_type_by_suffix.status, media_type_by_suffix.body) == (200, negotiated.body)
        assert media_type_by_suffix.headers["Content-Type"] == MEDIA_TYPES[form]
        assert media_type_by_suffix.headers["X-Robots-Tag"] == "noindex"
        assert media_type_by_suffix.headers["Cache-Control"] == PUBLIC
        assert "Content-Location" not in media_type_by_suffix.headers
        assert f'<{BASE_URL}{path}>; rel="canonical"' in media_type_by_suffix.links


@EVERY_PAGE
def test_head_tells_what_get_tells(sample: Visitor, path: str) -> None:
    """In every form."""
    for accept in ACCEPTS.values():
        got = sample.get(path, {"Accept": accept})
        head = sample.ask("HEAD", path, {"Accept": accept})
        assert (head.status, head.body) == (got.status, b"")
        assert sorted(head.headers.items()) == sorted(got.headers.items())


@EVERY_PAGE
def test_all_forms_say_the_same(sample: Visitor, path: str) -> None:
    """What the JSON calls title, heading, name or question stands in the other two."""
    found = answers(sample, path)
    html = squeezed(unescape(re.sub(r"<[^>]*>", "", found[MediaType.HTML].text)))
    markdown = squeezed(found[MediaType.MARKDOWN].text)
    language = path.split("/")[2]
    told = {squeezed(text) for text in headlines(found[MediaType.JSON].json, language)}
    assert told
    assert {text for text in told if text not in html} == set()
    assert {text for text in told if text not in markdown} == set()


def squeezed(text: str) -> str:
    """Text without white space, marks of direction and markdown's own signs."""
    return re.sub(r"[\s\u200e\u200f\u2066-\u2069\\*_`()\[\]]", "", text)


SHOWN = {"heading", "question", "customerName", "excerpt", "shortDescription", "quote"}
UNSEEN = {"seo", "navigation", "section", "page"}


def headlines(value: Any, language: str) -> Iterator[str]:
    """The texts of a body that readers are shown, in one language."""
    match value:
        case {"page": page, "items": items, "section": _}:  # testimonials: the frame is the site's
            yield from headlines([page.get("title", ""), *items], language)
        case {"page": dict(page)}:
            yield from headlines(page, language)
        case dict():
            for key, child in value.items():
                if key in SHOWN and isinstance(child, str):
                    yield child
                elif key in ("prev", "next"):  # neighbours go by their titles alone
                    yield child["title"] if child else ""
                elif key not in UNSEEN:
                    yield from headlines(child, language)
        case list():
            for child in value:
                yield from headlines(child, language)


@EVERY_PAGE
def test_markdown_is_clean_and_finds_its_way(sample: Visitor, path: str) -> None:
    """Front matter that parses, one H1 with the index below it, absolute links, no directives."""
    reply = sample.get(path, {"Accept": AGENT})
    head, text = frontmatter.parse(reply.text)
    assert head["url"] == BASE_URL + path
    assert head["lang"] == path.split("/")[2]
    assert head["dir"] == {"en": "ltr", "ar": "rtl"}[str(head["lang"])]
    assert str(head["tokens"]) == reply.headers["X-Markdown-Tokens"]
    lines = text.splitlines()
    assert lines[0] == f"# {head['title']}"
    assert lines[2].startswith("> ")
    assert f"[llms.txt]({BASE_URL}/{path[1:6]}/llms.txt)" in lines[2]
    tokens = blocks(text)
    titles = [each for each in tokens if each["type"] == "heading"]
    assert [each["attrs"]["level"] for each in titles].count(1) == 1
    assert [url for url in targets(tokens) if not url.startswith(("http", "mailto:", "tel:"))] == []
    assert re.search(r"^\s*:::", text, re.MULTILINE) is None
    assert "[llms.txt]" in text[:KEY_FACTS]


def blocks(text: str) -> list[dict[str, Any]]:
    """The document as mistune's tokens."""
    parsed = mistune.create_markdown(renderer=None, plugins=["table"])(text)
    assert isinstance(parsed, list)
    return parsed


def targets(tokens: list[dict[str, Any]]) -> Iterator[str]:
    """Every link and image of a document."""
    for token in tokens:
        if token["type"] in ("link", "image"):
            yield token["attrs"]["url"]
        yield from targets(token.get("children", []))


@EVERY_PAGE
def test_a_shared_cache_that_ignores_vary_never_holds_anything_but_html(
    sample: Visitor, path: str
) -> None:
    """What it may keep of a page's own address is what browsers want."""
    for form, reply in answers(sample, path).items():
        may_keep = "public" in reply.headers["Cache-Control"]
        assert may_keep is (form is MediaType.HTML)

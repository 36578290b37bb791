"""Content negotiation with the Accept headers of real clients and with unusual ones."""

from __future__ import annotations

import pytest
from cases import cases
from hypothesis import given
from hypothesis import strategies as st

from renderers.representation import (
    API_MEDIA_TYPES,
    PAGE_MEDIA_TYPES,
    MediaType,
    choose,
    names_a_media_type,
)

HTML, MARKDOWN, JSON = MediaType.HTML, MediaType.MARKDOWN, MediaType.JSON
PLAIN, XML = MediaType.PLAIN, MediaType.XML

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
OLD_WEBKIT = (
    "application/xml,application/xhtml+xml,text/html;q=0.9,text/plain;q=0.8,image/png,*/*;q=0.5"
)
OPENCODE_MARKDOWN = (
    "text/markdown;q=1.0, text/x-markdown;q=0.9, text/plain;q=0.8, text/html;q=0.7, */*;q=0.1"
)
OPENCODE_HTML = (
    "text/html;q=1.0, application/xhtml+xml;q=0.9, text/plain;q=0.8, text/markdown;q=0.7, */*;q=0.1"
)


@cases(
    ("accept", "page", "api"),
    [
        pytest.param(BROWSER, HTML, JSON, id="browser"),
        pytest.param("*/*", HTML, JSON, id="curl"),
        pytest.param(None, HTML, JSON, id="no header"),
        pytest.param("", HTML, JSON, id="empty header"),
        pytest.param("text/*", HTML, MARKDOWN, id="any text"),
        pytest.param("text/markdown, text/html, */*", MARKDOWN, MARKDOWN, id="Claude Code"),
        pytest.param("text/markdown, text/plain;q=0.9, */*;q=0.8", MARKDOWN, MARKDOWN, id="Cursor"),
        pytest.param(OPENCODE_MARKDOWN, MARKDOWN, MARKDOWN, id="OpenCode in markdown mode"),
        pytest.param(OPENCODE_HTML, HTML, MARKDOWN, id="OpenCode in html mode"),
        pytest.param("application/json, text/plain, */*", JSON, JSON, id="axios"),
        pytest.param("image/png, application/pdf", None, None, id="pictures only"),
        pytest.param("*/*;q=0", None, None, id="nothing at all"),
        pytest.param("text/markdown;charset=utf-8", MARKDOWN, MARKDOWN, id="with a charset"),
        pytest.param("text/x-markdown", MARKDOWN, MARKDOWN, id="former name of Markdown"),
        pytest.param("TEXT/Markdown", MARKDOWN, MARKDOWN, id="case does not matter"),
        pytest.param("text/plain", PLAIN, None, id="plain text is not markdown"),
        pytest.param("text/plain, text/markdown", PLAIN, MARKDOWN, id="text before markdown"),
        pytest.param("text/html;q=abc, text/markdown;q=0.1", MARKDOWN, MARKDOWN, id="broken q"),
        pytest.param("text/html;q=0.5, text/markdown;q=0.5", HTML, MARKDOWN, id="client's order"),
        pytest.param("text/markdown;q=0.5, text/html;q=0.5", MARKDOWN, MARKDOWN, id="reversed"),
        pytest.param("text/*, text/markdown", MARKDOWN, MARKDOWN, id="named beats wildcard"),
        pytest.param("text/*;q=0.9, text/html;q=0.1", MARKDOWN, MARKDOWN, id="most specific q"),
        pytest.param("*/*, text/html;q=0", MARKDOWN, JSON, id="all but HTML"),
        pytest.param("application/*", JSON, JSON, id="any application"),
        pytest.param('text/markdown;x="a,b;q=0", text/html;q=0.2', MARKDOWN, MARKDOWN, id="quoted"),
        pytest.param("application/xml", XML, XML, id="sitemap"),
        pytest.param("text/xml", XML, XML, id="sitemap by its other name"),
        pytest.param("application/xml;q=0.9, */*;q=0.1", XML, XML, id="sitemap before the rest"),
        pytest.param("text/xml, text/markdown;q=0.9", XML, XML, id="sitemap by its weight"),
        pytest.param("text/xml;q=0.5, text/markdown;q=0.9", MARKDOWN, MARKDOWN, id="by theirs"),
        pytest.param("application/json, application/xml", JSON, JSON, id="JSON before the sitemap"),
        pytest.param("application/atom+xml, */*;q=0.1", HTML, JSON, id="another XML"),
        pytest.param(OLD_WEBKIT, HTML, JSON, id="Safari before 2010"),
        pytest.param("application/xml, text/html;q=0.1", HTML, None, id="HTML with some weight"),
        pytest.param("text/xml, application/xhtml+xml;q=0", None, None, id="XHTML named only"),
        pytest.param("text/xml,\ttext/HTML ;q=x", None, None, id="HTML with a broken q"),
        pytest.param("text/html;q=1.5, text/markdown;q=0.1", MARKDOWN, MARKDOWN, id="q above 1"),
    ],
)
def test_the_best_media_type_is_chosen(
    accept: str | None, page: MediaType | None, api: MediaType | None
) -> None:
    """Pages default to HTML, the API to JSON; None means 406 for pages and JSON under /api/."""
    assert choose(accept, PAGE_MEDIA_TYPES) == page
    assert choose(accept, API_MEDIA_TYPES) == api


@cases(
    ("accept", "named"),
    [
        pytest.param("*/*", False, id="curl"),
        pytest.param(None, False, id="no header"),
        pytest.param("text/*;q=0.5", False, id="any text"),
        pytest.param(BROWSER, True, id="browser"),
        pytest.param("text/html;q=0", False, id="named only to refuse it"),
    ],
)
def test_wildcards_name_no_media_type(accept: str | None, *, named: bool) -> None:
    """Clients that name no media type get a missing page as short Markdown."""
    assert names_a_media_type(accept) is named


@given(st.text(max_size=300))
def test_any_header_is_accepted(accept: str) -> None:
    """It chooses a media type on offer, or none."""
    assert choose(accept, PAGE_MEDIA_TYPES) in (*PAGE_MEDIA_TYPES, None)


@given(
    st.lists(
        st.sampled_from(["text/html", "text/markdown", "application/json", "text/*", "*/*"]),
        min_size=1,
        max_size=5,
    ),
    st.lists(st.sampled_from(["", ";q=0", ";q=0.3", ";q=0.8", ";q=1"]), min_size=5, max_size=5),
)
def test_a_media_type_with_quality_zero_is_never_chosen(
    ranges: list[str], qualities: list[str]
) -> None:
    """A media type whose only own range has q=0 is not chosen."""
    parts = [name + quality for name, quality in zip(ranges, qualities, strict=False)]
    chosen = choose(", ".join(parts), PAGE_MEDIA_TYPES)
    named = [part for part in parts if chosen and part.startswith(str(chosen))]
    assert not named or any(not part.endswith(";q=0") for part in named)

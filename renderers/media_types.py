"""The media types that pages and the API offer."""

from __future__ import annotations

from enum import StrEnum
from typing import Self


class MediaType(StrEnum):
    """The media types of public pages, best first; the first is the default.

    Each has the suffix of its per-format URLs, if it has any, and the function that renders a page.
    All else follows: negotiation, links between representations, errors, and the manual.
    """

    suffix: str
    renderer: str

    HTML = "text/html", "", "renderers.html.renderer:render"
    MARKDOWN = "text/markdown", ".md", "renderers.markdown.renderer:render"
    JSON = "application/json", ".json", "renderers.json:render_page"
    XML = "application/xml", ".xml", "renderers.feeds.sitemap:render_page"
    PLAIN = "text/plain", "", "renderers.markdown.plain_text:render"

    def __new__(cls, name: str, suffix: str, renderer: str) -> Self:
        """Return a member that equals its name."""
        member = str.__new__(cls, name)
        member._value_ = name
        member.suffix, member.renderer = suffix, renderer
        return member


ALIASES = {"text/x-markdown": MediaType.MARKDOWN, "text/xml": MediaType.XML}

NAMED_BY_BROWSERS = frozenset({"text/html", "application/xhtml+xml"})
"""What a browser names in Accept. Old ones prefer XML to it, but are to show the page."""

PAGE_MEDIA_TYPES = tuple(MediaType)
"""Media types of a public page; the first is the default."""

SUFFIXED_MEDIA_TYPES = tuple(media_type for media_type in MediaType if media_type.suffix)
"""Media types with per-format URLs."""

DOCUMENTATION_MEDIA_TYPES = (MediaType.MARKDOWN, MediaType.JSON, MediaType.XML)
"""Media types of `/developers` besides HTML; JSON is the contract."""

API_MEDIA_TYPES = (MediaType.JSON, MediaType.MARKDOWN, MediaType.XML)
"""Media types of paths under `/api/`; the first is the default."""

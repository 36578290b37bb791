"""A representation: the bytes of a resource in one media type, and the URL that names the type."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from hashlib import blake2b
from typing import Self

from knowledge.addresses.addresses import split_locale
from knowledge.locales.locale import Language
from knowledge.resources.seo import Alternate
from knowledge.resources.site_page import PageMeta


@dataclass(frozen=True)
class Representation:
    """The body of a response and its metadata.

    `language` is the actual language of the text, None for several. `tokens` is the estimated
    number of tokens of a Markdown text, None for other media types.
    """

    media_type: str
    body: bytes
    language: str | None = None
    updated_at: datetime | None = None
    tokens: int | None = None

    @cached_property
    def tag(self) -> str:
        """The value of the ETag: it depends on media type, language and body."""
        metadata = f"{self.media_type}\0{self.language}\0".encode()
        return blake2b(metadata + self.body, digest_size=12).hexdigest()


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
    PLAIN = "text/plain", "", "renderers.markdown.renderer:render_plain_text"

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


_INDEX = "/index"
_HOME = re.compile(rf"/(?:[a-z]{{2}}/)?(?:{'|'.join(Language)})")


def suffixed_path(path: str, media_type: MediaType) -> str:
    """Return the per-format path of a canonical site path.

    >>> suffixed_path("/sa/ar/erp", MediaType.MARKDOWN), suffixed_path("/sa/ar", MediaType.JSON)
    ('/sa/ar/erp.md', '/sa/ar/index.json')
    """
    return (path + _INDEX if _HOME.fullmatch(path) else path) + media_type.suffix


def split_suffix(path: str) -> tuple[str, MediaType | None]:
    """Split a per-format path into the canonical path and the media type.

    Any other path is returned unchanged, with None.

    >>> split_suffix("/sa/ar/index.md")
    ('/sa/ar', <MediaType.MARKDOWN: 'text/markdown'>)
    >>> split_suffix("/sa/ar/erp")
    ('/sa/ar/erp', None)
    """
    for media_type in SUFFIXED_MEDIA_TYPES:
        if path.endswith(media_type.suffix):
            canonical = path.removesuffix(media_type.suffix)
            home = canonical.removesuffix(_INDEX)
            return (home if _HOME.fullmatch(home) else canonical), media_type
    return path, None


def mutual(page: PageMeta, alternates: Sequence[Alternate]) -> Sequence[Alternate]:
    """Return the variants of a page, which name it too; none of one that repeats another page."""
    own = page.view.absolute(page.path)
    return alternates if any(each.href == own for each in alternates) else ()


def other_languages(page: PageMeta, media_type: MediaType) -> Iterator[Alternate]:
    """Yield the per-format URLs of a page in the other languages of its country.

    The HTML head and the sitemap list the variants of all locales.
    """
    view = page.view
    own = page.language if isinstance(page.language, Language) else view.locale.language
    locale, _ = split_locale(page.path)
    others = {
        view.locale.in_language(each).tag if locale else str(each)
        for each in Language
        if each is not own
    }
    for alternate in mutual(page, page.alternates):
        if alternate.hreflang in others:
            path = suffixed_path(alternate.href.removeprefix(view.base_url), media_type)
            yield Alternate(hreflang=alternate.hreflang, href=view.base_url + path)

"""Representations: the bytes of a resource in one media type, and the choice of the media type.

Of an Accept header, the most specific matching range sets the quality of each offered media type.
Quality 0 excludes it, and the highest quality wins. On a tie, a media type that the client names
beats one that only a wildcard matches. Between two named types, the client's order decides;
otherwise the first one on offer, the default, wins. What is no form of the text of a page, as the
sitemap, is never chosen for a client that names HTML or XHTML: browsers that prefer XML to HTML
expect the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from hashlib import blake2b
from typing import Self

from knowledge.addresses.addresses import split_locale
from knowledge.fields.page_type import PAGE_TYPES, PageTypes
from knowledge.locales.locale import Language
from knowledge.resources.seo import Alternate
from knowledge.resources.site_map import BUILTIN_PAGES
from knowledge.resources.site_page import PageMeta


@dataclass(frozen=True, slots=True)
class Fill:
    """Fills in what no two visitors share, such as the token of a form.

    `shared` puts in its place what all visitors share for some hours. While that stays the same, a
    visitor's own page is current.
    """

    own: Callable[[bytes], bytes]
    shared: Callable[[bytes], bytes]


@dataclass(frozen=True)
class Representation:
    """The body of a response and its metadata.

    `language` is the actual language of the text, None for several. `tokens` is the estimated
    number of tokens of a Markdown text, None for other media types. `scripts` are the sources by
    which a policy allows the scripts in a page. `fill` completes a body that has a place for each
    visitor.
    """

    media_type: str
    body: bytes
    language: str | None = None
    updated_at: datetime | None = None
    tokens: int | None = None
    scripts: tuple[str, ...] = ()
    fill: Fill | None = None
    shared_tag: str | None = None

    def completed(self) -> Representation:
        """Return the representation for one visitor, with the tag of what all of them share."""
        if self.fill is None:
            return self
        shared = replace(self, body=self.fill.shared(self.body), fill=None)
        return replace(shared, body=self.fill.own(self.body), shared_tag=shared.tag)

    @cached_property
    def tag(self) -> str:
        """The value of the ETag: it depends on media type, language and body."""
        if self.shared_tag is not None:
            return self.shared_tag
        metadata = f"{self.media_type}\0{self.language}\0".encode()
        return blake2b(metadata + self.body, digest_size=12).hexdigest()


OTHER = "other"
"""The form of what is no text of a page: sitemaps, images, styles, downloads."""

_FORM_LETTERS = 16
"""The most letters that the database keeps of a form."""


class MediaType(StrEnum):
    """The media types of public pages, best first; the first is the default.

    Each has the suffix of its per-format URLs, if it has any, and the function that renders a page.
    `label` is what a page is in it: “a page as JSON”; by default the subtype. `schema` describes
    its bodies in the OpenAPI document. `form` is the one that the audience counts, by default the
    label; `OTHER` is no form of the text of a page. `aliases` are further names in Accept. All else
    follows: negotiation, links between representations, errors, and the manual.
    """

    suffix: str
    renderer: str
    label: str
    schema: Mapping[str, object]
    form: str
    aliases: tuple[str, ...]

    HTML = "text/html", "", "renderers.html.renderer:render", "HTML"
    MARKDOWN = (
        "text/markdown",
        ".md",
        "renderers.markdown.renderer:render",
        "Markdown",
        {"type": "string", "description": "Front matter, then CommonMark."},
        "markdown",
        ("text/x-markdown",),
    )
    JSON = (
        "application/json",
        ".json",
        "renderers.json:render_page",
        "JSON",
        {
            "type": "object",
            "description": "The body of the operation that returns the content of the page.",
        },
    )
    XML = (
        "application/xml",
        ".xml",
        "renderers.feeds.sitemap:render_page",
        "a sitemap",
        {
            "type": "string",
            "description": "A urlset of sitemaps.org with the page, and the pages that it lists.",
        },
        OTHER,
        ("text/xml",),
    )
    PLAIN = (
        "text/plain",
        "",
        "renderers.markdown.renderer:render_plain_text",
        "plain text",
        {"type": "string"},
        "markdown",
    )

    def __new__(
        cls,
        name: str,
        suffix: str,
        renderer: str,
        label: str = "",
        schema: Mapping[str, object] | None = None,
        form: str = "",
        aliases: tuple[str, ...] = (),
    ) -> Self:
        """Return a member that equals its name."""
        member = str.__new__(cls, name)
        member._value_ = name
        main, _, subtype = name.partition("/")
        is_text = {} if main == "text" else {"contentMediaType": name}
        member.suffix, member.renderer, member.aliases = suffix, renderer, aliases
        member.label = label or subtype.upper()
        member.schema = schema or {"type": "string", **is_text}
        member.form = form or member.label.lower()[:_FORM_LETTERS]
        return member

    @property
    def is_text(self) -> bool:
        """Whether its bodies are text, of which the OpenAPI document shows an example."""
        return "contentMediaType" not in self.schema


ALIASES = {alias: each for each in MediaType for alias in each.aliases}

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
_POSITION = re.compile(r"/page/\d+\Z")
"""The end of the path of a later page of a list on a static host."""
_HOME = re.compile(rf"/(?:[a-z]{{2}}/)?(?:{'|'.join(Language)})")


def suffixed_path(path: str, media_type: MediaType) -> str:
    """Return the per-format path of a canonical site path.

    >>> suffixed_path("/sa/ar/erp", MediaType.MARKDOWN), suffixed_path("/sa/ar", MediaType.JSON)
    ('/sa/ar/erp.md', '/sa/ar/index.json')
    """
    return (path + _INDEX if _HOME.fullmatch(path) else path) + media_type.suffix


def in_media_type(
    url: str, base_url: str, media_type: MediaType, pages: PageTypes = PAGE_TYPES
) -> str:
    """Return the per-format URL of a page of the site, which has pages of these types.

    Any other URL is unchanged. A query selects a part of a list; elsewhere it is that of a form.

    >>> in_media_type("https://a.test/developers#vat", "https://a.test", MediaType.MARKDOWN)
    'https://a.test/developers.md#vat'
    """
    on_site = url.removeprefix(base_url)
    path = re.split("[?#]", on_site, maxsplit=1)[0]
    rest = on_site[len(path) :]
    locale, below = split_locale(path)
    whole_list = _POSITION.sub("", below)
    found = pages.at(whole_list) if locale is not None else None
    is_plain = "?" not in rest and whole_list == below
    is_page = found[0].is_list or is_plain if found else path in BUILTIN_PAGES
    if on_site == url or "." in path or not is_page:
        return url
    return f"{base_url}{suffixed_path(path, media_type)}{rest}"


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
    return alternates if own in [each.href for each in alternates] else ()


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
    return variants_of(page, others, media_type)


def variants_of(page: PageMeta, tags: Container[str], media_type: MediaType) -> Iterator[Alternate]:
    """Yield the per-format URLs of a page in the locales with these hreflang tags."""
    for alternate in mutual(page, page.alternates):
        if alternate.hreflang in tags:
            path = suffixed_path(alternate.href.removeprefix(page.view.base_url), media_type)
            yield Alternate(hreflang=alternate.hreflang, href=page.view.base_url + path)


_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+(?P<end>"?)')
"""A quoted string. An unclosed one matches too, so that scanning stays linear in its length."""

_QUALITY = re.compile(r"(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)", re.ASCII)
_MAX_RANGES = 64
"""Maximum number of ranges to parse; browsers and agents send fewer. The rest is ignored."""


@dataclass(frozen=True, slots=True)
class MediaRange:
    """A range of an Accept header: type, subtype, quality and position in the header."""

    main: str
    sub: str
    quality: float
    position: int

    @property
    def specificity(self) -> int:
        """2 for a named type, 1 for `text/*`, 0 for `*/*`."""
        return (self.main != "*") + (self.sub != "*")

    def matches(self, media_type: MediaType) -> bool:
        """Return whether the range includes the media type."""
        main, _, sub = media_type.partition("/")
        return self.main in ("*", main) and self.sub in ("*", sub)


@dataclass(frozen=True, slots=True)
class _Offer:
    media_type: MediaType
    quality: float
    named: bool
    position: int


def parse_accept(header: str | None) -> tuple[MediaRange, ...]:
    """Parse a header into ranges; a malformed range has quality 0.

    An absent or empty header means `*/*`.

    >>> [(r.main, r.sub, r.quality) for r in parse_accept("text/html;q=0.5, */*;q=x")]
    [('text', 'html', 0.5), ('*', '*', 0.0)]
    """
    if header is None or not header.strip():
        header = "*/*"
    # Quoted parameters may contain commas, and none of them affects the choice.
    unquoted = _QUOTED.sub(lambda match: "" if match["end"] else match[0], header)
    parts = [part for part in unquoted.split(",") if part.strip()]
    return tuple(_range(part, position) for position, part in enumerate(parts[:_MAX_RANGES]))


def _range(part: str, position: int) -> MediaRange:
    media_type, *parameters = part.strip().lower().split(";")
    media_type = ALIASES.get(media_type.strip(), media_type.strip())
    main, _, sub = media_type.partition("/")
    quality = 1.0
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            quality = float(value) if _QUALITY.fullmatch(value := value.strip()) else 0.0
    # `*/html` is not a valid range.
    valid = bool(main and sub) and not (main == "*" and sub != "*")
    return MediaRange(main, sub, quality if valid else 0.0, position)


def choose(header: str | None, offered: Sequence[MediaType]) -> MediaType | None:
    """Return the best offered media type, or None if none is acceptable.

    >>> from renderers.representation import PAGE_MEDIA_TYPES
    >>> str(choose("text/markdown, text/html, */*", PAGE_MEDIA_TYPES))
    'text/markdown'
    >>> str(choose("*/*", PAGE_MEDIA_TYPES))
    'text/html'
    >>> str(choose("application/xml, application/xhtml+xml, text/html;q=0.9", PAGE_MEDIA_TYPES))
    'text/html'
    """
    ranges = parse_accept(header)
    if any(f"{each.main}/{each.sub}" in NAMED_BY_BROWSERS for each in ranges):
        offered = forms_of_text(offered)
    offers = [offer for each in offered if (offer := _offer(each, ranges)).quality > 0]
    if not offers:
        return None
    best = max(offer.quality for offer in offers)
    tied = [offer for offer in offers if offer.quality == best]
    named = [offer for offer in tied if offer.named]
    return min(named, key=lambda offer: offer.position).media_type if named else tied[0].media_type


def forms_of_text(offered: Sequence[MediaType]) -> Sequence[MediaType]:
    """Return the media types with the text of a page, which browsers may get."""
    return [each for each in offered if each.form != OTHER]


def _offer(media_type: MediaType, ranges: Sequence[MediaRange]) -> _Offer:
    """Rate a media type by its most specific range; of equally specific ones, by the best."""
    matches = [each for each in ranges if each.matches(media_type)]
    if not matches:
        return _Offer(media_type, 0.0, named=False, position=0)
    best = max(matches, key=lambda each: (each.specificity, each.quality, -each.position))
    return _Offer(media_type, best.quality, best.specificity == 2, best.position)


def names_a_media_type(header: str | None) -> bool:
    """Return whether the client names a type; many agents send only wildcards."""
    return any(each.specificity == 2 and each.quality > 0 for each in parse_accept(header))

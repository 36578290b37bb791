"""Content negotiation: choose a media type from an Accept header.

The most specific matching range sets the quality of each offered media type. Quality 0 excludes
it, and the highest quality wins. On a tie, a media type that the client names beats one that only
a wildcard matches. Between two named types, the client's order decides; otherwise the first one
on offer, the default, wins. XML, which is the sitemap, is never chosen for a client that names HTML
or XHTML, with any quality: browsers that prefer XML to HTML expect the page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from renderers.representation import ALIASES, NAMED_BY_BROWSERS, MediaType

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
        offered = [each for each in offered if each is not MediaType.XML]
    offers = [offer for each in offered if (offer := _offer(each, ranges)).quality > 0]
    if not offers:
        return None
    best = max(offer.quality for offer in offers)
    tied = [offer for offer in offers if offer.quality == best]
    named = [offer for offer in tied if offer.named]
    return min(named, key=lambda offer: offer.position).media_type if named else tied[0].media_type


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

"""Negotiation: which form a client means by its Accept header. Pure.

The most specific range gives each form its quality, zero excludes, the highest wins. On a tie
a form named outright beats one that only a wildcard matched; between two named forms the
client's order counts; else the default form, which is the first on offer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from renderers.media_types import ALIASES, MediaType

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+(?P<end>"?)')
"""A quoted string; what is never closed is matched as well, so that it is read only once."""

_QUALITY = re.compile(r"(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)", re.ASCII)
_MAX_RANGES = 64
"""A longer header is no browser's or agent's; what follows is not looked at."""


@dataclass(frozen=True, slots=True)
class MediaRange:
    """One range of an Accept header: type and subtype, its quality and its place."""

    main: str
    sub: str
    quality: float
    place: int

    @property
    def specificity(self) -> int:
        """2 for a named type, 1 for `text/*`, 0 for `*/*`."""
        return (self.main != "*") + (self.sub != "*")

    def matches(self, form: MediaType) -> bool:
        """Whether the range takes in the form."""
        main, _, sub = form.partition("/")
        return self.main in ("*", main) and self.sub in ("*", sub)


@dataclass(frozen=True, slots=True)
class _Offer:
    form: MediaType
    quality: float
    named: bool
    place: int


def parse_accept(header: str | None) -> tuple[MediaRange, ...]:
    """The ranges of a header, `*/*` for an absent or empty one; what is malformed counts 0.

    >>> [(r.main, r.sub, r.quality) for r in parse_accept("text/html;q=0.5, */*;q=x")]
    [('text', 'html', 0.5), ('*', '*', 0.0)]
    """
    if header is None or not header.strip():
        header = "*/*"
    # A quoted parameter may hold commas; none of them matters for the choice.
    unquoted = _QUOTED.sub(lambda match: "" if match["end"] else match[0], header)
    parts = [part for part in unquoted.split(",") if part.strip()]
    return tuple(_range(part, place) for place, part in enumerate(parts[:_MAX_RANGES]))


def _range(part: str, place: int) -> MediaRange:
    media_type, *parameters = part.strip().lower().split(";")
    media_type = ALIASES.get(media_type.strip(), media_type.strip())
    main, _, sub = media_type.partition("/")
    quality = 1.0
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            quality = float(value) if _QUALITY.fullmatch(value := value.strip()) else 0.0
    # `*/html` is no range that exists.
    valid = bool(main and sub) and not (main == "*" and sub != "*")
    return MediaRange(main, sub, quality if valid else 0.0, place)


def choose(header: str | None, offered: Sequence[MediaType]) -> MediaType | None:
    """The form the client means, or None where it accepts none of those on offer.

    >>> from renderers.media_types import PAGE_MEDIA_TYPES
    >>> str(choose("text/markdown, text/html, */*", PAGE_MEDIA_TYPES))
    'text/markdown'
    >>> str(choose("*/*", PAGE_MEDIA_TYPES))
    'text/html'
    """
    ranges = parse_accept(header)
    offers = [offer for form in offered if (offer := _offer(form, ranges)).quality > 0]
    if not offers:
        return None
    best = max(offer.quality for offer in offers)
    equal = [offer for offer in offers if offer.quality == best]
    named = [offer for offer in equal if offer.named]
    return min(named, key=lambda offer: offer.place).form if named else equal[0].form


def _offer(form: MediaType, ranges: Sequence[MediaRange]) -> _Offer:
    """The quality of the most specific range; of two alike the better one counts."""
    fitting = [each for each in ranges if each.matches(form)]
    if not fitting:
        return _Offer(form, 0.0, named=False, place=0)
    chosen = max(fitting, key=lambda each: (each.specificity, each.quality, -each.place))
    return _Offer(form, chosen.quality, chosen.specificity == 2, chosen.place)


def names_a_media_type(header: str | None) -> bool:
    """Whether the client named any type outright; many agents send wildcards alone."""
    return any(each.specificity == 2 and each.quality > 0 for each in parse_accept(header))

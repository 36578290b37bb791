"""Slugs and anchors: the parts of addresses that name documents and headings, made from texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, islice, takewhile
from re import Match
from typing import NamedTuple
from unicodedata import category, normalize
from zlib import crc32

_SEPARATORS = re.compile(r"[\W_]+")
_MARKS = ("Mn", "Mc")
_VARIATION_SELECTORS = frozenset(map(chr, range(0xFE00, 0xFE10)))
"""They choose between a text and an emoji, and belong to no word."""


def slugify(text: str) -> str:
    """Convert a text to lower case, with hyphens for all but letters, digits and their marks.

    >>> slugify("Rust.1.43.1"), slugify("What's new?"), slugify("Ağ_2"), slugify("المكوّنات")
    ('rust-1-43-1', 'what-s-new', 'ağ-2', 'المكوّنات')
    """
    if text.isascii():
        return _SEPARATORS.sub("-", text.lower()).strip("-")
    return _SEPARATORS.sub(_separator, normalize("NFC", text.lower())).strip("-")


_SIGNS = re.compile(r"(?<=\w)(?:\++|#)(?!\w)")
_SIGN_WORDS = re.compile(r"(?:(?:-plus)+|-sharp)(?=-|\Z)")


def term_slug(name: str) -> str:
    """Convert the name of a category to a slug; those of programming languages stay apart.

    >>> term_slug("C"), term_slug("C++"), term_slug("C#"), term_slug("R&D"), term_slug("A+B")
    ('c', 'c-plus-plus', 'c-sharp', 'r-d', 'a-b')
    """
    return slugify(_SIGNS.sub(_sign, name))


def former_term_slug(slug: str) -> str:
    """Return the slug of a category when its signs were left out, to redirect from it.

    >>> former_term_slug("c-plus-plus"), former_term_slug("c-sharp"), former_term_slug("tax")
    ('c', 'c', 'tax')
    """
    return _SIGN_WORDS.sub("", slug)


def _sign(match: Match[str]) -> str:
    return " sharp" if match[0] == "#" else " plus" * len(match[0])


def _separator(match: Match[str]) -> str:
    """Keep the marks that belong to the letter before them; replace the rest by a hyphen.

    Python's regular expressions count combining marks as separators.
    """
    separators = match[0]
    marks = "".join(takewhile(_is_mark, separators)) if match.start() else ""
    return marks if marks == separators else f"{marks}-"


def _is_mark(character: str) -> bool:
    return category(character) in _MARKS and character not in _VARIATION_SELECTORS


def former_slug(slug: str) -> str:
    """Return the slug that addresses had when marks separated words, to redirect from it.

    >>> former_slug("المكوّنات")
    'المكو-نات'
    """
    return slug if slug.isascii() else _SEPARATORS.sub("-", slug).strip("-")


RESERVED = frozenset(
    {
        "main",
        "site-search",
        *(
            f"contact-{field}"
            for field in ("name", "email", "phone", "company", "topic", "message", "website")
        ),
    }
)
"""The ids of elements of the site's pages that are no headings."""

_UNNAMED = "section"
"""The id of a heading without a letter or digit."""


class Heading(NamedTuple):
    """A heading: its plain text, and the id that its author set with `{#id}`, `""` without one."""

    text: str
    id: str = ""


class Anchor(NamedTuple):
    """The id of a heading, and two others, each `""` without one.

    `former` is its id when marks separated words. `short` is for links in answers: each letter of
    an id that is not ASCII takes six characters in a URL.
    """

    id: str
    former: str = ""
    short: str = ""

    @property
    def link(self) -> str:
        """The id for links in answers."""
        return self.short or self.id


class Anchors:
    """The ids on one page; a repeated one gets a number."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._counts = dict.fromkeys((*RESERVED, *taken), 1)

    def copy(self) -> Anchors:
        """Return the same ids, to be claimed independently."""
        copied = Anchors()
        copied._counts = dict(self._counts)
        return copied

    def claim_free(self, ids: Iterable[str]) -> dict[str, str]:
        """Claim those of some ids that are free, and return them by themselves."""
        free = {each: each for each in ids if each not in self._counts}
        self._counts.update(dict.fromkeys(free, 1))
        return free

    def claim(self, text: str, explicit: str = "") -> str:
        """Return the id of a heading: the explicit one, else its text's slug.

        An id that is taken gets a number.

        >>> anchors = Anchors()
        >>> anchors.claim("Opening hours"), anchors.claim("Opening *hours*"), anchors.claim("🎉")
        ('opening-hours', 'opening-hours-2', 'section')
        """
        wanted = explicit or slugify(text) or _UNNAMED
        anchor, number = wanted, self._counts.get(wanted, 1)
        while anchor in self._counts:
            number += 1
            anchor = f"{wanted}-{number}"
        self._counts[wanted] = number
        self._counts.setdefault(anchor, 1)
        return anchor

    def anchor(self, text: str, explicit: str = "") -> Anchor:
        """Claim the ids of a heading that a template writes.

        The number of the short one follows from the other, not from the headings before it.

        >>> Anchors().anchor("Opening hours"), Anchors().anchor("جرد").link
        (Anchor(id='opening-hours', former='', short=''), 'h-7833')
        """
        claimed = self.claim(text, explicit)
        number = crc32(claimed.encode()) % 10_000
        return Anchor(claimed, "", self.claim_short(claimed, f"h-{number}"))

    def claim_short(self, anchor: str, wanted: str) -> str:
        """Return the short id of an anchor, `""` if its id is short in a URL too."""
        return "" if anchor.isascii() else self.claim("", wanted)

    def claim_former(self, anchor: str) -> str:
        """Return the former id of an anchor if it had another one that is not taken, else `""`."""
        former = former_slug(anchor)
        if former in self._counts:
            return ""
        self._counts[former] = 1
        return former


@lru_cache(maxsize=512)
def allocate(
    groups: tuple[tuple[Heading, ...], ...], taken: tuple[str, ...] = ()
) -> tuple[tuple[Anchor, ...], ...]:
    """Return the anchors of the headings of each group of a page, beside the ids that are taken.

    An id that an author set is never given to another heading.
    """
    anchors, headings = Anchors(taken), tuple(chain.from_iterable(groups))
    explicit = anchors.claim_free([heading.id for heading in headings if heading.id])
    ids = [explicit.pop(heading.id, "") or anchors.claim(*heading) for heading in headings]
    former = ["" if each.isascii() else anchors.claim_former(each) for each in ids]
    short = [anchors.claim_short(each, f"s-{number}") for number, each in enumerate(ids, 1)]
    found = map(Anchor, ids, former, short)
    return tuple([tuple(islice(found, len(group))) for group in groups])

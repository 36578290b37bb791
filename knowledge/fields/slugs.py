"""Slugs: the part of an address that names a document, made from a text."""

from __future__ import annotations

import re
from itertools import takewhile
from re import Match
from unicodedata import category, normalize

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

"""The table of contents of a page: its headings of the first level, if there are enough."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from knowledge.resources.base import DocumentSection
from knowledge.resources.body_blocks import BodyHeading

_LEAST = 3
"""A text with fewer headings is seen at a glance."""


class ContentsEntry(NamedTuple):
    """A heading: its id on the page, and its text."""

    id: str
    text: str


def contents_of_sections(sections: Iterable[DocumentSection]) -> Sequence[ContentsEntry]:
    """Return the headings of sections, without those of calls to action."""
    shown = (section for section in sections if section.type != "cta")
    return _enough([ContentsEntry(each.id, each.heading) for each in shown if each.heading])


def contents_of_text(headings: Sequence[BodyHeading]) -> Sequence[ContentsEntry]:
    """Return the headings of the highest level in a text."""
    top = min((heading.level for heading in headings), default=0)
    return _enough([ContentsEntry(each.id, each.text) for each in headings if each.level == top])


def _enough(entries: Sequence[ContentsEntry]) -> Sequence[ContentsEntry]:
    return entries if len(entries) >= _LEAST else ()

"""The text of one section of a page: what stands under its heading, with smaller headings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import dropwhile, takewhile
from typing import NamedTuple

from knowledge.markdown.inline import rewrite_targets
from knowledge.resources.base import DocumentPage, DocumentSection, Resource
from knowledge.resources.passages import PageParts, Part
from knowledge.views.content_view import ContentView, absolute

_SMALLEST_HEADING = 6


class SectionText(NamedTuple):
    """A section: its heading, `""` for the text before the first one, and its CommonMark."""

    heading: str
    text: str


def section_text(
    view: ContentView, whole: PageParts, resource: Resource, anchor: str
) -> SectionText | None:
    """Return the section with an anchor, or None; `resource` is that of the page."""
    found = _by_anchor(whole.parts, anchor) or _in_document(whole.parts, resource, anchor)
    if not found:
        return None
    headings, parts = found
    text = "\n\n".join(filter(None, _blocks(whole, parts, headings[:-1])))
    text = rewrite_targets(text, partial(absolute, view.base_url))
    return SectionText(headings[-1] if headings else "", text)


_Found = tuple[tuple[str, ...], Sequence[Part]]


def _by_anchor(parts: Sequence[Part], anchor: str) -> _Found | None:
    rest = list(dropwhile(lambda part: part.anchor != anchor, parts))
    if not rest:
        return None
    headings = rest[0].headings
    if not headings:
        return headings, list(takewhile(lambda part: part.anchor == anchor, rest))
    return headings, _below(rest, headings)


def _in_document(parts: Sequence[Part], resource: Resource, anchor: str) -> _Found | None:
    """Return what has an anchor that no part has.

    It may be the former id of a heading, a heading in a list, or that of a section that begins with
    a smaller heading.
    """
    sections = resource.document.sections if isinstance(resource, DocumentPage) else ()
    for section in sections:
        own = next((each for each in section.anchors if anchor in each), None)
        if own or anchor == section.id:
            return _by_anchor(parts, own.id if own else "") or _of_section(parts, section)
    return None


def _of_section(parts: Sequence[Part], section: DocumentSection) -> _Found | None:
    if not section.heading:
        return _by_anchor(parts, section.id)
    headings = (section.heading,)
    rest = dropwhile(lambda part: part.headings[:1] != headings, parts)
    return headings, _below(rest, headings)


def _below(parts: Iterable[Part], headings: tuple[str, ...]) -> Sequence[Part]:
    return list(takewhile(lambda part: part.headings[: len(headings)] == headings, parts))


def _blocks(whole: PageParts, parts: Iterable[Part], above: tuple[str, ...]) -> Iterator[str]:
    """Yield the headings and texts of parts; a heading that is already `above` is not repeated."""
    for part in parts:
        shared = sum(1 for _ in takewhile(_is_same, zip(above, part.headings, strict=False)))
        for depth, heading in enumerate(part.headings[shared:], shared + 2):
            yield f"{'#' * min(depth, _SMALLEST_HEADING)} {heading}"
        yield from (whole.resolved(text) for _, text in part.blocks)
        above = part.headings


def _is_same(pair: tuple[str, str]) -> bool:
    return pair[0] == pair[1]


def anchors_of(whole: PageParts) -> Sequence[str]:
    """Return the anchors of the sections of a page, in order."""
    return list(dict.fromkeys(part.anchor for part in whole.parts if part.anchor != whole.anchor))

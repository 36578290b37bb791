"""Blog search: which posts of a locale hold every word of a query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from indexes.analysis import fold, terms
from knowledge.locale import Locale
from knowledge.resources.base import title_of
from knowledge.resources.blog import excerpt_of
from knowledge.view import View


class BlogIndex(Protocol):
    """Finds posts; one index belongs to one edition."""

    def search(self, view: View, query: str) -> Sequence[str]:
        """Slugs of the posts that fit, best first, those not yet due among them."""
        ...


@dataclass(frozen=True, slots=True)
class _Line:
    """The searched text of one post, folded."""

    slug: str
    title: str
    excerpt: str

    def holds(self, wanted: Sequence[str]) -> bool:
        return all(term in self.title or term in self.excerpt for term in wanted)

    def in_title(self, wanted: Sequence[str]) -> int:
        return sum(term in self.title for term in wanted)


class FoldedBlogIndex:
    """Matches folded substrings of title and excerpt; read when a locale is first searched."""

    def __init__(self) -> None:
        self._lines: dict[Locale, Sequence[_Line]] = {}

    def search(self, view: View, query: str) -> Sequence[str]:
        """Posts that hold every term, those with more of them in the title first."""
        wanted = terms(query)
        if not wanted:
            return ()
        found = [line for line in self._of(view) if line.holds(wanted)]
        # The sort is stable: among equals the shelf's order stands, newest first.
        found.sort(key=lambda line: -line.in_title(wanted))
        return [line.slug for line in found]

    def _of(self, view: View) -> Sequence[_Line]:
        if view.locale not in self._lines:
            self._lines[view.locale] = tuple(_lines(view))
        return self._lines[view.locale]


def _lines(view: View) -> list[_Line]:
    lines = []
    for card in view.snapshot.posts(view.locale).cards:
        resolved = view.at(card.published_at).resolve_entry(card.entry)
        if resolved is not None:
            title, excerpt = fold(title_of(resolved)), fold(excerpt_of(resolved))
            lines.append(_Line(card.entry.slug, title, excerpt))
    return lines

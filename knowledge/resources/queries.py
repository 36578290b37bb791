"""Queries: what the query parameters of a list select."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from knowledge.passages import Passage
from knowledge.resources.search_excerpts import Spans


@dataclass(frozen=True, slots=True)
class PostQuery:
    """Selects posts; `matches` holds the slugs that a search found, best first.

    `suggestion` is the query to suggest if no post matches.
    """

    page: int = 1
    page_size: int = 9
    category: str | None = None
    tag: str | None = None
    author: str | None = None
    matches: Sequence[str] | None = None
    suggestion: str | None = None


@dataclass(frozen=True, slots=True)
class FoundPages:
    """What a search of the site found.

    `shown` has the best passage of each page on the shown part of the list, `total` counts the
    pages of the whole list. `is_complete` says whether these are all pages that match; then
    `counts` has their number by kind, whatever kinds are asked for. `suggestion` is another query.
    """

    shown: Sequence[Passage] = ()
    total: int = 0
    is_complete: bool = True
    counts: Mapping[str, int] = field(default_factory=dict)
    suggestion: str | None = None


@dataclass(frozen=True, slots=True)
class SiteQuery:
    """A search of the site: its text, the kinds of pages, and what it found."""

    text: str = ""
    page: int = 1
    kinds: tuple[str, ...] = ()
    found: FoundPages = field(default_factory=FoundPages)


@dataclass(frozen=True, slots=True)
class PageQuery:
    """The query parameters of a page's URL; only lists use them."""

    posts: PostQuery = field(default_factory=PostQuery)
    search: str | None = None
    site: SiteQuery = field(default_factory=SiteQuery)
    highlights: Spans | None = None

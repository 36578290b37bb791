"""Queries: what the query parameters of a list select."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from knowledge.addresses import Address


@dataclass(frozen=True, slots=True)
class PostQuery:
    """Selects posts; `matches` holds the slugs that a search found, best first.

    `suggestion` is the query to suggest if no post matches.
    """

    page: int = 1
    page_size: int = 9
    category: str | None = None
    tag: str | None = None
    matches: Sequence[str] | None = None
    suggestion: str | None = None


@dataclass(frozen=True, slots=True)
class SiteQuery:
    """The query text, the addresses that match it, and the query to suggest if none do."""

    text: str = ""
    page: int = 1
    matches: Sequence[Address] = ()
    suggestion: str | None = None


@dataclass(frozen=True, slots=True)
class PageQuery:
    """The query parameters of a page's URL; only lists use them."""

    posts: PostQuery = field(default_factory=PostQuery)
    search: str | None = None
    site: SiteQuery = field(default_factory=SiteQuery)
    highlights: Callable[[str], Sequence[tuple[int, int]]] | None = None
    """Finds the words of the search in a text: returns the start and end of each."""

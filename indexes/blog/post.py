"""What the search of the blog compares: the title and the excerpt of each post."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from knowledge.locales.locale import Country, Language


@dataclass(frozen=True, slots=True)
class Post:
    """A post in one language as readers of some countries see it.

    `published` is the time in seconds since 1970.
    """

    slug: str
    countries: frozenset[Country | None]
    published: float

    @property
    def order(self) -> tuple[float, str]:
        """The sort key of posts that match equally: newest first."""
        return -self.published, self.slug


class PostText(NamedTuple):
    """The folded title and excerpt of a post, each in one line."""

    post: Post
    language: Language
    title: str
    excerpt: str


class Posts(Protocol):
    """All posts; `texts` is called only for posts whose version is not yet indexed."""

    @property
    def versions(self) -> Mapping[str, str]:
        """The version of each post, by slug: a digest of all that its texts depend on."""

    def texts(self, slug: str) -> Sequence[PostText]:
        """Return the texts of a post, one for each language and group of countries."""

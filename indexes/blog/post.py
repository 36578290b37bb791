"""Posts as the search compares them: their titles and excerpts, and lines joined to one text."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
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


_SAMPLE = 65_536
"""The number of characters by which it is decided how common a part is."""


class Lines:
    """Texts of one line each, by number."""

    def __init__(self, lines: Iterable[str]) -> None:
        lines = list(lines)
        self._joined = "\n".join(lines)
        self._starts = array("L", accumulate(map((1).__add__, map(len, lines)), initial=0))

    def __iter__(self) -> Iterator[str]:
        """Return the lines in order."""
        return iter(self._joined.split("\n"))

    def __getitem__(self, number: int) -> str:
        """Return the line with this number."""
        return self._joined[self._starts[number] : self._starts[number + 1] - 1]

    def holding(self, part: str) -> Iterator[int]:
        """Return the numbers of the lines that contain these letters.

        >>> list(Lines(["invoice", "voice", "vat"]).holding("voice"))
        [0, 1]
        """
        if self._is_common(part):
            return (number for number, line in enumerate(self) if part in line)
        before = self._joined.split(part)[:-1]
        return iter(dict.fromkeys(accumulate(text.count("\n") for text in before)))

    def _is_common(self, part: str) -> bool:
        """Return whether there are more occurrences of a part than lines, as far as sampled."""
        return self._joined.count(part, 0, _SAMPLE) > self._joined.count("\n", 0, _SAMPLE)

"""What is searched: passages of pages, each with the readers who may see it and when."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = 1_000_000
ALWAYS, NEVER = -(2**62), 2**62
"""The instants before and after all others, in microseconds."""


@dataclass(frozen=True, slots=True)
class SearchPassage:
    """A section of a page, or a part of one, with plain text in all fields.

    `key` is unique in the index, `page` joins the passages of one page. `audience` holds labels of
    the readers who see the passage, such as `sa/ar`; nobody else finds it. A text that different
    readers see at different times is several passages.
    """

    key: str
    page: str
    kind: str
    audience: frozenset[str]
    title: str
    headings: tuple[str, ...]
    body: str
    published_at: datetime | None = None
    unpublish_at: datetime | None = None


class Pages(Protocol):
    """All pages to search; `passages` is called only for pages whose version is not yet indexed."""

    @property
    def versions(self) -> Mapping[str, str]:
        """The version of each page: a digest of all that its passages depend on."""

    def passages(self, page: str) -> Sequence[SearchPassage]:
        """Return the passages of a page."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Who asks, and when; `kinds` limits the search to pages of these kinds, if there are any."""

    audience: str
    now: datetime
    kinds: tuple[str, ...] = ()


def microseconds(instant: datetime | None, otherwise: int) -> int:
    """Return an instant as an integer.

    >>> microseconds(datetime(1970, 1, 2, tzinfo=UTC), ALWAYS)
    86400000000
    """
    if instant is None:
        return otherwise
    elapsed = instant - _EPOCH
    return (elapsed.days * 86_400 + elapsed.seconds) * _MICROSECOND + elapsed.microseconds

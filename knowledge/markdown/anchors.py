"""Anchors: the ids of a page's headings, derived from their texts and unique on the page."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple

from knowledge.fields.slugs import former_slug, slugify

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
    """The id of a heading, and its id when marks separated words, `""` if that is the same."""

    id: str
    former: str = ""


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
    found = map(Anchor, ids, former)
    return tuple([tuple(islice(found, len(group))) for group in groups])

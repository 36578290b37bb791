"""Anchors: the ids of a page's headings, derived from their texts and unique on the page."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from knowledge.content_path import former_slug, slugify

RESERVED = frozenset(
    {
        "main",
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

    def __contains__(self, anchor: str) -> bool:
        return anchor in self._counts

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
        if anchor.isascii():
            return ""
        former = former_slug(anchor)
        if former in self:
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
    anchors = Anchors(taken)
    explicit = _explicit_ids(groups, anchors)
    ids = [
        [explicit.pop(heading.id, "") or anchors.claim(*heading) for heading in group]
        for group in groups
    ]
    return tuple(
        tuple([Anchor(each, anchors.claim_former(each)) for each in group]) for group in ids
    )


def _explicit_ids(groups: Iterable[Iterable[Heading]], anchors: Anchors) -> dict[str, str]:
    """Claim the explicit ids that are free, and return them."""
    wanted = {heading.id for group in groups for heading in group if heading.id}
    return {each: anchors.claim("", each) for each in wanted if each not in anchors}

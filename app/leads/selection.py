"""Selection: which leads an operator means, by what stands in them and when they came in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from fnmatch import translate

from app.leads.lead import Lead
from app.leads.store import LeadStore

SEARCHED = ("email", "name", "company", "message", "source_page")
"""The fields that a pattern is looked for in."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Conditions that all have to hold; None is no condition.

    A lead at `since` is among them, one at `until` is not.
    """

    pattern: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    quarantined: bool | None = None

    async def ids(self, store: LeadStore) -> list[str]:
        """The ids of the leads that are meant, oldest first."""
        found = store.all(self.quarantined, self.since, self.until)
        if self.pattern is None:
            return [stored.id async for stored in found]
        wanted = expression(self.pattern)
        return [stored.id async for stored in found if matches(stored.lead, wanted)]


def expression(pattern: str) -> re.Pattern[str]:
    """A pattern as a regular expression for folded text.

    With `*` or `?` it stands for a whole field, as file names do in a shell; brackets are only
    brackets. Without them it may stand anywhere in a field.

    >>> [bool(expression("*@Spam.example").match(each)) for each in ("a@spam.example", "a@spam.ex")]
    [True, False]
    >>> [bool(expression("[url=").match(each)) for each in ("see [url=http://x]", "[url]")]
    [True, False]
    """
    folded = pattern.casefold()
    is_whole = "*" in folded or "?" in folded
    return re.compile(translate((folded if is_whole else f"*{folded}*").replace("[", "[[]")))


def matches(lead: Lead, wanted: re.Pattern[str]) -> bool:
    """Whether one of the searched fields is what is wanted."""
    texts = (getattr(lead, name) for name in SEARCHED)
    return any(wanted.match(text.casefold()) for text in texts if text is not None)


def batches(lead_ids: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """The same ids, some at a time."""
    for start in range(0, len(lead_ids), size):
        yield lead_ids[start : start + size]

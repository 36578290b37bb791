"""Selection of leads by their content and their time of receipt."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from fnmatch import translate

from app.leads.lead import Lead
from app.leads.store import LeadStore

SEARCHED = ("email", "name", "company", "message", "source_page")
"""The fields that a pattern is matched against."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Conditions, all of which a lead must meet; None means any.

    `since` is inclusive, `until` exclusive.
    """

    pattern: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    quarantined: bool | None = None

    async def ids(self, store: LeadStore) -> list[str]:
        """Return the ids of the matching leads, oldest first."""
        leads = store.all(self.quarantined, self.since, self.until)
        if self.pattern is None:
            return [stored.id async for stored in leads]
        regex = expression(self.pattern)
        return [stored.id async for stored in leads if matches(stored.lead, regex)]


def expression(pattern: str) -> re.Pattern[str]:
    """Compile a pattern to a regular expression for case-folded text.

    A pattern with `*` or `?` must match a whole field, like a shell glob; brackets are literal.
    Any other pattern may match anywhere in a field.

    >>> [bool(expression("*@Spam.example").match(each)) for each in ("a@spam.example", "a@spam.ex")]
    [True, False]
    >>> [bool(expression("[url=").match(each)) for each in ("see [url=http://x]", "[url]")]
    [True, False]
    """
    folded = pattern.casefold()
    is_whole = "*" in folded or "?" in folded
    return re.compile(translate((folded if is_whole else f"*{folded}*").replace("[", "[[]")))


def matches(lead: Lead, regex: re.Pattern[str]) -> bool:
    """Return whether one of the searched fields matches."""
    texts = (getattr(lead, name) for name in SEARCHED)
    return any(regex.match(text.casefold()) for text in texts if text is not None)


def batches(lead_ids: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """Split ids into batches of at most `size`."""
    for start in range(0, len(lead_ids), size):
        yield lead_ids[start : start + size]

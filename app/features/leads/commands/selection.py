"""Selection of leads: the options of commands, and the conditions that they stand for."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from fnmatch import translate

import click

from app.console.database import Result, with_database
from app.console.settings import command_settings, instant
from app.features.leads.model import Lead, StoredLead
from app.features.leads.notifications import lead_store
from app.features.leads.settings import LeadSettings
from app.features.leads.store import LeadStore
from app.platform.deliveries.outbox import Outbox

SEARCHED = ("email", "name", "company", "message", "source_page")
"""The fields that a pattern is matched against."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Conditions, all of which a lead must meet; None means any.

    `since` is inclusive, `until` exclusive. `page` is the path of a page, or the begin of paths and
    `*`.
    """

    pattern: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    quarantined: bool | None = None
    page: str | None = None

    def __str__(self) -> str:
        """Return the conditions as words, for the record of exports."""
        return ", ".join(self._words()) or "all"

    def _words(self) -> Iterator[str]:
        if self.quarantined is not None:
            yield "quarantined" if self.quarantined else "not quarantined"
        if self.since is not None:
            yield f"since {self.since:%Y-%m-%dT%H:%M:%SZ}"
        if self.until is not None:
            yield f"until {self.until:%Y-%m-%dT%H:%M:%SZ}"
        if self.page is not None:
            yield f"page {self.page}"
        if self.pattern is not None:
            yield "matching a text"  # which may be personal data

    async def count(self, store: LeadStore) -> int:
        """Return the number of leads that match, whatever the pattern."""
        return await store.count(self.quarantined, self.until, self.since, self.page)

    async def leads(self, store: LeadStore) -> AsyncIterator[StoredLead]:
        """Yield the matching leads, oldest first."""
        regex = None if self.pattern is None else expression(self.pattern)
        async for stored in store.all(self.quarantined, self.since, self.until, self.page):
            if regex is None or matches(stored.lead, regex):
                yield stored

    async def ids(self, store: LeadStore) -> list[str]:
        """Return the ids of the matching leads, oldest first."""
        return [stored.id async for stored in self.leads(store)]


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


since_option = click.option(
    "--since",
    type=instant,
    metavar="DATE-TIME",
    help="Leads received at or after this date-time, for example 2026-11-20.",
)
until_option = click.option(
    "--until",
    type=instant,
    metavar="DATE-TIME",
    help="Leads received before this date-time.",
)


def with_store(work: Callable[[LeadStore], Awaitable[Result]]) -> Result:
    """Call a function with the lead store of the settings' database, as `with_database` does."""
    settings = command_settings().of(LeadSettings)
    return with_database(lambda database: work(lead_store(settings, database, Outbox(database))))

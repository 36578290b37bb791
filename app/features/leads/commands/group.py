"""`majlis leads`: the group of all commands on leads, and those that change or delete leads."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, TypeVar

import click

from app.console.database import with_database
from app.console.reports import progress_bar
from app.console.settings import period
from app.features.leads.commands.exports import export, exports, list_leads, show
from app.features.leads.commands.review import review
from app.features.leads.commands.selection import (
    Selection,
    batches,
    since_option,
    until_option,
    with_store,
)
from app.features.leads.commands.stats import stats
from app.features.leads.retention import BATCH, Identities, OverdueLeads, purge_in_batches
from app.features.leads.store import LeadStore
from app.platform.clock import utc_now
from app.platform.database.database import Database


@click.group()
def leads() -> None:
    """List, count, export, review, quarantine, release, anonymise and delete leads."""


Command = TypeVar("Command", bound=Callable[..., Any])


def _not_empty(_context: click.Context, _parameter: click.Parameter, text: Any) -> Any:
    """Refuse an empty text, as from an unset shell variable, which would match every lead."""
    if text is not None and not text.strip():
        raise click.BadParameter("The text is empty. Use * to select all leads.")
    return text


_OPTIONS = (
    click.argument("lead_ids", metavar="[ID]...", nargs=-1),
    click.option(
        "--matching",
        "pattern",
        metavar="TEXT",
        callback=_not_empty,
        help="Leads with this text in e-mail, name, company, message or source page, ignoring"
        " case. A text with * or ? must match a whole field: *@spam.example.",
    ),
    since_option,
    until_option,
    click.option("--yes", is_flag=True, help="Change matching leads without confirmation."),
)


def _selecting(command: Command) -> Command:
    """Add the ID argument, and the options that select leads instead, to a command."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class Change:
    """A change of leads, the words for its messages, and which leads it applies to."""

    verb: str
    done: str
    refusal: str
    apply: Callable[[LeadStore, Collection[str]], Awaitable[frozenset[str]]]
    quarantined: bool | None = None


_DELETE = Change("Delete", "Deleted", "does not exist", LeadStore.delete)
_QUARANTINE = Change(
    "Quarantine",
    "Quarantined",
    "does not exist or is already in quarantine",
    LeadStore.quarantine,
    quarantined=False,
)
_RELEASE = Change(
    "Release", "Released", "is not in quarantine", LeadStore.release, quarantined=True
)


@click.command()
@_selecting
@click.option(
    "--quarantined/--not-quarantined",
    default=None,
    help="Only leads in quarantine, or only leads that are not.",
)
def delete(lead_ids: tuple[str, ...], yes: bool, **filters: Any) -> None:
    """Delete leads by ID, or all that match the options."""
    _run(_DELETE, lead_ids, yes, filters)


@click.command()
@_selecting
def quarantine(lead_ids: tuple[str, ...], yes: bool, **filters: Any) -> None:
    """Quarantine leads by ID, or all that match the options."""
    _run(_QUARANTINE, lead_ids, yes, filters)


@click.command()
@_selecting
def release(lead_ids: tuple[str, ...], yes: bool, **filters: Any) -> None:
    """Release leads from quarantine by ID, or all that match the options."""
    _run(_RELEASE, lead_ids, yes, filters)


def _run(change: Change, lead_ids: Sequence[str], yes: bool, filters: Mapping[str, Any]) -> None:
    """Change the leads with the given IDs, or those that match, after a confirmation."""
    has_filters = any(value is not None for value in filters.values())
    if bool(lead_ids) is has_filters:
        raise click.UsageError("Give either lead IDs or options such as --matching.")
    if has_filters:
        selection = Selection(**{"quarantined": change.quarantined, **filters})
        lead_ids = with_store(selection.ids)
        if not lead_ids:
            click.echo("No matching leads.")
            return
        if not yes:
            click.confirm(f"{change.verb} {len(lead_ids)} leads?", abort=True)
    changed = _changed(change, lead_ids)
    click.echo(f"{change.done} {len(changed)} of {len(lead_ids)}.")
    unchanged = [lead_id for lead_id in lead_ids if lead_id not in changed]
    for lead_id in unchanged:
        click.echo(f"{lead_id} {change.refusal}.", err=True)
    sys.exit(1 if unchanged else 0)


def _changed(change: Change, lead_ids: Sequence[str]) -> frozenset[str]:
    """Change the leads in batches, so that new leads do not wait long for the database."""

    async def work(store: LeadStore) -> frozenset[str]:
        changed: frozenset[str] = frozenset()
        with progress_bar() as progress:
            task = progress.add_task(change.done, total=len(lead_ids))
            for batch in batches(lead_ids, BATCH):
                changed |= await change.apply(store, batch)
                progress.advance(task, len(batch))
        return changed

    return with_store(work)


for command in (list_leads, show, export, exports, stats, review, delete, quarantine, release):
    leads.add_command(command)


_OLDER_THAN = click.option(
    "--older-than",
    type=period,
    required=True,
    help="Minimum age of the leads, for example 90d, 12w or 24h.",
    metavar="PERIOD",
)


@leads.command()
@_OLDER_THAN
def purge(older_than: timedelta) -> None:
    """Delete old leads, including those in quarantine."""
    before = utc_now() - older_than

    async def work(store: LeadStore) -> int:
        return await _purge(store, before, await store.count(before=before), "Deleted")

    click.echo(f"Deleted {with_store(work)} leads.")


@leads.command()
@_OLDER_THAN
@click.option("--yes", is_flag=True, help="Anonymise without confirmation.")
def anonymise(older_than: timedelta, yes: bool) -> None:
    """Take away what identifies a person in old leads, including those in quarantine.

    Their number by day, page, country, language and campaign stays. This cannot be undone.
    """
    before = utc_now() - older_than
    total = with_database(lambda database: Identities(database).count(before))
    if not total:
        click.echo("No leads to anonymise.")
        return
    if not yes:
        click.confirm(f"Anonymise {total} leads? This cannot be undone.", abort=True)

    async def work(database: Database) -> int:
        return await _purge(Identities(database), before, total, "Anonymised")

    click.echo(f"Anonymised {with_database(work)} leads.")


async def _purge(store: OverdueLeads, before: datetime, expected: int, done: str) -> int:
    """Delete or anonymise in batches, so that new leads do not wait long for the database."""
    total = 0
    with progress_bar() as progress:
        task = progress.add_task(done, total=expected)
        async for count in purge_in_batches(store, before):
            total += count
            progress.advance(task, count)
    return total


@leads.command()
@click.option("--email", required=True, help="The e-mail address, ignoring case.")
def erase(email: str) -> None:
    """Delete all leads of one person."""
    click.echo(f"Deleted {with_store(lambda store: store.erase(email))} leads.")

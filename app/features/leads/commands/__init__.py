"""`majlis leads`: the group of all commands on leads, and those that change or delete leads."""

from __future__ import annotations

import sys
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import click

from app.console import older_than_option, since_option, with_options
from app.console.database import with_database
from app.console.output import progress_bar
from app.features.leads.commands import selections
from app.features.leads.commands.statistics import stats
from app.features.leads.exports import ExportRecords, fields_of
from app.features.leads.model import Reason, StoredLead
from app.features.leads.retention import BATCH, Identities, OverdueLeads, purge_in_batches
from app.features.leads.spam_filter import SpamHistory, StoredAssessment
from app.features.leads.store import LeadStore
from app.platform.clock import utc_now
from app.platform.database.database import Database
from app.platform.printable import printable_json
from knowledge.fields.field_types import e164


@click.group()
def leads() -> None:
    """List, count, export, review, quarantine, release, anonymise and delete leads."""


def _not_empty(_context: click.Context, _parameter: click.Parameter, text: Any) -> Any:
    """Refuse an empty text, as from an unset shell variable, which would match every lead."""
    if text is not None and not text.strip():
        raise click.BadParameter("The text is empty. Use * to select all leads.")
    return text


_selecting = with_options(
    click.argument("lead_ids", metavar="[ID]...", nargs=-1),
    click.option(
        "--matching",
        "pattern",
        metavar="TEXT",
        callback=_not_empty,
        help="Leads with this text in e-mail, name, company, message or source page, ignoring"
        " case. A text with * or ? must match a whole field: *@spam.example.",
    ),
    since_option("Leads received"),
    selections.until_option,
    click.option("--yes", is_flag=True, help="Change matching leads without confirmation."),
)


@dataclass(frozen=True, slots=True)
class LeadChange:
    """A change of leads, the words for its messages, and which leads it applies to."""

    verb: str
    done: str
    refusal: str
    apply: Callable[[LeadStore, Collection[str]], Awaitable[frozenset[str]]]
    quarantined: bool | None = None


_DELETE = LeadChange("Delete", "Deleted", "does not exist", LeadStore.delete)
_QUARANTINE = LeadChange(
    "Quarantine",
    "Quarantined",
    "does not exist or is already in quarantine",
    LeadStore.quarantine,
    quarantined=False,
)
_RELEASE = LeadChange(
    "Release", "Released", "is not in quarantine", LeadStore.release, quarantined=True
)


@leads.command()
@_selecting
@click.option(
    "--quarantined/--not-quarantined",
    default=None,
    help="Only leads in quarantine, or only leads that are not.",
)
def delete(lead_ids: tuple[str, ...], yes: bool, **filters: Any) -> None:
    """Delete leads by ID, or all that match the options."""
    _run(_DELETE, lead_ids, yes, filters)


@leads.command()
@_selecting
def quarantine(lead_ids: tuple[str, ...], yes: bool, **filters: Any) -> None:
    """Quarantine leads by ID, or all that match the options."""
    _run(_QUARANTINE, lead_ids, yes, filters)


@leads.command()
@_selecting
def release(lead_ids: tuple[str, ...], yes: bool, **filters: Any) -> None:
    """Release leads from quarantine by ID, or all that match the options."""
    _run(_RELEASE, lead_ids, yes, filters)


def _run(
    change: LeadChange, lead_ids: Sequence[str], yes: bool, filters: Mapping[str, Any]
) -> None:
    """Change the leads with the given IDs, or those that match, after a confirmation."""
    has_filters = any(value is not None for value in filters.values())
    if bool(lead_ids) is has_filters:
        raise click.UsageError("Give either lead IDs or options such as --matching.")
    if has_filters:
        selection = selections.Selection(**{"quarantined": change.quarantined, **filters})
        lead_ids = selections.with_store(selection.ids)
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


def _changed(change: LeadChange, lead_ids: Sequence[str]) -> frozenset[str]:
    """Change the leads in batches, so that new leads do not wait long for the database."""

    async def work(store: LeadStore) -> frozenset[str]:
        changed: frozenset[str] = frozenset()
        with progress_bar() as progress:
            task = progress.add_task(change.done, total=len(lead_ids))
            for batch in selections.batches(lead_ids, BATCH):
                changed |= await change.apply(store, batch)
                progress.advance(task, len(batch))
        return changed

    return selections.with_store(work)


_Reviewed = tuple[StoredLead, StoredAssessment]


@leads.command()
@since_option("Leads received")
@selections.until_option
@click.option(
    "--reason",
    type=click.Choice([each.value for each in Reason]),
    help="Only leads with this reason.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line; asks nothing.")
@click.option("--by", metavar="NAME", help="Who reviews, for the record of exports.")
def review(as_json: bool, by: str | None, reason: str | None, **times: object) -> None:
    """Go through quarantine, oldest first: release, delete, skip or quit.

    Each lead is shown with its score and the reasons for it. What is released counts in favour of
    later leads of the same sender, domain or text.
    """
    selection = selections.Selection(quarantined=True, **times)  # type: ignore[arg-type]
    reviewed = with_database(partial(_quarantined, selection=selection, by=by, reason=reason))
    if as_json:
        for stored, assessment in reviewed:
            judged = {"score": assessment.score, "reasons": dict(assessment.points)}
            click.echo(printable_json({**fields_of(stored), **judged}))
        return
    if not reviewed:
        click.echo("No leads to review.")
    _ask_for_each(reviewed)


async def _quarantined(
    database: Database, selection: selections.Selection, by: str | None, reason: str | None
) -> list[_Reviewed]:
    """Return the leads to review, and record who saw them."""
    records, history = ExportRecords(database, utc_now), SpamHistory(database)
    found = []
    async with records.recording("review", selections.exporter(by), str(selection)) as progress:
        async for stored in selection.leads(LeadStore(database)):
            assessment = await history.assessment(stored.id)
            if reason is None or reason in assessment.points:
                found.append((stored, assessment))
                progress.number += 1
    return found


def _ask_for_each(reviewed: list[_Reviewed]) -> None:
    counts = {"released": 0, "deleted": 0}
    for number, (stored, assessment) in enumerate(reviewed, 1):
        click.echo(f"\n{number} of {len(reviewed)}: score {assessment}")
        click.echo("\n".join(selections.lead_lines(stored)))
        choice = _choice()
        if choice == "q":
            break
        if choice == "r":
            counts["released"] += _change_one(LeadStore.release, stored.id)
        if choice == "d":
            counts["deleted"] += _change_one(LeadStore.delete, stored.id)
    click.echo(f"Released {counts['released']}, deleted {counts['deleted']}.")


def _choice() -> str:
    """Ask what to do; the end of the input quits."""
    try:
        answer = click.prompt(
            "(r)elease, (d)elete, (s)kip, (q)uit",
            type=click.Choice(["r", "d", "s", "q"]),
            show_choices=False,
        )
    except click.Abort:
        return "q"
    return str(answer)


def _change_one(
    change: Callable[[LeadStore, list[str]], Awaitable[frozenset[str]]], lead_id: str
) -> int:
    """Change one lead; 0 if somebody else has meanwhile."""
    return len(selections.with_store(lambda store: change(store, [lead_id])))


@leads.command()
@older_than_option("leads")
def purge(older_than: timedelta) -> None:
    """Delete old leads, including those in quarantine."""
    before = utc_now() - older_than

    async def work(store: LeadStore) -> int:
        return await _purge(store, before, await store.count(before=before), "Deleted")

    click.echo(f"Deleted {selections.with_store(work)} leads.")


@leads.command()
@older_than_option("leads")
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
@click.option("--email", default="", show_default=False, help="The e-mail address, ignoring case.")
@click.option(
    "--phone", default="", show_default=False, help="The telephone number, such as +971501234567."
)
def erase(email: str, phone: str) -> None:
    """Delete all leads of one person, with their files."""
    if bool(email.strip()) is bool(phone.strip()):
        raise click.UsageError("Give either --email or --phone.")
    number = e164(phone) or ""
    if phone.strip() and not number:
        raise click.UsageError("Write the number with the code of its country: +971501234567.")
    deleted = selections.with_store(lambda store: store.erase(email.strip(), number))
    click.echo(f"Deleted {deleted} leads.")


for command in (
    selections.list_leads,
    selections.show,
    selections.file,
    selections.export,
    selections.exports,
    stats,
):
    leads.add_command(command)

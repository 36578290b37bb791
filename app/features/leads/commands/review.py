"""`majlis leads review`: goes through the leads in quarantine, each with the reasons for it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

import click

from app.console.database import with_database
from app.features.leads.commands.exports import exporter, lead_lines
from app.features.leads.commands.selection import Selection, since_option, until_option, with_store
from app.features.leads.exports import ExportRecords, fields_of
from app.features.leads.model import Reason, StoredLead
from app.features.leads.spam_history import SpamHistory, StoredAssessment
from app.features.leads.store import LeadStore
from app.platform.clock import utc_now
from app.platform.database.database import Database
from app.platform.printable import printable_json

Result = TypeVar("Result")
_Reviewed = tuple[StoredLead, StoredAssessment]


@click.command()
@since_option
@until_option
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
    selection = Selection(quarantined=True, **times)  # type: ignore[arg-type]
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
    database: Database, selection: Selection, by: str | None, reason: str | None
) -> list[_Reviewed]:
    """Return the leads to review, and record who saw them."""
    records, history = ExportRecords(database, utc_now), SpamHistory(database)
    found = []
    async with records.recording("review", exporter(by), str(selection)) as progress:
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
        click.echo("\n".join(lead_lines(stored)))
        choice = _choice()
        if choice == "q":
            break
        if choice == "r":
            counts["released"] += _changed(LeadStore.release, stored.id)
        if choice == "d":
            counts["deleted"] += _changed(LeadStore.delete, stored.id)
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


def _changed(
    change: Callable[[LeadStore, list[str]], Awaitable[frozenset[str]]], lead_id: str
) -> int:
    """Change one lead; 0 if somebody else has meanwhile."""
    return len(with_store(lambda store: change(store, [lead_id])))

"""`majlis leads`: lists, counts, exports, changes and deletes leads."""

from __future__ import annotations

from datetime import datetime, timedelta

import click

from app.console.database import with_database
from app.console.output import progress_bar
from app.console.param_types import period
from app.features.leads.commands.changes import delete, quarantine, release
from app.features.leads.commands.exports import export, exports, list_leads, show
from app.features.leads.commands.options import with_store
from app.features.leads.commands.review import review
from app.features.leads.commands.stats import stats
from app.features.leads.identities import Identities
from app.features.leads.retention import OverdueLeads, purge_in_batches
from app.features.leads.store import LeadStore
from app.platform.clock import utc_now
from app.platform.database.database import Database


@click.group()
def leads() -> None:
    """List, count, export, review, quarantine, release, anonymise and delete leads."""


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

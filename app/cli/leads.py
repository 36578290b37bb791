"""`majlis leads`: lists, counts, exports, changes and deletes leads."""

from __future__ import annotations

from datetime import timedelta

import click

from app.cli.database import with_store
from app.cli.lead_changes import delete, quarantine, release
from app.cli.lead_exports import export, exports, list_leads, show
from app.cli.lead_stats import stats
from app.cli.output import progress_bar
from app.cli.param_types import period
from app.clock import utc_now
from app.leads.retention import purge_in_batches
from app.leads.store import LeadStore


@click.group()
def leads() -> None:
    """List, count, export, quarantine, release and delete leads."""


for command in (list_leads, show, export, exports, stats, delete, quarantine, release):
    leads.add_command(command)


@leads.command()
@click.option(
    "--older-than",
    type=period,
    required=True,
    help="Minimum age of the leads, for example 90d, 12w or 24h.",
    metavar="PERIOD",
)
def purge(older_than: timedelta) -> None:
    """Delete old leads, including those in quarantine."""
    before = utc_now() - older_than

    async def work(store: LeadStore) -> int:
        total = 0
        with progress_bar() as progress:
            task = progress.add_task("Deleted", total=await store.count(before=before))
            async for count in purge_in_batches(store, before):
                total += count
                progress.advance(task, count)
        return total

    click.echo(f"Deleted {with_store(work)} leads.")


@leads.command()
@click.option("--email", required=True, help="The e-mail address, ignoring case.")
def erase(email: str) -> None:
    """Delete all leads of one person."""
    click.echo(f"Deleted {with_store(lambda store: store.erase(email))} leads.")

"""`majlis leads`: lists, shows, exports, changes and deletes leads."""

from __future__ import annotations

from datetime import timedelta

import click

from app.cli.database import with_store
from app.cli.lead_changes import delete, quarantine, release
from app.cli.output import printable, progress_bar
from app.cli.param_types import period
from app.clock import utc_now
from app.leads.export import FORMATS, fields_of
from app.leads.retention import purge_in_batches
from app.leads.store import LeadStore

_QUARANTINED = click.option(
    "--quarantined", is_flag=True, help="Leads in quarantine instead of the others."
)


@click.group()
def leads() -> None:
    """List, export, quarantine, release and delete leads."""


for command in (delete, quarantine, release):
    leads.add_command(command)


@leads.command("list")
@_QUARANTINED
def list_leads(quarantined: bool) -> None:
    """List leads, oldest first: ID, time, e-mail address, name, subject, campaign.

    The subject is the product or service, else the page before the form.
    """

    async def work(store: LeadStore) -> None:
        async for stored in store.all(quarantined):
            lead = stored.lead
            subject = lead.product_service or lead.page
            campaign = lead.utm_campaign or lead.utm_source
            who = (stored.id, f"{stored.received_at:%Y-%m-%d %H:%M}", lead.email, lead.name)
            cells = (*who, subject, campaign)
            click.echo("  ".join(printable(cell or "–") for cell in cells))
        hidden = 0 if quarantined else await store.count(quarantined=True)
        if hidden:
            click.echo(f"{hidden} in quarantine: majlis leads list --quarantined", err=True)

    with_store(work)


@leads.command()
@click.argument("lead_id", metavar="ID")
def show(lead_id: str) -> None:
    """Show all fields of a lead."""
    stored = with_store(lambda store: store.get(lead_id))
    if stored is None:
        raise click.ClickException(f"There is no lead {lead_id}. See `majlis leads list`.")
    for name, value in fields_of(stored).items():
        lines = [printable(line) for line in str(value).splitlines()]
        click.echo(f"{name}: " + "\n    ".join(lines))


@leads.command()
@click.option(
    "--format",
    "format_name",
    type=click.Choice(tuple(FORMATS)),
    default="csv",
    show_default=True,
    help="CSV for spreadsheets, or one JSON object per line.",
)
@_QUARANTINED
def export(format_name: str, quarantined: bool) -> None:
    """Export leads to standard output, oldest first.

    Fields have the same names as in the API.
    """
    header, to_line = FORMATS[format_name]

    async def work(store: LeadStore) -> None:
        with progress_bar() as progress:
            task = progress.add_task("Leads", total=await store.count(quarantined))
            click.echo(header, nl=False)
            async for stored in store.all(quarantined):
                click.echo(to_line(stored), nl=False)
                progress.advance(task)

    with_store(work)


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

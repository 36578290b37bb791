"""`majlis leads`: what the operator does with the leads that came in."""

from __future__ import annotations

from datetime import timedelta

import click

from app.cli.lead_changes import delete, quarantine, release
from app.cli.lead_store import progress_bar, with_store
from app.cli.period import Period
from app.clock import utc_now
from app.leads.export import FORMATS, fields_of
from app.leads.retention import purge_in_batches
from app.leads.store import LeadStore

_QUARANTINED = click.option(
    "--quarantined", is_flag=True, help="Those in quarantine, instead of those that are not."
)


@click.group()
def leads() -> None:
    """Read, take away, release and delete the leads that came in."""


for command in (delete, quarantine, release):
    leads.add_command(command)


@leads.command("list")
@_QUARANTINED
def list_leads(quarantined: bool) -> None:
    """List leads, oldest first: id, time, address, name."""

    async def work(store: LeadStore) -> None:
        async for stored in store.all(quarantined):
            lead = stored.lead
            cells = (stored.id, f"{stored.received_at:%Y-%m-%d %H:%M}", lead.email, lead.name)
            click.echo("  ".join(_printable(cell or "–") for cell in cells))
        waiting = 0 if quarantined else await store.count(quarantined=True)
        if waiting:
            click.echo(f"{waiting} in quarantine: majlis leads list --quarantined", err=True)

    with_store(work)


@leads.command()
@click.argument("lead_id", metavar="ID")
def show(lead_id: str) -> None:
    """Show all of one lead."""
    stored = with_store(lambda store: store.get(lead_id))
    if stored is None:
        raise click.ClickException(f"There is no lead {lead_id}. See `majlis leads list`.")
    for name, value in fields_of(stored).items():
        lines = [_printable(line) for line in str(value).splitlines()]
        click.echo(f"{name}: " + "\n    ".join(lines))


@leads.command()
@click.option(
    "--format",
    "form",
    type=click.Choice(tuple(FORMATS)),
    default="csv",
    show_default=True,
    help="CSV for spreadsheets, or one JSON object a line.",
)
@_QUARANTINED
def export(form: str, quarantined: bool) -> None:
    """Write leads to standard output, oldest first, by the API's field names."""
    head, line = FORMATS[form]

    async def work(store: LeadStore) -> None:
        with progress_bar() as progress:
            task = progress.add_task("Leads", total=await store.count(quarantined))
            click.echo(head, nl=False)
            async for stored in store.all(quarantined):
                click.echo(line(stored), nl=False)
                progress.advance(task)

    with_store(work)


@leads.command()
@click.option(
    "--older-than", type=Period(), required=True, help="Such as 90d, 12w or 24h.", metavar="PERIOD"
)
def purge(older_than: timedelta) -> None:
    """Delete leads that came in longer ago, those in quarantine too."""
    before = utc_now() - older_than

    async def work(store: LeadStore) -> int:
        total = 0
        with progress_bar() as progress:
            task = progress.add_task("Deleted", total=await store.count(before=before))
            async for number in purge_in_batches(store, before):
                total += number
                progress.advance(task, number)
        return total

    click.echo(f"Deleted {with_store(work)} leads.")


@leads.command()
@click.option("--email", required=True, help="The address, in any case.")
def erase(email: str) -> None:
    """Delete all leads of one person."""
    click.echo(f"Deleted {with_store(lambda store: store.erase(email))} leads.")


def _printable(text: str) -> str:
    """A visitor's text without what could steer the operator's terminal."""
    return "".join(each if each.isprintable() else "�" for each in text)

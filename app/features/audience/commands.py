"""`majlis audience`: reports on who reads what."""

from __future__ import annotations

from datetime import date, timedelta

import click

from app.console.database import with_database
from app.console.reports import FORMATS, Reports, report_options
from app.console.settings import command_settings
from app.features.audience.reports import REPORTS
from app.features.audience.settings import AudienceSettings
from app.features.audience.store import AudienceStore
from app.platform.clock import utc_now
from app.platform.database.database import Database


@click.command("audience")
@report_options(REPORTS, limited="; of agents for each week, of pages for each class")
def audience(age: timedelta, format_name: str, names: tuple[str, ...], limit: int) -> None:
    """Report who reads what: agents, pages, searches in vain, missing pages, forms.

    It needs AUDIENCE=on where the service runs. Counts are written once a minute.
    """
    since = (utc_now() - age).date()

    async def work(database: Database) -> tuple[date | None, Reports]:
        store = AudienceStore(database)
        chosen = {name: REPORTS[name] for name in names or REPORTS}
        reports = {name: await report(store, since, limit) for name, report in chosen.items()}
        return await store.oldest(), reports

    oldest, reports = with_database(work)
    if oldest is None:
        click.echo(
            _nothing_counted(is_on=command_settings().of(AudienceSettings).audience), err=True
        )
    elif not any(report.rows for report in reports.values()):
        click.echo(f"Nothing was counted since {since}. Counts begin at {oldest}.", err=True)
    if oldest is not None or format_name != "table":
        FORMATS[format_name](reports, since)


def _nothing_counted(*, is_on: bool) -> str:
    if is_on:
        return (
            "Nothing is counted yet. Counts are written once a minute, and when the service stops."
        )
    return "Nothing is counted. Set AUDIENCE=on and restart the service."

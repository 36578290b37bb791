"""`majlis leads stats`: reports on how many leads come, from where."""

from __future__ import annotations

from datetime import timedelta

import click

from app.console.database import with_database
from app.console.reports import FORMATS, Reports, report_options
from app.features.leads.statistics import GROUPINGS, LeadStatistics
from app.platform.clock import utc_now
from app.platform.database.database import Database


@click.command()
@report_options(GROUPINGS, limited="; days and weeks are all reported")
def stats(age: timedelta, format_name: str, names: tuple[str, ...], limit: int) -> None:
    """Count leads by week, day, page, country, language, source and campaign.

    Leads in quarantine are counted apart, with their percentage of all. Days begin at midnight UTC.
    """
    since = (utc_now() - age).date()

    async def work(database: Database) -> Reports:
        statistics = LeadStatistics(database)
        chosen = {name: GROUPINGS[name] for name in names or GROUPINGS}
        return {
            name: await statistics.report(grouping, since, limit)
            for name, grouping in chosen.items()
        }

    reports = with_database(work)
    if not any(report.rows for report in reports.values()):
        click.echo(f"No leads since {since}.", err=True)
    FORMATS[format_name](reports, since)

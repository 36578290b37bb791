"""`majlis audience`: reports on who reads what."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Mapping
from datetime import date, timedelta

import click

from app.console import command_settings
from app.console.database import with_database
from app.console.output import FORMATS, Report, Reports, report_options
from app.features.audience.settings import AudienceSettings
from app.features.audience.store import (
    AudienceStore,
    audience_agents,
    audience_missed,
    audience_pages,
    audience_searches,
    audience_signatures,
)
from app.platform.clock import utc_now
from app.platform.database.database import Database
from app.web.http.route_policy import FORMS
from app.web.pipeline.surfaces import OTHERS
from renderers.representation import OTHER, MediaType


async def agents_by_week(store: AudienceStore, since: date, limit: int) -> Report:
    """Return the agents that read most in each week, the newest week first."""
    columns = audience_agents.c.day, audience_agents.c.reader, audience_agents.c.agent
    weeks: defaultdict[date, Counter[tuple[str, str]]] = defaultdict(Counter)
    for day, reader, agent, _, number in await store.totals(columns, since):
        weeks[day - timedelta(days=day.weekday())][reader, agent] += int(number)
    rows = [
        (week, reader, agent, number)
        for week in sorted(weeks, reverse=True)
        for (reader, agent), number in weeks[week].most_common(limit)
    ]
    return Report("Agents by week", ("week", "class", "agent", "responses"), rows)


async def most_read_pages(store: AudienceStore, since: date, limit: int) -> Report:
    """Return the pages that each class of readers reads most; the largest class first."""
    table = audience_pages.c
    shown = table.page != OTHERS, table.form != OTHER
    by_class: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
    for reader, page, _, number in await store.totals((table.reader, table.page), since, *shown):
        by_class[reader].append((page, int(number)))

    def total(reader: str) -> int:
        return sum(number for _, number in by_class[reader])

    rows = [
        (reader, page, number)
        for reader in sorted(by_class, key=total, reverse=True)
        for page, number in by_class[reader][:limit]
    ]
    return Report("Most read pages by class", ("class", "page", "responses"), rows)


async def searches_in_vain(store: AudienceStore, since: date, limit: int) -> Report:
    """Return the queries that found nothing."""
    table = audience_searches.c
    found = await store.totals((table.query, table.channel), since, table.hits == 0)
    rows = [(query, channel, int(number), last) for query, channel, last, number in found[:limit]]
    return Report("Searches in vain", ("query", "channel", "searches", "last"), rows)


async def missed_pages(store: AudienceStore, since: date, limit: int) -> Report:
    """Return the paths without page that were asked for most, and where links to them stand."""
    table = audience_missed.c
    found = await store.totals((table.path, table.origin), since)
    rows = [(path, origin, int(number), last) for path, origin, last, number in found[:limit]]
    return Report("Pages missed", ("path", "from", "requests", "last"), rows)


async def claimed_signatures(store: AudienceStore, since: date, limit: int) -> Report:
    """Return whom requests name as their signer; nobody has verified their signatures."""
    table = audience_signatures.c
    found = await store.totals((table.signer, table.reader, table.agent), since)
    rows = [
        (signer, reader, agent, int(number), last)
        for signer, reader, agent, last, number in found[:limit]
    ]
    columns = ("signer", "class", "agent", "responses", "last")
    return Report("Claimed signatures, not verified", columns, rows)


async def forms_by_class(store: AudienceStore, since: date, limit: int) -> Report:
    """Return how often each class of readers got each form, and markdown's share of pages."""
    table = audience_agents.c
    by_class: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for reader, form, _, number in await store.totals((table.reader, table.form), since):
        by_class[reader][form] += int(number)
    ordered = sorted(by_class.items(), key=lambda item: item[1].total(), reverse=True)
    rows = [
        (reader, *(forms[form] for form in FORMS), _markdown_share(forms))
        for reader, forms in ordered[:limit]
    ]
    columns = ("class", *FORMS, "markdown %")
    return Report("Markdown against HTML", columns, rows)


def _markdown_share(forms: Mapping[str, int]) -> int:
    """Return the percentage of markdown among pages in markdown and HTML.

    >>> _markdown_share({"html": 3, "markdown": 1, "json": 5}), _markdown_share({})
    (25, 0)
    """
    markdown = forms.get(MediaType.MARKDOWN.form, 0)
    pages = markdown + forms.get(MediaType.HTML.form, 0)
    return round(100 * markdown / pages) if pages else 0


REPORTS: Mapping[str, Callable[[AudienceStore, date, int], Awaitable[Report]]] = {
    "agents": agents_by_week,
    "pages": most_read_pages,
    "searches": searches_in_vain,
    "missed": missed_pages,
    "forms": forms_by_class,
    "signatures": claimed_signatures,
}
"""Each returns at most a number of rows, or as many of each week or class."""


@click.command("audience")
@report_options(REPORTS, limited="; of agents for each week, of pages for each class")
def audience(age: timedelta, format_name: str, names: tuple[str, ...], limit: int) -> None:
    """Report who reads what: agents, pages, searches in vain, missing pages, forms, signatures.

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
        if command_settings().of(AudienceSettings).audience:
            when = "Counts are written once a minute, and when the service stops."
            click.echo(f"Nothing is counted yet. {when}", err=True)
        else:
            click.echo("Nothing is counted. Set AUDIENCE=on and restart the service.", err=True)
    elif not any(report.rows for report in reports.values()):
        click.echo(f"Nothing was counted since {since}. Counts begin at {oldest}.", err=True)
    if oldest is not None or format_name != "table":
        FORMATS[format_name](reports, since)

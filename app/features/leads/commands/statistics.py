"""`majlis leads stats`: reports by day, week, page, country, language, source and campaign."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import click
from sqlalchemy import ColumnElement, Date, Select, case, column, desc, func, select

from app.console.database import with_database
from app.console.output import FORMATS, Report, Reports, Row, report_options
from app.features.leads.tables import lead_page, leads
from app.platform.clock import utc_now
from app.platform.database.database import Database


def _day(is_postgresql: bool) -> ColumnElement[date]:
    """Return the day in UTC on which a lead was received."""
    return func.date(_utc() if is_postgresql else leads.c.received_at, type_=Date)


def _week(is_postgresql: bool) -> ColumnElement[date]:
    """Return the Monday of the week in which a lead was received."""
    if is_postgresql:
        return func.date(func.date_trunc("week", _utc()), type_=Date)
    return func.date(leads.c.received_at, "weekday 0", "-6 days", type_=Date)


def _utc() -> ColumnElement[Any]:
    return func.timezone("UTC", leads.c.received_at)


_COUNTRY = func.coalesce(func.lower(leads.c.country_code), leads.c.locale_country)
_SOURCE = func.coalesce(leads.c.utm_source, leads.c.source)


@dataclass(frozen=True, slots=True)
class Grouping:
    """What leads are counted by; of periods all are reported, else those with the most leads."""

    title: str
    names: Sequence[str]
    keys: Callable[[bool], Sequence[ColumnElement[Any]]]
    is_period: bool = False


GROUPINGS: Mapping[str, Grouping] = {
    "total": Grouping("All", (), lambda _: ()),
    "weeks": Grouping("By week", ("week",), lambda kind: (_week(kind),), is_period=True),
    "days": Grouping("By day", ("day",), lambda kind: (_day(kind),), is_period=True),
    "pages": Grouping("By page", ("page",), lambda _: (lead_page,)),
    "countries": Grouping("By country", ("country",), lambda _: (_COUNTRY,)),
    "languages": Grouping("By language", ("language",), lambda _: (leads.c.locale_lang,)),
    "campaigns": Grouping(
        "By source and campaign",
        ("source", "medium", "campaign"),
        lambda _: (_SOURCE, leads.c.utm_medium, leads.c.utm_campaign),
    ),
}
"""What leads are counted by, by the name of the report."""


@click.command()
@report_options(GROUPINGS, limited="; days and weeks are all reported")
def stats(age: timedelta, format_name: str, names: tuple[str, ...], limit: int) -> None:
    """Count leads by week, day, page, country, language, source and campaign.

    Leads in quarantine are counted apart, with their percentage of all. Days begin at midnight UTC.
    """
    since = (utc_now() - age).date()

    async def work(database: Database) -> Reports:
        chosen = {name: GROUPINGS[name] for name in names or GROUPINGS}
        return {
            name: await statistics(database, grouping, since, limit)
            for name, grouping in chosen.items()
        }

    reports = with_database(work)
    if not any(report.rows for report in reports.values()):
        click.echo(f"No leads since {since}.", err=True)
    FORMATS[format_name](reports, since)


_COUNTED = ("leads", "quarantined", "quarantined %")


async def statistics(database: Database, grouping: Grouping, since: date, limit: int) -> Report:
    """Return how many leads were received since a day, and how many more are in quarantine."""
    query = _query(grouping, database.is_postgresql, since, limit)
    async with database.reading() as connection:
        rows = [_row(row) for row in await connection.execute(query)]
    return Report(grouping.title, (*grouping.names, *_COUNTED), rows)


def _query(grouping: Grouping, is_postgresql: bool, since: date, limit: int) -> Select[Any]:
    # Labels of their own: an expression with parameters is not the same one twice to PostgreSQL.
    keys = [key.label(f"key_{n}") for n, key in enumerate(grouping.keys(is_postgresql))]
    names = [key.name for key in keys]
    quarantined = func.coalesce(func.sum(case((leads.c.quarantined, 1), else_=0)), 0)
    honest = func.count() - quarantined
    query = (
        select(*keys, honest.label("honest"), quarantined.label("quarantined"))
        .where(leads.c.received_at >= datetime.combine(since, time(), UTC))
        .group_by(*names)
        .having(func.count() > 0)
    )
    if grouping.is_period:
        return query.order_by(*map(desc, names))
    by_name: list[ColumnElement[Any]] = [column(name).nulls_last() for name in names]
    return query.order_by(desc("honest"), desc("quarantined"), *by_name).limit(limit)


def _row(values: Sequence[Any]) -> Row:
    """Return a row with the percentage in quarantine, and an empty text where nothing is known."""
    *keys, honest, quarantined = values
    share = round(100 * quarantined / (honest + quarantined))
    return *("" if key is None else key for key in keys), honest, quarantined, share

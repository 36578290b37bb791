"""Selections of leads: `majlis leads list`, `show`, `export` and `exports`, each with a record."""

from __future__ import annotations

import fnmatch
import os
import pwd
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, BinaryIO

import click

from app.console import command_settings, instant, since_option, with_options
from app.console.database import Result, with_database
from app.console.output import print_file, print_table, progress_bar
from app.features.leads.answers import is_files
from app.features.leads.exports import (
    FORMATS,
    Export,
    Exporter,
    ExportRecords,
    fields_of,
    json_line,
)
from app.features.leads.model import Lead, StoredLead
from app.features.leads.settings import LeadSettings
from app.features.leads.store import LeadStore, lead_store
from app.platform.clock import utc_now
from app.platform.database.database import Database
from app.platform.deliveries.outbox import Outbox
from app.platform.printable import printable, printable_json

SEARCHED = ("email", "name", "company", "message", "source_page")
"""The fields that a pattern is matched against."""


@dataclass(frozen=True, slots=True)
class Selection:
    """Conditions for a lead; None is any. `page` is a path, or the begin of paths and `*`."""

    pattern: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    quarantined: bool | None = None
    page: str | None = None

    def __str__(self) -> str:
        """Return the conditions as words, for the record of exports."""
        return ", ".join(self._words()) or "all"

    def _words(self) -> Iterator[str]:
        if self.quarantined is not None:
            yield "quarantined" if self.quarantined else "not quarantined"
        if self.since is not None:
            yield f"since {self.since:%Y-%m-%dT%H:%M:%SZ}"
        if self.until is not None:
            yield f"until {self.until:%Y-%m-%dT%H:%M:%SZ}"
        if self.page is not None:
            yield f"page {self.page}"
        if self.pattern is not None:
            yield "matching a text"  # which may be personal data

    async def count(self, store: LeadStore) -> int:
        """Return the number of leads that match, whatever the pattern."""
        return await store.count(self.quarantined, self.until, self.since, self.page)

    async def leads(self, store: LeadStore) -> AsyncIterator[StoredLead]:
        """Yield the matching leads, oldest first."""
        regex = None if self.pattern is None else expression(self.pattern)
        async for stored in store.all(self.quarantined, self.since, self.until, self.page):
            if regex is None or matches(stored.lead, regex):
                yield stored

    async def ids(self, store: LeadStore) -> list[str]:
        """Return the ids of the matching leads, oldest first."""
        return [stored.id async for stored in self.leads(store)]


until_option = click.option(
    "--until", type=instant, metavar="DATE-TIME", help="Leads received before this date-time."
)

_BY = click.option("--by", metavar="NAME", help="Who asked for them, for the record of exports.")

_selecting = with_options(
    click.option("--quarantined", is_flag=True, help="Leads in quarantine instead of the others."),
    since_option("Leads received"),
    until_option,
    click.option(
        "--page",
        metavar="PATH",
        help="Leads from this page; with * at the end from all that begin so: '/ae/*'.",
    ),
    _BY,
)


@click.command("list")
@_selecting
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line, with all fields.")
def list_leads(as_json: bool, by: str | None, **filters: Any) -> None:
    """List leads, oldest first: ID, time, e-mail address, name, subject, campaign.

    The subject is the product or service, else the page before the form. With --json, fields have
    the same names as in the API.
    """
    selection = Selection(**filters)
    to_line = json_line if as_json else _line

    async def work(database: Database) -> None:
        await _export(database, "list", by, selection, lambda stored: print_file(to_line(stored)))
        hidden = 0 if selection.quarantined else await LeadStore(database).count(quarantined=True)
        if hidden:
            click.echo(f"{hidden} in quarantine: majlis leads list --quarantined", err=True)

    with_database(work)


@click.command()
@click.argument("lead_id", metavar="ID")
@_BY
def show(lead_id: str, by: str | None) -> None:
    """Show all fields of a lead."""

    async def work(database: Database) -> StoredLead | None:
        async with _records(database).recording("show", exporter(by), lead_id) as progress:
            stored = await LeadStore(database).get(lead_id)
            progress.number = int(stored is not None)
            return stored

    stored = with_database(work)
    if stored is None:
        raise click.ClickException(f"There is no lead {lead_id}. See `majlis leads list`.")
    click.echo("\n".join(lead_lines(stored)))


@click.command()
@click.argument("file_id", metavar="ID")
@click.option("--output", type=click.File("wb"), default="-", help="Where to write it.")
@_BY
def file(file_id: str, output: BinaryIO, by: str | None) -> None:
    """Write a file that came with a lead to standard output; `show` tells its ID.

    What people send may be harmful: look at it with a program that runs nothing.
    """
    lead_id, _, number = file_id.rpartition(".")

    async def work(database: Database) -> bytes | None:
        async with _records(database).recording("file", exporter(by), file_id) as progress:
            place = int(number) if number.isdecimal() and len(number) < 10 else 0
            content = await LeadStore(database).file(lead_id, place)
            progress.number = int(content is not None)
            return content

    content = with_database(work)
    if content is None:
        raise click.ClickException(f"There is no file {file_id}. See `majlis leads show ID`.")
    output.write(content)


@click.command()
@_selecting
@click.option(
    "--format",
    "format_name",
    type=click.Choice(tuple(FORMATS)),
    default="csv",
    help="CSV for spreadsheets, or one JSON object per line.",
)
def export(format_name: str, by: str | None, **filters: Any) -> None:
    """Export leads to standard output, oldest first.

    Fields have the same names as in the API.
    """
    header, to_line = FORMATS[format_name]
    selection = Selection(**filters)

    async def work(database: Database) -> None:
        with progress_bar() as progress:
            total = await selection.count(LeadStore(database))
            task = progress.add_task("Leads", total=total)

            def write(stored: StoredLead) -> None:
                print_file(to_line(stored))
                progress.advance(task)

            await _export(database, "export", by, selection, write, header)

    with_database(work)


@click.command()
@since_option("Exports")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
def exports(since: datetime | None, as_json: bool) -> None:
    """List who listed, showed or exported leads, oldest first; kept for two years."""

    async def work(database: Database) -> list[Export]:
        return [each async for each in _records(database).all(since)]

    records = with_database(work)
    if as_json:
        for each in records:
            fields = {
                "at": each.exported_at.isoformat(timespec="milliseconds"),
                "user": each.exporter.os_user,
                "by": each.exporter.stated_by,
                "command": each.command,
                "leads": each.number,
                "selection": each.selection,
            }
            click.echo(printable_json(fields))
        return
    heading = ("TIME", "USER", "BY", "COMMAND", "LEADS", "SELECTION")
    print_table(heading, [tuple(_cells(each)) for each in records])


async def _export(
    database: Database,
    command: str,
    by: str | None,
    selection: Selection,
    write: Callable[[StoredLead], object],
    header: str = "",
) -> None:
    """Write the header and the selected leads, after the record of it was written."""
    recording = _records(database).recording(command, exporter(by), str(selection))
    async with recording as progress:
        print_file(header)
        async for stored in selection.leads(LeadStore(database)):
            write(stored)
            progress.number += 1


def _records(database: Database) -> ExportRecords:
    return ExportRecords(database, utc_now)


def lead_lines(stored: StoredLead) -> Iterator[str]:
    """Yield the fields of a lead as lines for a terminal."""
    fields = fields_of(stored)
    answers: Any = fields.pop("answers", {})
    if stored.lead.products:
        fields["products"] = stored.lead.product_list
    for name, value in {**fields, **{f"answers.{each}": answers[each] for each in answers}}.items():
        if is_files(value):
            yield from (f"{name}: {printable_json(each)}" for each in value)
            continue
        lines = [printable(line) for line in str(value).splitlines()]
        yield f"{name}: " + "\n    ".join(lines)


def exporter(by: str | None) -> Exporter:
    """Return who runs the command, for the record."""
    try:
        user = pwd.getpwuid(os.getuid()).pw_name  # the environment could be set by anyone
    except KeyError:  # as in a container
        user = f"uid {os.getuid()}"
    return Exporter(user, by or None)


def _cells(export: Export) -> Iterator[str]:
    """Yield the cells of a row; a number that is not known belongs to a command that was killed."""
    yield f"{export.exported_at:%Y-%m-%d %H:%M}"
    yield export.exporter.os_user
    yield export.exporter.stated_by or "–"
    yield export.command
    yield "not known" if export.number is None else str(export.number)
    yield export.selection


def _line(stored: StoredLead) -> str:
    lead = stored.lead
    subject = lead.form or lead.product_service or lead.page
    campaign = lead.utm_campaign or lead.utm_source
    reached = lead.email or lead.phone
    who = (stored.id, f"{stored.received_at:%Y-%m-%d %H:%M}", reached, lead.name)
    return "  ".join(printable(cell or "–") for cell in (*who, subject, campaign)) + "\n"


def expression(pattern: str) -> re.Pattern[str]:
    """Compile a pattern to a regular expression for case-folded text.

    A pattern with `*` or `?` must match a whole field, like a shell glob; brackets are literal.
    Any other pattern may match anywhere in a field.

    >>> [bool(expression("*@Spam.example").match(each)) for each in ("a@spam.example", "a@spam.ex")]
    [True, False]
    >>> [bool(expression("[url=").match(each)) for each in ("see [url=http://x]", "[url]")]
    [True, False]
    """
    folded = pattern.casefold()
    is_whole = "*" in folded or "?" in folded
    return re.compile(
        fnmatch.translate((folded if is_whole else f"*{folded}*").replace("[", "[[]"))
    )


def matches(lead: Lead, regex: re.Pattern[str]) -> bool:
    """Return whether one of the searched fields matches."""
    texts = (*(getattr(lead, name) for name in SEARCHED), lead.phone, lead.text)
    return any(regex.match(text.casefold()) for text in texts if text is not None)


def batches(lead_ids: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """Split ids into batches of at most `size`."""
    for start in range(0, len(lead_ids), size):
        yield lead_ids[start : start + size]


def with_store(work: Callable[[LeadStore], Awaitable[Result]]) -> Result:
    """Call a function with the lead store of the settings' database, as `with_database` does."""
    settings = command_settings().of(LeadSettings)
    return with_database(lambda database: work(lead_store(settings, database, Outbox(database))))

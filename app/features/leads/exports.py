"""Exports of leads as CSV or JSON lines, and the record of who took leads out."""

import csv
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from io import StringIO

from sqlalchemy import delete, insert, select, update

from app.console.output import BYTE_ORDER_MARK, escaped
from app.features.leads.answers import with_ids
from app.features.leads.model import Lead, StoredLead
from app.features.leads.tables import lead_exports
from app.platform.clock import Clock
from app.platform.database.database import Database
from app.platform.database.seen_clock import believe
from app.platform.printable import printable_json

RECORDS_LIFE = timedelta(days=730)
"""How long a record is kept; a later export deletes older ones."""


@dataclass(frozen=True, slots=True)
class Exporter:
    """Who runs a command: the user of the operating system, and the name that they state."""

    os_user: str
    stated_by: str | None = None


@dataclass(frozen=True, slots=True)
class Export:
    """One record. `number` of leads is None while the command runs, or if it was killed."""

    exported_at: datetime
    command: str
    exporter: Exporter
    selection: str
    number: int | None


@dataclass(slots=True)
class Progress:
    """The number of leads that an export has written so far."""

    number: int = 0


class ExportRecords:
    """The records in a database; every method may raise StoreUnavailable."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    @asynccontextmanager
    async def recording(
        self, command: str, exporter: Exporter, selection: str
    ) -> AsyncIterator[Progress]:
        """Record the export in the block: its begin first, and at its end how many leads it had."""
        now = self._clock()
        old = lead_exports.c.exported_at < now - RECORDS_LIFE
        new = insert(lead_exports).values(
            exported_at=now,
            command=command,
            os_user=exporter.os_user,
            stated_by=exporter.stated_by,
            selection=selection,
        )
        async with self._database.writing() as connection:
            if await believe(connection, now, is_confirmed=False):
                await connection.execute(delete(lead_exports).where(old))
            added = await connection.execute(new.returning(lead_exports.c.id))
            record_id = added.scalar_one()
        progress = Progress()
        try:
            yield progress
        finally:  # also if the reader of the output went away
            mine = update(lead_exports).where(lead_exports.c.id == record_id)
            async with self._database.writing() as connection:
                await connection.execute(mine.values(number=progress.number))

    async def all(self, since: datetime | None = None) -> AsyncIterator[Export]:
        """Yield the records, oldest first."""
        query = select(lead_exports).order_by(lead_exports.c.id)
        if since is not None:
            query = query.where(lead_exports.c.exported_at >= since)
        async with self._database.reading() as connection:
            async for row in await connection.stream(query):
                exporter = Exporter(row.os_user, row.stated_by)
                yield Export(row.exported_at, row.command, exporter, row.selection, row.number)


_FORM = ("form", "answers", "products")
FIELDS = (
    "id",
    "receivedAt",
    "quarantined",
    *(field.alias or name for name, field in Lead.model_fields.items() if name not in _FORM),
    "phoneE164",
    *_FORM,
)


def fields_of(stored: StoredLead) -> dict[str, object]:
    """Return the fields of a lead that have a value, by name."""
    phone = {"phoneE164": stored.phone_e164} if stored.phone_e164 else {}
    fields = {
        "id": stored.id,
        "receivedAt": stored.received_at.isoformat(timespec="milliseconds"),
        "quarantined": stored.quarantined,
        **stored.lead.model_dump(mode="json"),
        **phone,
    }
    if stored.lead.answers:
        fields["answers"] = with_ids(stored.id, stored.lead.answers)
    return {name: value for name, value in fields.items() if value != ""}


def json_line(stored: StoredLead) -> str:
    """Return a lead as one complete line of JSON."""
    return f"{printable_json(fields_of(stored))}\n"


def csv_line(stored: StoredLead) -> str:
    """Return a lead as one CSV record, with cells that look like formulas escaped."""
    fields = fields_of(stored)
    if "answers" in fields:
        fields["answers"] = printable_json(fields["answers"])
    if stored.lead.products:
        fields["products"] = stored.lead.product_list
    return _record([escaped(fields.get(name, "")) for name in FIELDS])


def csv_head() -> str:
    """Return the header record: the column names."""
    return _record(FIELDS)


def _record(cells: Iterable[str]) -> str:
    line = StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue()


Line = Callable[[StoredLead], str]
FORMATS: Mapping[str, tuple[str, Line]] = {
    "csv": (BYTE_ORDER_MARK + csv_head(), csv_line),
    "jsonl": ("", json_line),
}
"""Format by name: the text before the first lead, and the function that formats one lead."""

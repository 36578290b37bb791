"""Export of leads as CSV or JSON lines, with the API's field names."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping
from io import StringIO

from app.console.spreadsheet import BYTE_ORDER_MARK, escaped
from app.features.leads.lead import Lead, StoredLead
from app.platform.printable import printable_json

FIELDS = (
    "id",
    "receivedAt",
    "quarantined",
    *(field.alias or name for name, field in Lead.model_fields.items()),
    "phoneE164",
)


def fields_of(stored: StoredLead) -> dict[str, object]:
    """Return the fields of a lead by name, without those that have no value.

    An anonymised lead has no e-mail address either.
    """
    phone = {"phoneE164": stored.phone_e164} if stored.phone_e164 else {}
    fields = {
        "id": stored.id,
        "receivedAt": stored.received_at.isoformat(timespec="milliseconds"),
        "quarantined": stored.quarantined,
        **stored.lead.model_dump(mode="json"),
        **phone,
    }
    return {name: value for name, value in fields.items() if value != ""}


def json_line(stored: StoredLead) -> str:
    """Return a lead as one complete line of JSON."""
    return f"{printable_json(fields_of(stored))}\n"


def csv_line(stored: StoredLead) -> str:
    """Return a lead as one CSV record, with cells that look like formulas escaped."""
    fields = fields_of(stored)
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

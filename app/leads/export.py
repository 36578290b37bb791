"""Leads as an operator takes them away: by the API's field names, as CSV or JSON lines."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Mapping
from io import StringIO

from app.leads.lead import Lead
from app.leads.store import StoredLead

FIELDS = (
    "id",
    "receivedAt",
    "quarantined",
    *(field.alias or name for name, field in Lead.model_fields.items()),
    "phoneE164",
)

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a spreadsheet takes for the beginning of a formula, full-width signs too."""


def fields_of(stored: StoredLead) -> dict[str, object]:
    """A lead's fields by name; what has no value is left out."""
    beside = {"phoneE164": stored.phone_e164} if stored.phone_e164 else {}
    return {
        "id": stored.id,
        "receivedAt": stored.received_at.isoformat(timespec="milliseconds"),
        "quarantined": stored.quarantined,
        **stored.lead.model_dump(mode="json"),
        **beside,
    }


def json_line(stored: StoredLead) -> str:
    """A lead as one line of JSON, whole."""
    return json.dumps(fields_of(stored), ensure_ascii=False) + "\n"


def csv_line(stored: StoredLead) -> str:
    """A lead as one record of CSV, which no spreadsheet will take for a formula."""
    fields = fields_of(stored)
    return _record([_guarded(fields.get(name, "")) for name in FIELDS])


def csv_head() -> str:
    """The names of the columns."""
    return _record(FIELDS)


def _guarded(value: object) -> str:
    """A cell's text; an apostrophe before a formula makes it a text, as spreadsheets have it.

    >>> _guarded("=1+1"), _guarded("+971 50"), _guarded(True), _guarded("Noor")
    ("'=1+1", "'+971 50", 'true', 'Noor')
    """
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f"'{text}" if text.startswith(_FORMULA) else text


def _record(cells: Iterable[str]) -> str:
    line = StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue()


Line = Callable[[StoredLead], str]
FORMATS: Mapping[str, tuple[str, Line]] = {
    "csv": (csv_head(), csv_line),
    "jsonl": ("", json_line),
}
"""Format by name: what stands before the first lead, and a lead's own line."""

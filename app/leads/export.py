"""Leads as an operator takes them away: by the API's field names, as CSV or JSON lines."""

from __future__ import annotations

import csv
import json
import re
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

_SEPARATORS = frozenset(";,\t\r\n")
"""Where some spreadsheet, by its locale or a wrong setting, splits a cell in two."""
_SIGN = re.compile(r"""(?<![\s";,])([\s";,]*+)([=+\-@＝＋－＠])""")
"""Separators, blanks and quotes, and behind them what a spreadsheet takes for the beginning of a
formula, full-width signs too. A run is looked at once: the time grows with the text alone."""
BYTE_ORDER_MARK = "\ufeff"
"""Tells spreadsheets that a file is UTF-8; without it Excel garbles Arabic."""


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
    r"""A cell's text; an apostrophe before a formula makes it a text, as spreadsheets have it.

    Inside a cell, too, behind what may split it.

    >>> _guarded("=1+1"), _guarded("+971 50"), _guarded(True), _guarded("Noor")
    ("'=1+1", "'+971 50", 'true', 'Noor')
    >>> _guarded("Hello;=1+1"), _guarded('a, "=1+1"'), _guarded("a = b - c; d")
    ("Hello;'=1+1", 'a, "\'=1+1"', 'a = b - c; d')
    """
    text = str(value).lower() if isinstance(value, bool) else str(value)
    guarded = _SIGN.sub(_with_apostrophe, text)
    return f"'{guarded}" if guarded.startswith(("\t", "\r", "\n")) else guarded


def _with_apostrophe(found: re.Match[str]) -> str:
    before, sign = found.groups()
    is_first = found.start() == 0 or not _SEPARATORS.isdisjoint(before)
    return f"{before}'{sign}" if is_first else found[0]


def _record(cells: Iterable[str]) -> str:
    line = StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue()


Line = Callable[[StoredLead], str]
FORMATS: Mapping[str, tuple[str, Line]] = {
    "csv": (BYTE_ORDER_MARK + csv_head(), csv_line),
    "jsonl": ("", json_line),
}
"""Format by name: what stands before the first lead, and a lead's own line."""

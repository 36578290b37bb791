"""Export of leads as CSV or JSON lines, with the API's field names."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Mapping
from io import StringIO

from app.features.leads.lead import Lead, StoredLead
from app.platform.printable import printable_json

FIELDS = (
    "id",
    "receivedAt",
    "quarantined",
    *(field.alias or name for name, field in Lead.model_fields.items()),
    "phoneE164",
)

_SEPARATORS = frozenset(";,\t\r\n")
"""Characters at which a spreadsheet may split a cell, depending on its locale or settings."""
_SIGN = re.compile(r"""(?<![\s";,])([\s";,]*+)([=+\-@＝＋－＠])""")
"""Separators, blanks and quotes, followed by a character that starts a formula in a spreadsheet
(full-width forms included). The possessive quantifier keeps matching linear in the text."""
BYTE_ORDER_MARK = "\ufeff"
"""Marks a file as UTF-8 for spreadsheets; without it Excel garbles Arabic."""


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


def escaped(value: object) -> str:
    r"""Return the text of a cell, with an apostrophe before every possible formula.

    Spreadsheets treat a cell that starts with an apostrophe as text. Formulas inside a cell are
    escaped too if they follow a character at which the cell may be split.

    >>> escaped("=1+1"), escaped("+971 50"), escaped(True), escaped("Noor")
    ("'=1+1", "'+971 50", 'true', 'Noor')
    >>> escaped("Hello;=1+1"), escaped('a, "=1+1"'), escaped("a = b - c; d")
    ("Hello;'=1+1", 'a, "\'=1+1"', 'a = b - c; d')
    """
    text = str(value).lower() if isinstance(value, bool) else str(value)
    escaped = _SIGN.sub(_with_apostrophe, text)
    return f"'{escaped}" if escaped.startswith(("\t", "\r", "\n")) else escaped


def _with_apostrophe(match: re.Match[str]) -> str:
    before, sign = match.groups()
    starts_cell = match.start() == 0 or not _SEPARATORS.isdisjoint(before)
    return f"{before}'{sign}" if starts_cell else match[0]


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

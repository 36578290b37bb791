"""The records: pages of docs/records/ whose figures are written by the commands that measure."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from benchmarks.machine import commit, described, today

RECORDS = Path(__file__).parents[2] / "docs" / "records"
_BEGIN, _END = "<!-- {} -->", "<!-- end of {} -->"


def put(record: str, lines: Iterable[str], part: str = "figures") -> None:
    """Replace what stands between the marks of a part of a record."""
    page = RECORDS / f"{record}.md"
    begin, end = _BEGIN.format(part), _END.format(part)
    before, mark, rest = page.read_text(encoding="utf-8").partition(begin)
    _, end_mark, after = rest.partition(end)
    if not (mark and end_mark):
        raise ValueError(f"{page.name} has no part {part!r}")
    text = "\n".join(lines)
    page.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")


def measured_on(day: str, revision: str, machine: str) -> str:
    """Return the sentence that says of what and where a record is."""
    return f"Measured on {day} at commit {revision}: {machine}."


def measured_now() -> str:
    """Return the sentence of what is measured now, on this machine."""
    return measured_on(today(), commit(), described())

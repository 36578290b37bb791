"""The records of measurements: what was measured, and what writes it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from benchmarks import records
from benchmarks.machine import commit
from benchmarks.records import RECORDS, measured_now, put

MEASURED = re.compile(
    r"Measured on \d{4}-\d\d-\d\d at commit [0-9a-f]{7,12}\+?: [^.]+, Python [\d.]+\."
)

PARTS = re.compile(r"<!-- (\w+) -->\n(.*?)<!-- end of \1 -->", re.DOTALL)
MADE = {
    page.stem: found for page in RECORDS.glob("*.md") if (found := PARTS.findall(page.read_text()))
}
"""The parts that a command writes, by page."""


@pytest.mark.parametrize("page", sorted(MADE))
def test_a_record_names_its_commit_and_day(page: str) -> None:
    """Each part that a command writes, or each of its groups."""
    for name, text in MADE[page]:
        groups = text.split("\n### ")[1:] or [text]
        assert [each for each in groups if not MEASURED.search(each)] == [], name


def test_the_groups_of_a_record_are_those_of_the_page() -> None:
    """The page is made of the JSON."""
    titles = [group["title"] for group in json.loads((RECORDS / "performance.json").read_text())]
    page = (RECORDS / "performance.md").read_text()
    assert re.findall(r"^### (.*)$", page, re.MULTILINE) == titles


def test_a_part_is_replaced_between_its_marks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What stands around it stays; a page without the marks is refused."""
    monkeypatch.setattr(records, "RECORDS", tmp_path)
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- figures -->\nold\n<!-- end of figures -->\nafter\n")
    put("page", [measured_now(), "new"])
    sentence = measured_now()
    assert MEASURED.fullmatch(sentence)
    assert commit() in sentence
    assert page.read_text() == (
        f"before\n<!-- figures -->\n{sentence}\nnew\n<!-- end of figures -->\nafter\n"
    )
    with pytest.raises(ValueError, match=r"page\.md has no part 'other'"):
        put("page", [], "other")

"""The glossary: which lines have a word that it excludes."""

from __future__ import annotations

from pathlib import Path

import pytest
from cases import cases
from click.testing import CliRunner

from app.operations.cli import main
from knowledge.checks.glossary import glossary_diagnostics

HEAD = "| English | Arabic | Not to be used |\n|---|---|---|\n"
GLOSSARY = f"""Notes on مناوبة and shifts.

{HEAD}| shift | وردية | مناوبة، turn |
| supplier | مورد | مزوّد |
"""


def found(folder: Path, text: str, glossary: str = GLOSSARY) -> list[str]:
    """Return the diagnostics of one file, as `line message suggestion`."""
    (folder / "_glossary.md").write_text(glossary)
    (folder / "page.md").write_text(text)
    diagnostics = glossary_diagnostics(folder, ["page.md"])
    return [f"{each.location} {each.message} {each.suggestion}" for each in diagnostics]


@cases(
    ("text", "word"),
    [
        pytest.param("title: مناوبة الليل", "مناوبة", id="in front matter"),
        pytest.param("تنتهي المناوبة", "مناوبة", id="article"),
        pytest.param("وبالمناوبة الثانية", "مناوبة", id="conjunction, preposition and article"),
        pytest.param("للمناوبة", "مناوبة", id="preposition that takes the alif of the article"),
        pytest.param("مُناوَبَة", "مناوبة", id="vowel marks in the text"),
        pytest.param("المزوّد", "مزوّد", id="marks in the glossary"),
        pytest.param("Your Turn.", "Turn", id="English, in capitals"),
    ],
)
def test_a_line_with_an_excluded_word_is_reported(tmp_path: Path, text: str, word: str) -> None:
    """Words of both scripts are found, also with what is written together with them."""
    term, row = ("مورد", 6) if "زو" in word else ("shift" if word == "Turn" else "وردية", 5)
    assert found(tmp_path, f"First line\n{text}\n") == [
        f"page.md:2 The glossary excludes “{word}”. Write “{term}”, as _glossary.md:{row} says."
    ]


@cases(
    "text",
    [
        pytest.param("المناوبات", id="another word of the root"),
        pytest.param("جهاز مزود بشاشة", id="without the marks of the glossary"),
        pytest.param("turns, overturn", id="part of a word"),
        pytest.param("[shift](/turn) `turn`", id="target of a link, and code"),
    ],
)
def test_other_words_are_not(tmp_path: Path, text: str) -> None:
    """Nothing but the excluded word itself is reported."""
    assert found(tmp_path, text) == []


def test_a_row_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """The others count."""
    glossary = f"{HEAD}| shift | وردية |\n| | موعد | x |\n| none | لا شيء | |\n"
    reported = found(tmp_path, "x", glossary)
    assert [each.partition(" ")[0] for each in reported] == ["_glossary.md:3", "_glossary.md:4"]
    assert "| English | Arabic | word, another word |" in reported[0]


def test_the_command_reads_the_glossary_and_no_page_shows_it(tmp_path: Path) -> None:
    """`majlis check` exits with 1, and does not call the file ignored."""
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "page.md").write_text("---\ntitle: {en: Turn, ar: وردية}\n---\nText.\n")
    before = CliRunner().invoke(main, ["check", str(tmp_path)])
    (tmp_path / "_glossary.md").write_text(GLOSSARY)
    after = CliRunner().invoke(main, ["check", str(tmp_path)])
    assert "avoided-term" not in before.output
    assert "pages/page.md:2 The glossary excludes “Turn”. Write “shift”" in after.output
    assert after.exit_code == 1
    assert "_glossary.md is ignored" not in after.output.replace("\n", " ")

"""The reports of `majlis check`: by kind for readers, complete for programs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cases import cases
from click.testing import CliRunner, Result
from contract.visitor import write_tree

from app.operations.cli import main
from knowledge.diagnostics.diagnostic import DiagnosticKind
from knowledge.diagnostics.explanations import EXPLANATIONS

LINKS = "".join(f"[x](/gone-{number})\n\n" for number in range(5))
FILES = {
    "pages/a.md": f"---\ntitle: A\n---\n\n{LINKS}",
    "pages/b.md": "---\ntitle: [\n---\n",
    "pages/later.md": "---\ntitle: Later\npublishedAt: 2999-01-01\n---\n\nx\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a content folder with faults."""
    return write_tree(tmp_path / "my,folder", FILES)


def check(*words: str | Path) -> Result:
    """Run the command."""
    return CliRunner().invoke(main, ["check", *map(str, words)])


def test_the_text_has_kinds_with_counts_and_the_first_three_places(folder: Path) -> None:
    """Errors first, then warnings, then notices."""
    lines = check(folder).stdout.splitlines()
    assert lines[0] == "The front matter is not valid YAML (invalid-yaml): 1"
    assert lines[1].startswith("error   pages/b.md:3 Invalid YAML")
    assert lines[2] == "A link leads nowhere (broken-link): 5"
    assert [line.split()[1] for line in lines[3:6]] == [f"pages/a.md:{n}" for n in (5, 7, 9)]
    assert lines[6].strip() == "and 2 more: see majlis check --all"
    assert lines[7] == "A document is published or withdrawn later (scheduled): 1"
    assert lines[-1] == "3 files: 1 errors, 5 warnings, 1 notices"


def test_all_places_are_there_if_asked_for(folder: Path) -> None:
    """Nothing is left out."""
    text = check(folder, "--all").stdout
    assert text.count("warning pages/a.md:") == 5
    assert "more" not in text


def test_files_are_checked_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With their pages; the report has nothing of others. The folder is before them, or the set."""
    done = check(folder, folder / "pages/a.md", folder / "pages/later.md")
    assert "invalid-yaml" not in done.stdout
    assert done.stdout.splitlines()[-1] == "2 files: 0 errors, 5 warnings, 1 notices"
    monkeypatch.setenv("CONTENT_DIR", str(folder))
    assert check(folder / "pages/later.md").exit_code == 0
    assert check(folder / "pages/b.md").stdout.splitlines()[-1].startswith("1 files: 1 errors")
    other = write_tree(folder.parent / "other", {"site/home.md": "x", "pages/else.md": "x"})
    refused = check(other / "pages/else.md")
    assert refused.exit_code == 2
    assert f"majlis check {other} {other}/pages/else.md" in refused.stderr


def test_a_file_that_is_no_document_is_checked_with_all_pages(folder: Path) -> None:
    """A template, for example; the report has nothing of the pages."""
    write_tree(folder, {"_templates/content.html": "{{ 1 / 0 }}"})
    lines = check(folder, folder / "_templates/content.html").stdout.splitlines()
    assert lines[0] == "A template of the site does not fit (invalid-template): 1"
    assert lines[-1] == "0 files: 0 errors, 1 warnings, 0 notices"


PICTURED = """---
singular: Room
plural: Rooms
fields:
  views:
    type: records
    fields:
      photo: { type: image, decorative: true, schemaProperty: phota }
---
"""
ROOM = """---
title: One
template: gone
countries: [om]
views:
  - photo: /images/there.svg
  - photo: /images/gone.svg
publishedAt: 2999-01-01
---

x
"""


def test_each_problem_of_a_key_has_its_line(tmp_path: Path) -> None:
    """Also in records, and where memory does not keep the lines."""
    files = {"countries/sa.md": "---\ntitle: S\n---\n", "_kinds/rooms.md": PICTURED}
    picture = {"images/there.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>"}
    folder = write_tree(tmp_path, {**files, **picture, "rooms/one.md": ROOM})
    report = json.loads(check(folder, "--format", "json").stdout)
    found = {(each["file"], each["line"]) for each in report["diagnostics"]}
    assert found >= {("rooms/one.md", line) for line in (3, 4, 7, 8)} | {("_kinds/rooms.md", 8)}


def test_json_has_everything(folder: Path) -> None:
    """Place, code, severity, message and fix of each problem, and counts."""
    done = check(folder, "--format", "json")
    report = json.loads(done.stdout)
    assert done.exit_code == 1
    assert report["version"] == 1
    assert report["files"] == 3
    assert report["counts"] == {"error": 1, "warning": 5, "notice": 1}
    assert len(report["diagnostics"]) == 7
    assert report["diagnostics"][1] == {
        "file": "pages/a.md",
        "line": 7,
        "column": 5,
        "code": "broken-link",
        "severity": "warning",
        "message": "Broken link: /gone-1 does not exist.",
        "fix": "Correct the path, or remove it.",
    }
    places = {each["code"]: (each["line"], each["column"]) for each in report["diagnostics"]}
    assert places["invalid-yaml"] == (3, 1)
    assert places["scheduled"] == (3, None)


def test_github_has_an_annotation_for_each_problem(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the path in the checkout; characters of the syntax are escaped."""
    monkeypatch.chdir(folder.parent)
    done = check(folder, "--format", "github")
    lines = done.stdout.splitlines()
    assert done.exit_code == 1
    assert len(lines) == 7
    assert lines[0] == (
        "::warning file=my%2Cfolder/pages/a.md,line=5,col=5,title=A link leads nowhere::"
        "Broken link: /gone-0 does not exist. Correct the path, or remove it. (broken-link)"
    )
    assert sum(line.startswith("::error file=my%2Cfolder/pages/b.md,line=3") for line in lines) == 1
    assert sum(line.startswith("::notice ") for line in lines) == 1


@pytest.mark.parametrize("form", ["text", "json", "github"])
def test_a_clean_folder_exits_with_0_in_every_format(tmp_path: Path, form: str) -> None:
    """As does one with notices only."""
    clean = write_tree(tmp_path / "clean", {"pages/a.md": "---\ntitle: A\n---\n\nx\n"})
    assert check(clean, "--format", form).exit_code == 0
    folder = write_tree(tmp_path / "later", {"pages/later.md": FILES["pages/later.md"]})
    assert check(folder, "--format", form).exit_code == 0


def test_every_code_has_an_explanation() -> None:
    """One that says more than its heading; a new kind needs one too."""
    assert set(EXPLANATIONS) == set(DiagnosticKind)
    for kind, explanation in EXPLANATIONS.items():
        assert re.fullmatch(r"[A-Z`].{20,}\.", explanation.text), kind
        assert explanation.text.rstrip(".") != kind.meaning


@cases("kind", [kind for kind, explanation in EXPLANATIONS.items() if explanation.example])
def test_the_example_of_a_code_yields_it(kind: DiagnosticKind, tmp_path: Path) -> None:
    """Whoever copies it gets the message that it explains."""
    folder = write_tree(tmp_path / kind, EXPLANATIONS[kind].example)
    report = json.loads(check(folder, "--format", "json").stdout)
    assert kind in {each["code"] for each in report["diagnostics"]}


def test_a_code_is_explained_with_its_example() -> None:
    """What it means, what to do, and a file that has the fault."""
    done = check("--explain", "broken-link")
    assert done.exit_code == 0
    assert done.stdout.startswith("broken-link: A link leads nowhere.\n\nReaders get")
    assert "\nExample, pages/about.md:\n\n    ---\n    title: About us\n" in done.stdout
    assert "A NUL character: \ufffd\n" in check("--explain", "invalid-encoding").stdout


@cases("words", [(), ("all",)])
def test_all_codes_are_listed_with_their_meanings(words: tuple[str, ...]) -> None:
    """In the order of their declaration, one a line."""
    lines = check("--explain", *words).stdout.splitlines()
    assert [tuple(re.split(r"  +", line, maxsplit=1)) for line in lines] == [
        (str(kind), kind.meaning) for kind in DiagnosticKind
    ]


def test_an_unknown_code_is_refused_with_those_near_it() -> None:
    """It is often a typing error."""
    done = check("--explain", "brokn-link")
    assert done.exit_code == 2
    assert "There is no code “brokn-link”. Near it: broken-link, " in done.stderr
    assert "Near it" not in check("--explain", "zzz").stderr

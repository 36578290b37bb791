"""`majlis check` in Arabic: every text that it may say has one, and the environment chooses it."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po
from cases import cases
from click.testing import CliRunner

from app.operations.cli import main
from knowledge.diagnostics.diagnostic import DiagnosticKind, Severity
from knowledge.diagnostics.explanations import EXPLANATIONS
from knowledge.fields.interface_texts import CATALOGS, CHECK_DOMAIN
from knowledge.fields.value_problems import ALL_WORDS

ROOT = Path(__file__).parents[4]
PLACEHOLDER = re.compile(r"(?<!\{)\{([^{}]*)\}(?!\})")
ARABIC = re.compile("[\u0621-\u064a]")
LATIN_SENTENCE = re.compile(r"\b(?:the|is|are|it|of|and|or|with|not|no) ", re.IGNORECASE)


COMPUTED = ("value_problems.py", "parsed_files.py")
"""Modules whose texts are in a table, and the one that reads stored texts again."""


def catalog() -> dict[str, str]:
    """Return the Arabic of each message."""
    path = CATALOGS / "ar" / "LC_MESSAGES" / f"{CHECK_DOMAIN}.po"
    with path.open("rb") as text:
        return {str(each.id): str(each.string) for each in read_po(text) if each.id}


def said() -> Iterator[str]:
    """Yield the templates of all texts in code."""
    for room in ("knowledge", "renderers", "app/operations"):
        for path in (ROOT / room).rglob("*.py"):
            source = path.read_text()
            is_of_errors = path.parent.name == "resources"
            if "messages import" not in source or is_of_errors or path.name in COMPUTED:
                continue
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Text":
                    assert isinstance(node.args[0], ast.Constant), f"{path}:{node.lineno}"
                    yield str(node.args[0].value)


def test_the_catalog_has_exactly_the_texts_of_the_check() -> None:
    """Messages, suggestions, headings, severities and what a value must be."""
    labels = (each.label for each in Severity)
    headings = (each.meaning for each in DiagnosticKind)
    known = catalog()
    assert known.keys() == {*said(), *labels, *headings, *ALL_WORDS, "must not be empty", ", "}
    for message, arabic in known.items():
        given = sorted(each or str(n) for n, each in enumerate(PLACEHOLDER.findall(message)))
        kept = sorted(each or str(n) for n, each in enumerate(PLACEHOLDER.findall(arabic)))
        assert given == kept, message
        assert ARABIC.search(arabic) or not re.search("[a-z]", PLACEHOLDER.sub("", message)), (
            message
        )


def checked(folder: Path, *arguments: str, **environment: str) -> str:
    """Return what the command prints."""
    return CliRunner(env=environment).invoke(main, ["check", str(folder), *arguments]).stdout


@cases("kind", [each for each in DiagnosticKind if EXPLANATIONS[each].example])
def test_a_report_is_wholly_in_arabic(kind: DiagnosticKind, tmp_path: Path) -> None:
    """Of the example of each kind; names, paths and what libraries say stay as they are."""
    folder = tmp_path / kind
    for path, text in EXPLANATIONS[kind].example.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    report: dict[str, Any] = json.loads(checked(folder, "--lang", "ar", "--format", "json"))
    found = [each for each in report["diagnostics"] if each["code"] == kind]
    assert found
    for each in found:
        assert ARABIC.search(each["message"]) or kind in OF_LIBRARIES, each
        assert ARABIC.search(each["fix"]), each
        if kind not in OF_LIBRARIES:
            assert not LATIN_SENTENCE.search(each["message"]), each


def test_lists_have_the_commas_of_the_language(tmp_path: Path) -> None:
    """Also of a file that is not parsed again."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "other.md").write_text("---\ntitle: A\n---\n")
    for _ in range(2):
        assert "home.md, " in checked(tmp_path, "--lang", "en")
        assert "home.md، " in checked(tmp_path, "--lang", "ar")


OF_LIBRARIES = {
    DiagnosticKind.INVALID_YAML,
    DiagnosticKind.MIXED_SCRIPTS,
    DiagnosticKind.INVALID_TOML,
    DiagnosticKind.INVALID_TEMPLATE,
    DiagnosticKind.INVALID_KIND,
    DiagnosticKind.UNREADABLE_IMAGE,
    DiagnosticKind.UNRENDERABLE,
}
"""Kinds whose messages have words of a parser, or of Unicode."""


@pytest.mark.parametrize(
    ("environment", "arguments", "word"),
    [
        pytest.param({"LANG": "ar_SA.UTF-8"}, (), "تحذير", id="environment"),
        pytest.param({"LC_MESSAGES": "ar", "LANG": "en_GB"}, (), "تحذير", id="messages first"),
        pytest.param({"LC_ALL": "en_US", "LANG": "ar_SA"}, (), "warning", id="all comes first"),
        pytest.param({"LANG": "fr_FR"}, (), "warning", id="another language"),
        pytest.param({"LANG": "ar_SA"}, ("--lang", "en"), "warning", id="option"),
        pytest.param({"LANG": "C"}, ("--lang", "ar"), "تحذير", id="option in Arabic"),
    ],
)
def test_the_environment_chooses_the_language(
    environment: dict[str, str], arguments: tuple[str, ...], word: str, tmp_path: Path
) -> None:
    """As of other programs; the option comes before it."""
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "about.md").write_text("---\ntitle: About us\n---\n[x](/none)\n")
    unset = dict.fromkeys(("LC_ALL", "LC_MESSAGES", "LANG"), "")
    assert word in checked(tmp_path, *arguments, **unset | environment)

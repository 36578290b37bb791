"""The term base of the project and the rules of written Arabic: over all Arabic texts it has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from cases import cases
from examples import SITES

from app.platform.settings import SAMPLE_CONTENT
from knowledge.checks.glossary import INTERFACE, TermBase, read_term_base
from knowledge.diagnostics.diagnostic import Diagnostic

ROOT = Path(__file__).parents[3]
CATALOGS = ROOT / "renderers" / "translations" / "ar" / "LC_MESSAGES"
STARTERS = ROOT / "app" / "operations" / "starters"


@cache
def base() -> TermBase:
    """Return the term base of the project."""
    return read_term_base((SAMPLE_CONTENT / "_glossary.md").read_text())


COUNTED = re.compile(r"%\((?:num|count|shown|total)\)s\s+(?!(?:من|في|إلى|و)\b)[\u0621-\u064a]{3,}")
CONSTANT = {
    "Choose up to %(num)s products in the list to compare them.",
    "Up to %(num)s products can be compared. Please leave some out:",
}
"""Messages with a number that is always the same."""


def lines_of(found: Iterator[Diagnostic]) -> list[str]:
    """Return diagnostics as readers see them."""
    return [str(each) for each in found]


def texts_of(folder: Path, pattern: str = "**/*.md") -> dict[str, str]:
    """Return the texts of a folder by path."""
    files = (each for each in folder.glob(pattern) if each.name != "_glossary.md")
    return {each.relative_to(ROOT).as_posix(): each.read_text() for each in files}


def messages() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield catalog, message and Arabic forms of each text of the interface."""
    for path in sorted(CATALOGS.glob("*.po")):
        with path.open("rb") as text:
            for each in read_po(text):
                if each.id:
                    message = each.id if isinstance(each.id, str) else each.id[0]
                    string = each.string or ""
                    yield (
                        path.name,
                        message,
                        (string,) if isinstance(string, str) else tuple(string),
                    )


def catalogs() -> Mapping[str, str]:
    """Return the Arabic of the catalogs and of the manual, a message in a line."""
    texts: dict[str, list[str]] = {}
    for name, _message, forms in messages():
        texts.setdefault(name, []).append(" | ".join(forms).replace("\n", " "))
    manual = (ROOT / "llms" / "templates" / "developers.ar.md").read_text()
    return {**{name: "\n".join(lines) for name, lines in texts.items()}, "developers.ar.md": manual}


def test_the_catalogs_keep_to_the_term_base() -> None:
    """The interface, the API, the check and the manual; no word of the sample is in them."""
    assert lines_of(base().diagnostics(catalogs(), INTERFACE)) == []


@cases("folder", [STARTERS, *SITES])
def test_starters_and_examples_keep_to_the_term_base(folder: Path) -> None:
    """Their own `majlis check` has no term base."""
    assert lines_of(base().diagnostics(texts_of(folder))) == []


def test_the_guides_keep_to_the_term_base() -> None:
    """English ones have Arabic examples."""
    texts = {**texts_of(ROOT / "docs", "*.md"), **texts_of(ROOT / "docs", "_kinds/*.md")}
    assert len(texts) > 30
    assert lines_of(base().diagnostics(texts)) == []


def test_every_number_that_counts_has_the_plurals_of_arabic() -> None:
    """A message with a number before a noun has six forms."""
    counted = {
        message
        for _catalog, message, forms in messages()
        if len(forms) == 1 and COUNTED.search(forms[0])
    }
    assert counted <= CONSTANT


@cases(
    ("text", "reported"),
    [
        pytest.param("التخصص: الجلدية; الفروع: جدة", "“;” is a Latin sign", id="semicolon"),
        pytest.param("القهوة, والشاي", "“,” is a Latin sign", id="comma"),
        pytest.param("كيف حالك?", "“?” is a Latin sign", id="question mark"),
        pytest.param(
            "ما ينشره %(site)s اليوم", "“ينشره” agrees with a name", id="name in a catalog"
        ),
        pytest.param("ما تقدّمه {site}", "“تقدّمه” agrees with a name", id="name in words"),
        pytest.param("- **2**: لغتان", "“2: لغتان” counts a dual", id="statistic"),
        pytest.param("خلال 2 يومين", "“2 يومين” counts a dual", id="digit"),
        pytest.param('{ value: "2", label: { ar: يومان } }', "counts a dual", id="label"),
        pytest.param("شركتك هنا.\nنزور مكتبكم.", "“مكتبكم” addresses many", id="two addresses"),
        pytest.param("يسجل هنا.\nيسجّل هناك.", "“يسجل” is “يسجّل” elsewhere", id="shadda"),
        pytest.param("قائمة لفات ورق", "The glossary excludes “لفات ورق”", id="term"),
    ],
)
def test_each_rule_finds_what_it_is_for(text: str, reported: str) -> None:
    """One report for one fault."""
    (found,) = lines_of(base().diagnostics({"pages/a.ar.md": text}))
    assert reported in found


@cases(
    "text",
    [
        pytest.param("tags: [عادات, تخطيط]", id="list of YAML"),
        pytest.param("`قهوة, شاي` [متجر](/a?b)", id="code and links"),
        pytest.param("ما ينشره موقع %(site)s، والتواصل مع %(site)s", id="before a name"),
        pytest.param("عام 2009 بغرفتين، و12 يومًا، و2 رمضان", id="years and days"),
        pytest.param(
            "شركتك هنا. هل يزورنا أحد من فريقكم؟ تحكّم وتحكم", id="a question of the reader"
        ),
        pytest.param("الموقع. العقد الموقّع. الموقع", id="two words"),
    ],
)
def test_other_texts_keep_to_the_rules(text: str) -> None:
    """What looks like a fault and is none."""
    assert lines_of(base().diagnostics({"pages/a.ar.md": text})) == []


@cases(
    ("path", "area", "count"),
    [
        ("registry/faqs.ae.ar.md", "", 1),
        ("registry/faqs.ae.dubai.ar.md", "", 1),
        ("registry/faqs.sa.ar.md", "", 0),
        ("registry/faqs.ar.md", "", 0),
    ],
)
def test_a_row_with_a_country_holds_for_its_files(path: str, area: str, count: int) -> None:
    """Other countries have another term of law."""
    found = lines_of(base().diagnostics({path: "اكتب الرقم الضريبي"}, area))
    assert len(found) == count


def test_a_row_of_the_interface_holds_for_catalogs_only() -> None:
    """A site may sell devices."""
    texts = {"messages.po": "أجهزة مشابهة"}
    assert len(lines_of(base().diagnostics(texts, INTERFACE))) == 1
    assert lines_of(base().diagnostics(texts)) == []

"""Guides in Arabic say the same as those in English: headings, paragraphs, samples, links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from cases import cases
from contract.visitor import Visitor
from live.documents import ROOT, Sample, samples
from markdown_it import MarkdownIt
from markdown_it.token import Token
from samples.machine import LANGUAGES

TRANSLATIONS = sorted(path.name for path in (ROOT / "docs").glob("*.ar.md"))
_HEADING = re.compile(r'<h([1-6])[^>]*\bid="([^"]+)"')
_LEVEL = re.compile(r"#+(?= )|^:::\{\w+\}|\{#[\w-]+\}", re.MULTILINE)


def test_start_and_write_are_in_arabic() -> None:
    """Others may follow."""
    assert {
        "start.ar.md",
        "write.ar.md",
        "forms.ar.md",
        "kinds.ar.md",
        "branding.ar.md",
        "trouble.ar.md",
    } <= {*TRANSLATIONS}


@cases("name", TRANSLATIONS)
def test_a_translation_has_the_headings_of_its_original(name: str) -> None:
    """The same levels and ids, in the same order, so that links lead to them in both."""
    slug = name.removesuffix(".ar.md")
    with Visitor(content_dir=ROOT / "docs") as site:
        english, arabic = (
            site.get(f"/{language}/docs/{slug}", {"Accept": "text/html"}).text.partition("<main")[2]
            for language in ("en", "ar")
        )
    assert _HEADING.findall(arabic)[1:] == _HEADING.findall(english)[1:]  # [0] is the title
    assert len(_HEADING.findall(arabic)) > 1


@cases("name", TRANSLATIONS)
def test_a_translation_has_the_samples_of_its_original(name: str) -> None:
    """The same commands; of content the same keys, sections and ids, with texts in Arabic."""
    original, translation = map(samples, guides(name))
    assert list(map(essence, translation)) == list(map(essence, original))


def guides(name: str) -> tuple[str, str]:
    """Return the original and the translation."""
    return f"docs/{name.replace('.ar.md', '.md')}", f"docs/{name}"


def essence(sample: Sample) -> tuple[str, object]:
    """Return what is the same in both languages."""
    if sample.language in LANGUAGES or sample.language == "yaml":
        return sample.language, sample.text
    keys = re.findall(r"^\s*(?:- )?\{? *(\w+):", sample.text, re.MULTILINE)
    return sample.language, (keys, _LEVEL.findall(sample.text))


@cases("name", TRANSLATIONS)
def test_a_translation_has_the_parts_and_links_of_its_original(name: str) -> None:
    """Each paragraph, item and row, and in them links and pictures with the same targets."""
    original, translation = (parts(ROOT / guide) for guide in guides(name))
    assert translation == original


def parts(guide: Path) -> list[str]:
    """Return the names of the parts of a guide and the targets of its links, in order."""
    return list(_parts(MarkdownIt("gfm-like").parse(guide.read_text(encoding="utf-8"))))


def _parts(tokens: list[Token]) -> Iterator[str]:
    for token in tokens:
        target = token.attrGet("href") or token.attrGet("src")
        if target or (token.block and token.nesting > 0):
            yield f"{token.tag} {target or ''}"
        yield from _parts(token.children or [])

"""Omissions: the published texts that an import leaves out, each with its number of words."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from knowledge.documents.body import count_words
from knowledge.markdown.raw_html import text_of

_PAGES = frozenset((".html", ".htm", ".xhtml", ".njk", ".liquid", ".hbs"))
_COMPONENTS = frozenset((".astro", ".vue", ".svelte", ".jsx", ".tsx", ".pug", ".haml"))
_TEXTS = frozenset((".adoc", ".asciidoc", ".org", ".rst", ".txt", ".ipynb"))
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n.*?\n---[ \t]*\n", re.DOTALL)
_TEMPLATE = re.compile(
    r"\{%.{0,500}?%\}|\{\{.{0,500}?\}\}|\{#.{0,500}?#\}|<%.{0,500}?%>", re.DOTALL
)
_BETWEEN_TAGS = re.compile(r">([^<>{}=;]+)<")
_ABOUT_SITE = frozenset(("robots.txt", "humans.txt", "security.txt", "ads.txt", "404.html"))
"""Files for programs, and the page of a missing address, which every site has."""


class Omission(NamedTuple):
    """A file that is left out, the number of its words, and the reason."""

    path: str
    words: int
    reason: str


def words_of(file: Path) -> int:
    """Return the number of words that a file of another type shows to readers."""
    suffix = file.suffix.lower()
    is_text = suffix in _PAGES | _COMPONENTS | _TEXTS
    if not is_text or file.name in _ABOUT_SITE or "requirements" in file.name:
        return 0
    text = _FRONT_MATTER.sub("", file.read_text(encoding="utf-8", errors="replace"))
    if suffix in _COMPONENTS:
        return count_words(" ".join(_BETWEEN_TAGS.findall(text)))
    if suffix in _PAGES:
        return count_words(text_of(_TEMPLATE.sub(" ", text)))
    return count_words(text)

"""Passages of pages: all visible text once, under anchors that the HTML has."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from conftest import NOW, ViewOf, locale_of

from app.settings import SAMPLE_CONTENT
from knowledge.addresses import Address, Page
from knowledge.content_view import ContentView
from knowledge.loading import load_content
from knowledge.locale import Language, all_locales
from knowledge.passages import MAX_TOKENS, Passage
from knowledge.resources.site_page import PageQuery, site_page
from knowledge.snapshot import Snapshot
from renderers import html
from renderers.html.commonmark import render_markdown
from renderers.passages import locale_passages, page_passages

GOLDEN = Path(__file__).parent / "golden"
CHROME = {
    *("nav", "form", "header:top", "footer:foot", "p:more", "p:count", "p:meta", "p:eyebrow"),
    *("p:notice", "p:buttons", "section:band related", "time", "p:stars"),
}


@pytest.fixture(scope="module")
def snapshot() -> Snapshot:
    """The sample content."""
    return load_content(SAMPLE_CONTENT).snapshot


class Words(HTMLParser):
    """The words of the content of a page, without those of the site around it."""

    def __init__(self) -> None:
        super().__init__()
        self.words: Counter[str] = Counter()
        self.ids: list[str] = []
        self._skipped: list[str] = []
        self._is_main = False
    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        if "id" in values: self.ids.append(values["id"])

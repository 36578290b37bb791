"""The weight of pages: what a first visit transfers, without pictures."""

from __future__ import annotations

import re
from functools import cache
from html import unescape
from urllib.parse import quote

import brotli
import pytest
from cases import cases
from contract.visitor import Visitor
from live.site_pages import paths

from renderers.html import styles as static_files

_STYLESHEET = re.compile(r'<link rel="stylesheet" href="([^"]+)"')
_MAX_STYLES = 25_000
_MAX_TEXT = 20_000
_MAX_PAGE = {"en": 45_000, "ar": 94_000}
_IN_ARABIC_FONTS = re.compile(
    r"[\u0020-\u007e\u00a0\u00a9\u00ab\u00b0-\u00b3\u00b7\u00bb\u00bd\u00d7\u00f7\u2013\u2014"
    r"\u2018\u2019\u201c\u201d\u2022\u2026\u2039\u203a\u20ac\u2122\u2212]"
)
"""What the fonts of Arabic pages have besides Arabic letters."""

_LATIN = re.compile(r"[\u0020-\u00ff\u2010-\u205f\u20ac\u2122\u2191\u2193\u2212]")
"""What the Latin fonts have."""


@cache
def _compressed_bytes(content: bytes) -> int:
    return len(brotli.compress(content))


@cases("path", [pytest.param(path, id=name) for name, path in paths()])
def test_a_first_visit_is_light(sample: Visitor, path: str) -> None:
    """HTML and styles compressed, and with all fonts that the letters of the page need."""
    response = sample.get(quote(path, safe="/?=&,"), {"Accept": "text/html"})
    (link,) = _STYLESHEET.findall(response.text)
    styles = sample.get(link).body
    assert response.status in {200, 404}
    assert len(styles) <= _MAX_STYLES
    text = sum(map(_compressed_bytes, (response.body, styles)))
    assert text <= _MAX_TEXT
    language = "ar" if "/ar" in path else "en"
    needed = ["latin"]
    if language == "ar":
        words = re.sub(r"<(script|style).*?</\1>|<[^>]*>", "", response.text, flags=re.DOTALL)
        others = set(_LATIN.findall(_IN_ARABIC_FONTS.sub("", unescape(words))))
        needed = ["arabic", "latin"] if others else ["arabic"]
    fonts = sum(
        len(file.content)
        for name, file in static_files.files().items()
        if name.endswith(".woff2") and any(each in name for each in needed)
    )
    assert text + fonts <= _MAX_PAGE[language]

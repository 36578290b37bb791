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

_STYLESHEET = re.compile(r'<link rel="stylesheet" href="/static/[^/]+/([^"]+)"')
_MAX_TEXT = 30_000
_MAX_PAGE = {"en": 70_000, "ar": 110_000}
_FACE = re.compile(r'family: "Plex Beside Arabic";.*?unicode-range: ([^;]+);', re.DOTALL)
_LATIN = re.compile(r"[\u0020-\u00ff\u2010-\u205f\u20ac\u2122\u2191\u2193\u2212]")
"""What the Latin fonts have."""


@cache
def _in_arabic_fonts() -> re.Pattern[str]:
    """Return what the fonts of Arabic pages have besides Arabic letters."""
    (ranges, _) = _FACE.findall(static_files.FOLDER.joinpath("site", "fonts.css").read_text())
    ends = ([int(end, 16) for end in each[2:].split("-")] for each in ranges.split(", "))
    return re.compile("[" + "".join(rf"\u{each[0]:04x}-\u{each[-1]:04x}" for each in ends) + "]")


@cache
def _compressed_bytes(content: bytes) -> int:
    return len(brotli.compress(content))


@cases("path", [pytest.param(path, id=name) for name, path in paths()])
def test_a_first_visit_is_light(sample: Visitor, path: str) -> None:
    """HTML and styles compressed, and with all fonts that the letters of the page need."""
    response = sample.get(quote(path, safe="/?=&,"), {"Accept": "text/html"})
    styles = [static_files.files()[name] for name in _STYLESHEET.findall(response.text)]
    assert response.status in {200, 404}
    assert styles
    text = sum(map(_compressed_bytes, (response.body, *(each.content for each in styles))))
    assert text <= _MAX_TEXT
    language = "ar" if "/ar" in path else "en"
    needed = ["latin"]
    if language == "ar":
        words = re.sub(r"<(script|style).*?</\1>|<[^>]*>", "", response.text, flags=re.DOTALL)
        others = set(_LATIN.findall(_in_arabic_fonts().sub("", unescape(words))))
        needed = ["arabic", "latin"] if others else ["arabic"]
    fonts = sum(
        len(file.content)
        for name, file in static_files.files().items()
        if name.endswith(".woff2") and any(each in name for each in needed)
    )
    assert text + fonts <= _MAX_PAGE[language]

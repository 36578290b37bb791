"""The weight of pages: what a first visit transfers, without pictures."""

from __future__ import annotations

import re
from functools import cache
from urllib.parse import quote

import brotli
import pytest
from cases import cases
from contract.visitor import Visitor
from live.site_pages import paths

from renderers.html import styles as static_files

_STYLESHEET = re.compile(r'<link rel="stylesheet" href="/static/[^/]+/([^"]+)"')
_MAX_TEXT = 30_000
_MAX_PAGE = {"en": 80_000, "ar": 120_000}


@cache
def _compressed_bytes(content: bytes) -> int:
    return len(brotli.compress(content))


@cases("path", [pytest.param(path, id=name) for name, path in paths()])
def test_a_first_visit_is_light(sample: Visitor, path: str) -> None:
    """HTML and styles compressed, and with all fonts that the page's script may need."""
    response = sample.get(quote(path, safe="/?=&,"), {"Accept": "text/html"})
    styles = [static_files.files()[name] for name in _STYLESHEET.findall(response.text)]
    assert response.status in {200, 404}
    assert styles
    text = sum(map(_compressed_bytes, (response.body, *(each.content for each in styles))))
    assert text <= _MAX_TEXT
    language = "ar" if "/ar" in path else "en"
    fonts = sum(
        len(file.content)
        for name, file in static_files.files().items()
        if name.endswith(".woff2") and (language == "ar" or "latin" in name)
    )
    assert text + fonts <= _MAX_PAGE[language]

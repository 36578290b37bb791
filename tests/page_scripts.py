"""The scripts in pages: those of all pages, and those that a page needs itself."""

from __future__ import annotations

import re
from typing import Protocol

from renderers.html.styles import SUGGEST, script_of, source_of


class Headers(Protocol):
    """The headers of a response."""

    def __getitem__(self, name: str, /) -> str: ...


EVERYWHERE = (str(script_of("scheme.js")), str(script_of(SUGGEST)))
"""The choice of light or dark pages, and the suggestions of search boxes."""

_COMMON = (*EVERYWHERE, str(script_of("preset.js")))
"""Those, and the answers that links fill into forms, which many pages have."""

_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_SOURCES = re.compile("script-src ([^;]*);")


def without_common_scripts(html: str) -> str:
    """Return a page without the scripts that many pages have."""
    for each in _COMMON:
        html = html.replace(f"<script>{each}</script>", "", 1)
    return html


def own_scripts(html: str) -> list[str]:
    """Return the scripts of a page that it needs itself."""
    return [each for each in _SCRIPT.findall(html) if each not in _COMMON]


def own_sources(headers: Headers) -> set[str]:
    """Return the sources of scripts that the policy of a page alone allows."""
    allowed = _SOURCES.findall(headers["Content-Security-Policy"])
    return {*" ".join(allowed).split()} - {*map(source_of, _COMMON)}

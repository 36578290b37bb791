"""VitePress, VuePress and Docusaurus: tables of contents, code from files, and containers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from re import Match

from knowledge.markdown.generator_syntax.source import BREAK, Source

_CONTENTS = re.compile(r"^[ \t]*(?:\[\[_?toc_?\]\]|\[toc\])[ \t]*$", re.MULTILINE | re.IGNORECASE)
_INCLUDED = re.compile(
    r"^[ \t]*(?:@\[[\w-][^\]\n]*+\]\([^)\n]*+\)|<<<[ \t]*[@./\w][^\n]*)$", re.MULTILINE
)
_FENCE = re.compile(r"^[ \t]*:{3,}[ \t]*(?P<name>[^\s\[{]*)[ \t]*(?P<title>[^\n]*)$", re.MULTILINE)
_WRAPPERS = frozenset(
    {"card", "cards", "code-group", "codetabs", "fields", "raw", "steps", "tab", "tabs", "v-pre"}
)
"""Containers whose content says all that they do."""


def read_vue(source: Source) -> None:
    """Leave out what these generators put in when they build a page."""
    if "[" in source.text:
        source.substitute(_CONTENTS, lambda _: "")
    if "@[" in source.text or "<<<" in source.text:
        source.substitute(_INCLUDED, partial(_included, source))
    if ":::" in source.text:
        source.rewrite(_containers(source.text))


def _included(source: Source, match: Match[str]) -> str:
    return source.leave_out("VitePress", match.start(), match[0])


def _containers(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the lines that open and close a wrapper, with its title in bold."""
    is_wrapper: list[bool] = []
    for fence in _FENCE.finditer(text):
        if fence["name"] or fence["title"]:
            is_wrapper.append(fence["name"] in _WRAPPERS)
            if is_wrapper[-1]:
                title = fence["title"].strip() if fence["name"] == "tab" else ""
                yield fence.start(), fence.end(), f"**{title}**{BREAK}" if title else ""
        elif is_wrapper and is_wrapper.pop():
            yield fence.start(), fence.end(), ""

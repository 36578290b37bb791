"""The text after the opening fence of a code block: its language, title and marked lines.

Generators write it in many ways, such as `js {1,3}`, `js title="a.js"`, `{python}`, `js:a.js`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_MAX_CHARACTERS = 500
"""Of a longer text only the beginning is read."""

_LANGUAGE = re.compile(r"\{?[ \t]*\.?([A-Za-z][\w+#.-]*)(?![\w+#.-]|[ \t]*=[ \t]*[\"'])")
_DIRECTIVE = re.compile(r"\{(?:code|code-block|code-cell|sourcecode)\}[ \t]*")
_TITLE = re.compile(
    r"\b(?:title|filename|file|name)[ \t]*=[ \t]*"
    r"(?:\"([^\"]*)\"|'([^']*)'|([^\s\"',}\]]+))"
)
_TAB_TITLE = re.compile(r"[\w}][ \t]+\[([^\[\]]+)\]")
_FILE_NAME = re.compile(r"[\w+#-]+:([^\s{}\[\]=]*[./][^\s{}\[\]=]*)")
_LINES = re.compile(
    r"\{([\d,\s-]+)\}|\bhl_lines[ \t]*=[ \t]*(?:\[([\d,\s\"'-]+)\]|[\"']([\d,\s-]+)[\"']|([\d,-]+))"
)
_NOT_MARKED = re.compile(r"\b(?:ins|del|add|remove|collapse)[ \t]*=[ \t]*\{[^{}]*\}")
_RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")


@dataclass(frozen=True, slots=True)
class FenceInfo:
    """What a code block says of itself; `ranges` are first and last numbers of marked lines."""

    language: str = ""
    title: str = ""
    ranges: tuple[tuple[int, int], ...] = ()


def parse_fence_info(info: str) -> FenceInfo:
    """Read the text after a fence.

    >>> parse_fence_info('js title="a.js" {1,3-5}')
    FenceInfo(language='js', title='a.js', ranges=((1, 1), (3, 5)))
    >>> parse_fence_info("{.python .numberLines}").language
    'python'
    """
    text = _DIRECTIVE.sub("", info[:_MAX_CHARACTERS].strip(), count=1)
    language = _LANGUAGE.match(text)
    return FenceInfo(
        language=language[1].lower() if language else "",
        title=_title(text),
        ranges=tuple(_ranges(_NOT_MARKED.sub("", text))),
    )


def _title(text: str) -> str:
    """Return the title that an attribute gives, else that of a tab, else a file name."""
    attribute = _TITLE.search(text)
    if attribute:
        return next((each for each in attribute.groups() if each), "")
    match = _TAB_TITLE.search(text) or _FILE_NAME.match(text)
    return match[1] if match else ""


def _ranges(text: str) -> Iterator[tuple[int, int]]:
    match = _LINES.search(text)
    numbers = next((each for each in match.groups() if each), "") if match else ""
    for first, last in _RANGE.findall(numbers):
        yield int(first), int(last or first)

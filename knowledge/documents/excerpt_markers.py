"""The mark that ends the excerpt of a text, as other generators have it: `<!-- more -->`.

Hugo, Jekyll, Zola and WordPress write `more`, Docusaurus `truncate`, others `excerpt`; in MDX a
comment is `{/* truncate */}`.
"""

from __future__ import annotations

import re

_NAME = r"[ \t]*(?:more|truncate|excerpt|readmore|end[- ]?excerpt)[ \t]*"
_MARKER = re.compile(
    r"(?P<code>^[ \t]*+(?P<fence>`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^[ \t]*+(?P=fence)[`~]*+[ \t]*+$|\Z))"
    r"|(?P<span>(?<!`)(?P<ticks>`{1,8})(?!`)(?:(?!\n[ \t]*\n)[^`])*+(?P=ticks)(?!`))"
    rf"|<!--(?i:{_NAME})-->|\{{/\*(?i:{_NAME})\*/\}}",
    re.DOTALL | re.MULTILINE,
)


def without_excerpt_marker(text: str) -> tuple[str, int]:
    r"""Return a text without its marks, and where the excerpt ends in it, 0 if nowhere.

    Marks in code are code.

    >>> without_excerpt_marker("Short.\n\n<!-- more -->\n\nLong.")
    ('Short.\n\n\n\nLong.', 8)
    """
    if "<!--" not in text and "{/*" not in text:
        return text, 0
    marks = [match.span() for match in _MARKER.finditer(text) if not _is_code(match)]
    if not marks:
        return text, 0
    ends = [0, *(end for _, end in marks)]
    starts = [*(start for start, _ in marks), len(text)]
    kept = "".join(text[end:start] for end, start in zip(ends, starts, strict=True))
    return kept, marks[0][0]


def _is_code(match: re.Match[str]) -> bool:
    return match["code"] is not None or match["span"] is not None

"""Inline markdown: its plain text, and the targets it links to."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from knowledge.markdown import markdown_parser
from knowledge.memoize import text_cache

_MARKDOWN = markdown_parser()
_MARKUP = re.compile(r"[*_`\[\]<>&\\!]")
_BREAKS = frozenset({"linebreak", "softbreak"})

# A link's target stands after `](`, or after `]:` in a definition; code is passed over.
_TARGET = re.compile(
    r"(?P<fence>^ {0,3}(?:`{3,}+|~{3,}+))[^\n]*+\n.*?(?:^(?P=fence)[`~]*+[ \t]*+$|\Z)"
    r"|(?P<ticks>`++)"
    r"|(?P<before>\]\(\s*<?|^ {0,3}\[[^\]\n]+\]:\s*<?)(?P<target>[^\s()<>]+)",
    re.DOTALL | re.MULTILINE,
)
_TICKS = re.compile("`+")


@dataclass(frozen=True, slots=True)
class Reference:
    """A link or image in a text, as the author wrote its target."""

    target: str
    is_image: bool
    alt: str


def plain_text(markdown: str) -> str:
    """What a reader sees of a text, without markup; images give nothing.

    >>> plain_text("Use `make` and [read *on*](/docs)")
    'Use make and read on'
    """
    if not _MARKUP.search(markdown):
        return " ".join(markdown.split())
    return _plain_text(markdown)


@text_cache
def _plain_text(markdown: str) -> str:
    return " ".join("".join(_plain(_tokens(markdown))).split())


def plain_line(markdown: str) -> str:
    """The same of a single line, such as a heading, where `1.` or `>` opens no block.

    >>> plain_line("1. Use `make`")
    '1. Use make'
    """
    tokens = _MARKDOWN.inline(markdown, {"ref_links": {}})
    return " ".join("".join(_plain(tokens)).split())


def references(markdown: str) -> tuple[Reference, ...]:
    """Every link and image of a text, in order."""
    return tuple(_references(_tokens(markdown)))


def rewrite_targets(markdown: str, rewrite: Callable[[str], str]) -> str:
    """The same text with each link and image target passed through `rewrite`.

    >>> rewrite_targets("[a](b.md) and `[a](b.md)`", str.upper)
    '[a](B.MD) and `[a](b.md)`'
    """
    if "](" not in markdown and "]:" not in markdown:
        return markdown
    return "".join(_rewritten(markdown, rewrite))


def _rewritten(markdown: str, rewrite: Callable[[str], str]) -> Iterator[str]:
    spans = _CodeSpans(markdown)
    written = place = 0
    while match := _TARGET.search(markdown, place):
        place = match.end()
        if match["ticks"]:
            place = spans.end(len(match["ticks"]), place)
        elif match["target"]:
            start, end = match.span("target")
            yield markdown[written:start]
            yield rewrite(markdown[start:end])
            written = end
    yield markdown[written:]


class _CodeSpans:
    """Where code spans end: at the next run of as many backticks.

    All runs are found once. To look for each end by itself takes the square of the runs.
    """

    def __init__(self, markdown: str) -> None:
        self._runs: defaultdict[int, deque[int]] = defaultdict(deque)
        for run in _TICKS.finditer(markdown):
            self._runs[len(run[0])].append(run.end())

    def end(self, ticks: int, place: int) -> int:
        """The end of the span that so many backticks before this place open.

        It is the place itself where nothing closes them. Places only grow.
        """
        ends = self._runs[ticks]
        while ends and ends[0] <= place:
            ends.popleft()
        return ends[0] if ends else place


def _tokens(markdown: str) -> Iterable[Mapping[str, Any]]:
    tokens, _ = _MARKDOWN.parse(markdown)
    return tokens if isinstance(tokens, list) else []


def _plain(tokens: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for token in tokens:
        if token["type"] == "image":
            continue
        if token["type"] in _BREAKS or token["type"] in ("blank_line", "list_item"):
            yield " "
        if "children" in token:
            yield from _plain(token["children"])
        elif "html" not in token["type"]:
            yield token.get("raw", "")


def _references(tokens: Iterable[Mapping[str, Any]]) -> Iterator[Reference]:
    for token in tokens:
        children = token.get("children", ())
        if token["type"] in ("link", "image"):
            alt = "".join(_plain(children))
            yield Reference(token["attrs"]["url"], token["type"] == "image", alt)
        yield from _references(children)

"""Mixed runs that cross inline markup, such as `200 × 15% = **30**`."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

from renderers.l10n.bidi import Direction, isolated_runs
from renderers.l10n.directional_runs import Span

Token = dict[str, Any]

_MARKED = frozenset(("strong", "emphasis", "strikethrough"))
_OTHER = "\ufffc"
"""Stands for a token that no run contains, as in the bidirectional algorithm."""


def runs_grouped(tokens: list[Token], direction: Direction) -> list[Token]:
    """Return inline tokens of which each run over several is one token of type `isolated`."""
    if not any(token["type"] in _MARKED for token in tokens):
        return tokens
    inline = _Inline(tokens)
    grouped: list[Token] = []
    position = 0
    for start, end in isolated_runs(inline.text, direction):
        if inline.is_over_several((start, end)):
            grouped += inline.part((position, start))
            grouped.append({"type": "isolated", "children": list(inline.part((start, end)))})
            position = end
    return [*grouped, *inline.part((position, len(inline.text)))] if grouped else tokens


class _Inline:
    """Inline tokens, with the offset of each in their text."""

    def __init__(self, tokens: list[Token]) -> None:
        texts = [_text(token) for token in tokens]
        self.text = "".join(texts)
        self._tokens = tokens
        self._offsets = [0, *accumulate(map(len, texts))]

    def is_over_several(self, run: Span) -> bool:
        """Return whether a run is in several tokens, of which it cuts none but text."""
        first, last = self._range(run)
        is_cut = {first: run[0] > self._offsets[first], last: run[1] < self._offsets[last + 1]}
        whole = all(self._tokens[i]["type"] == "text" for i, cut in is_cut.items() if cut)
        return first < last and whole

    def part(self, span: Span) -> Iterator[Token]:
        """Yield the tokens of a part of the text."""
        if span[0] == span[1]:
            return
        first, last = self._range(span)
        for index in range(first, last + 1):
            token, start = self._tokens[index], self._offsets[index]
            if token["type"] == "text":
                token = {**token, "raw": token["raw"][max(span[0] - start, 0) : span[1] - start]}
            yield token

    def _range(self, span: Span) -> Span:
        """Return the indices of the first and last token of a part of the text."""
        first = bisect_right(self._offsets, span[0]) - 1
        return first, bisect_left(self._offsets, span[1]) - 1


def _text(token: Token) -> str:
    """Return the text of a token that a run may contain."""
    if token["type"] == "text":
        return str(token["raw"])
    children = token.get("children", ())
    if token["type"] in _MARKED and len(children) == 1 and children[0]["type"] == "text":
        return str(children[0]["raw"]) or _OTHER
    return _OTHER

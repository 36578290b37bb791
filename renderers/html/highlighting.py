"""Highlighting of search terms in a text."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence

from markupsafe import Markup, escape

from renderers.l10n.bidi import Direction, isolate, isolated_runs
from renderers.l10n.directional_runs import Span

Spans = Callable[[str], Sequence[Span]]


def highlighted(text: str, spans: Spans | None, direction: Direction = "ltr") -> Markup:
    """Escape a text, wrap the matched spans in `mark` elements, and isolate mixed runs.

    >>> highlighted("VAT & you", lambda text: [(0, 3)])
    Markup('<mark>VAT</mark> &amp; you')
    """
    marks, position, pieces = deque(spans(text) if spans else ()), 0, []
    for start, end in isolated_runs(text, direction):
        pieces.append(Markup().join(_pieces(text, (position, start), marks)))
        pieces.append(isolate(Markup().join(_pieces(text, (start, end), marks)), direction))
        position = end
    return Markup().join([*pieces, *_pieces(text, (position, len(text)), marks)])


def _pieces(text: str, part: Span, marks: deque[Span]) -> Iterator[Markup]:
    """Yield one part of a text; marks that end in it are removed, as parts come in order."""
    position, end = part
    while marks and marks[0][0] < end:
        begin, close = max(marks[0][0], position), min(marks[0][1], end)
        yield escape(text[position:begin])
        yield Markup("<mark>{}</mark>").format(text[begin:close])
        position = close
        if marks[0][1] > end:
            break
        marks.popleft()
    yield escape(text[position:end])

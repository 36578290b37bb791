"""Highlighting of search terms in a text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from markupsafe import Markup, escape

Spans = Callable[[str], Sequence[tuple[int, int]]]


def highlighted(text: str, spans: Spans | None) -> Markup:
    """Escape a text and wrap the matched spans in `mark` elements.

    >>> highlighted("VAT & you", lambda text: [(0, 3)])
    Markup('<mark>VAT</mark> &amp; you')
    """
    pieces, position = [], 0
    for start, end in spans(text) if spans else ():
        pieces += [escape(text[position:start]), Markup("<mark>{}</mark>").format(text[start:end])]
        position = end
    return Markup().join([*pieces, escape(text[position:])])

"""Marking: the words by which a text was found, for readers who search."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from markupsafe import Markup, escape

Spans = Callable[[str], Sequence[tuple[int, int]]]


def highlighted(text: str, spans: Spans | None) -> Markup:
    """A text with its found words in `mark` elements; all else is escaped.

    >>> highlighted("VAT & you", lambda text: [(0, 3)])
    Markup('<mark>VAT</mark> &amp; you')
    """
    pieces, done = [], 0
    for start, end in spans(text) if spans else ():
        pieces += [escape(text[done:start]), Markup("<mark>{}</mark>").format(text[start:end])]
        done = end
    return Markup().join([*pieces, escape(text[done:])])

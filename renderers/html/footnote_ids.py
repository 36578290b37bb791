"""The ids of footnotes on one page: each text numbers its notes from 1, so they are made unique."""

from __future__ import annotations

import re

from markupsafe import Markup

FOOTNOTES_END = "</ol></section>"
"""The end of the notes of a text; templates never write the two tags without a line break."""

_ID = re.compile(r'( id="| href="#)(fn|fnref):')


def unique_footnotes(html: Markup) -> Markup:
    """Put the number of the text into the ids of its notes, for all texts but the first.

    >>> unique_footnotes(Markup('<i id="fn:1"></ol></section><i id="fn:1"></ol></section>'))
    Markup('<i id="fn:1"></ol></section><i id="fn2:1"></ol></section>')
    """
    if html.count(FOOTNOTES_END) < 2:
        return html
    first, *others = str(html).split(FOOTNOTES_END)
    renamed = (_ID.sub(rf"\g<1>\g<2>{text}:", each) for text, each in enumerate(others, start=2))
    # It was safe before, and the ids have nothing to escape.
    return Markup(FOOTNOTES_END.join((first, *renamed)))  # noqa: S704

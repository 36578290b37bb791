"""Texts and elements of XML documents."""

from __future__ import annotations

import re
from html import escape

_INVALID = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_text(text: str) -> str:
    """Escape text for XML and remove characters that XML does not allow.

    >>> xml_text("a < b" + chr(7))
    'a &lt; b'
    """
    return escape(_INVALID.sub("", text))


def element(name: str, text: str) -> str:
    """Return an element with a text.

    >>> element("name", "Tax & trade")
    '<name>Tax &amp; trade</name>'
    """
    return f"<{name}>{xml_text(text)}</{name}>"

"""Feeds and sitemaps. Here are texts and elements of XML documents."""

import re
from collections.abc import Iterable
from html import escape

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'
_INVALID = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def document(lines: Iterable[str]) -> bytes:
    r"""Return a document of these lines, in UTF-8.

    >>> document(["<a/>"])
    b'<?xml version="1.0" encoding="UTF-8"?>\n<a/>\n'
    """
    return "".join(f"{line}\n" for line in (_DECLARATION, *lines)).encode()


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

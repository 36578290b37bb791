"""Retained texts: what is stored of the texts that requests send, without anything personal.

A text that may tell who a reader is, such as an e-mail address or a telephone number, is counted
but not retained. Queries, cookies and addresses of requests never come here.
"""

import re
import unicodedata
from urllib.parse import unquote, urlsplit

NOT_RETAINED = "(not kept)"
"""Stands for a text that may be personal."""
MAX_LENGTH = 200
_MOST_JUDGED = 2_048
"""Characters that are looked at; far more than are kept, so that no half of a number is."""
_MAX_NAME = 64

_EMAIL = re.compile(r"\S@|@\S", re.IGNORECASE)
_PHONE = re.compile(r"(?:\d[\s().\-/]{0,3}){7,}")
"""Seven digits of any script, with what people write between them; also account numbers."""


def retained_query(text: str) -> str:
    """Return a query in the form in which equal ones are counted together.

    >>> retained_query("  VAT   Rate "), retained_query("ﬁle"), retained_query("noor@example.com")
    ('vat rate', 'file', '(not kept)')
    >>> [retained_query(text) for text in ("+971 50 123 4567", "٠٥٠ ١٢٣ ٤٥٦٧", "iso 27001")]
    ['(not kept)', '(not kept)', 'iso 27001']
    """
    normal = _printable(unicodedata.normalize("NFKC", text[:_MOST_JUDGED]).casefold())
    # The check precedes the cut, so that no half of a number is kept.
    if _EMAIL.search(normal) or _PHONE.search(normal):
        return NOT_RETAINED
    return normal[:MAX_LENGTH].rstrip()


_LONG_NUMBER = re.compile(r"\d{9,}")
_SECRET = re.compile(r"(?<!\w)(?=\w*\d)\w{32,}|(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Z])[\w-]{32,}")
"""A part of a path that no person has written, such as a token."""


def retained_path(path: str) -> str:
    """Return a path without what may be personal in it.

    >>> [retained_path(path) for path in ("/ae/en/erp", "/u/noor@example.com", "/x/971501234567")]
    ['/ae/en/erp', '(not kept)', '(not kept)']
    """
    shown = _printable(path[:_MOST_JUDGED])
    personal = (_EMAIL, _LONG_NUMBER, _SECRET)
    return NOT_RETAINED if any(each.search(shown) for each in personal) else shown[:MAX_LENGTH]


def retained_name(name: str) -> str:
    """Return the name of a program that tells it itself, such as an MCP client.

    >>> retained_name(" claude-ai "), retained_name("x" * 99) == "x" * 64, retained_name("")
    ('claude-ai', True, 'unknown')
    """
    shown = _printable(unicodedata.normalize("NFKC", name[:_MOST_JUDGED]))
    if any(each.search(shown) for each in (_EMAIL, _PHONE, _SECRET)):
        return NOT_RETAINED
    return shown[:_MAX_NAME].rstrip() or "unknown"


_SIGNER = re.compile(r'"(https://[^"\\]+)"')
_HOST = re.compile(r"(?:[a-z0-9-]*+[_.])*+[0-9-]*+[a-z][a-z0-9-]*+")
"""A host name; an IP address has no letter in its last part."""


def retained_origin(referer: str, own_hosts: frozenset[str]) -> str:
    """Return where a link was followed: a path of this site, the host of another, or nothing.

    >>> own = frozenset({"www.example.com"})
    >>> retained_origin("https://www.example.com/a?q=x#y", own)
    '/a'
    >>> retained_origin("https://www.example.com/u/noor%40example.com", own)
    '(not kept)'
    >>> retained_origin("https://chatgpt.com/c/123", frozenset())
    'chatgpt.com'
    >>> [retained_origin(origin, frozenset()) for origin in ("http://192.0.2.1/a", "about:blank")]
    ['', '']
    """
    try:
        parts = urlsplit(referer)
        host = parts.hostname or ""
    except ValueError:
        return ""
    path = unquote(parts.path)  # before it is judged
    if parts.scheme not in ("http", "https") or not _HOST.fullmatch(host):
        return retained_path(path) if host in own_hosts and host else ""
    return retained_path(path or "/") if host in own_hosts else host[:MAX_LENGTH]


def retained_signer(header: bytes) -> str:
    """Return the host that a `Signature-Agent` names, `unknown` if it names none.

    It is a structured field: a URL in quotes, which a label may precede (Web Bot Auth).

    >>> retained_signer(b'sig1="https://chatgpt.com";type=cimd'), retained_signer(b"chatgpt.com")
    ('chatgpt.com', 'unknown')
    >>> retained_signer(b'"https://203.0.113.9/x"'), retained_signer(b'"https://a@b.example/u"')
    ('unknown', 'b.example')
    """
    found = _SIGNER.search(header[:_MOST_JUDGED].decode("latin-1"))
    host = retained_origin(found[1], frozenset()) if found else ""
    return NOT_RETAINED if _LONG_NUMBER.search(host) or _SECRET.search(host) else host or "unknown"


def _printable(text: str) -> str:
    """Replace control characters and surrogates by blanks, and runs of blanks by one."""
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())

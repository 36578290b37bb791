"""URLs: the problems of paths and queries, and what a response depends on."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import parse_qsl, unquote, urlencode

from app.http.error_envelope import EXPLANATIONS
from knowledge.errors import InvalidArgument, MajlisError, NotFound

_BROKEN_ESCAPE = re.compile(rb"%(?![0-9A-Fa-f]{2})")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def path_problem(raw_path: bytes, path: str) -> MajlisError | None:
    """Return the error of a path, or None."""
    error = encoding_problem(raw_path)
    if error is not None:
        return error
    if _CONTROL.search(path):  # else the router ignores a trailing line break
        problem = "its path contains a control character"
        return InvalidArgument("URL", problem, "text without control characters")
    if path.startswith("//"):  # else the router strips slashes and matches
        return NotFound(*EXPLANATIONS[404])
    return None


def encoding_problem(part: bytes) -> InvalidArgument | None:
    """Return the error of a raw path or query whose percent-encoding is malformed, or None."""
    try:
        decoded = unquote(part.decode("latin-1"), errors="strict")
    except UnicodeDecodeError:
        decoded = None
    if decoded is None or _BROKEN_ESCAPE.search(part):
        problem = "its percent-encoding is malformed"
        return InvalidArgument("URL", problem, "percent-encoded UTF-8")
    if "\0" in decoded:
        problem = "it contains a NUL character"
        return InvalidArgument("URL", problem, "text without NUL characters")
    return None


def select_parameters(query: bytes, names: Iterable[str]) -> bytes:
    """Return a query with only the named parameters; the first of a repeated one counts.

    They are in a fixed order. Requests that differ only in other parameters therefore share one
    entry of the response cache.

    >>> select_parameters(b"utm=x&page=2&lang=ar&page=3", ("lang", "page"))
    b'lang=ar&page=2'
    >>> select_parameters(b"x=1", ())
    b''
    """
    values = dict(reversed(parse_qsl(query.decode(), keep_blank_values=True)))
    return urlencode({name: values[name] for name in names if name in values}).encode()

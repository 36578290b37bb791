"""Query strings, reduced to what the response depends on.

They contain the parameters that the route reads, each once and in a fixed order. Requests that
differ only in other parameters share one entry of the response cache.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import parse_qsl, urlencode


def select_parameters(query: bytes, names: Iterable[str]) -> bytes:
    """Return a query with only the named parameters; the first of a repeated one counts.

    >>> select_parameters(b"utm=x&page=2&lang=ar&page=3", ("lang", "page"))
    b'lang=ar&page=2'
    >>> select_parameters(b"x=1", ())
    b''
    """
    values = dict(reversed(parse_qsl(query.decode(), keep_blank_values=True)))
    return urlencode({name: values[name] for name in names if name in values}).encode()

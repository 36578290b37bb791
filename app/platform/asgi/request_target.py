"""The request target: normalized to origin form (RFC 9112, section 3.2), and checked.

Rate limits, the response cache and the router depend on the path, which only this module
determines. Letters outside ASCII are percent-encoded, as some clients send them as they are.
"""

import re
from functools import lru_cache
from ipaddress import AddressValueError, IPv6Address
from urllib.parse import parse_qsl, quote, unquote, urlencode

from app.platform.asgi.scope import HTTPScope, request_headers
from app.platform.submitted_fields import is_absent
from knowledge.resources.errors import InvalidArgument

_LINE_WITH_LETTERS = re.compile(
    rb"[!-~]+ (?P<target>[!-~]*[\x80-\xff][!-~\x80-\xff]*) HTTP/\d\.\d\r?\n"
)
_PATH = re.compile(rb"/[!\"$->@-~]*")
"""Visible ASCII without `#` and `?`."""
_QUERY = re.compile(rb"[!\"$-~]*")
_BROKEN_ESCAPE = re.compile(rb"%(?![0-9A-Fa-f]{2})")
_LETTER = re.compile(rb"[\x80-\xff]")
"""A byte of a letter that is not percent-encoded."""
_ALLOWED = "a path that begins with /, such as /llms.txt, or as http://, the Host, and such a path"


def read_target(scope: HTTPScope) -> None:
    """Set `path`, `raw_path` and `query_string` to the origin form; raises InvalidArgument."""
    raw = scope.get("raw_path")
    if raw is None or _PATH.fullmatch(raw) is None or scope.get("root_path"):
        raw = _origin_path(scope)
        scope["path"], scope["raw_path"], scope["root_path"] = unquote(raw.decode()), raw, ""
    query = encode_letters(scope["query_string"])
    scope["query_string"] = query
    if query and _QUERY.fullmatch(query) is None:
        raise _invalid("its query holds a character that must be percent-encoded")


def encode_letters(part: bytes) -> bytes:
    """Return a part of a target in which the bytes of letters are percent-encoded.

    >>> encode_letters("/ف?q=é".encode())
    b'/%D9%81?q=%C3%A9'
    """
    return part if part.isascii() else _LETTER.sub(lambda byte: b"%%%02X" % byte[0][0], part)


def with_letters_encoded(received: bytes) -> bytes:
    r"""Return what was received of a head, with the letters of its target percent-encoded.

    Parsers would refuse them without a word.

    >>> with_letters_encoded("GET /?q=é HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    b'GET /?q=%C3%A9 HTTP/1.1\r\nHost: x\r\n\r\n'
    """
    line = None if received.isascii() else _LINE_WITH_LETTERS.match(received)
    if line is None:
        return received
    start, end = line.span("target")
    return received[:start] + encode_letters(line["target"]) + received[end:]


_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_ABSOLUTE = re.compile(
    rb"(?P<scheme>https?)://(?P<authority>[^/?#]*)(?P<path>.*)", re.IGNORECASE | re.DOTALL
)
_AUTHORITY = re.compile(
    rb"(?P<host>[\w.-]+|\[(?P<address>[\da-f:.]+)\])(?::(?P<port>\d{0,5}))?", re.IGNORECASE
)
_MAX_CACHED_LENGTH = 512
"""Longer queries are parsed each time, to limit the memory of the cache."""


def path_problem(raw_path: bytes, path: str) -> InvalidArgument | None:
    """Return the error of a path, or None."""
    error = encoding_problem(raw_path)
    if error is None and _CONTROL.search(path):  # else the router ignores a trailing line break
        problem = "its path contains a control character"
        return InvalidArgument("URL", problem, "text without control characters")
    return error


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


def select_parameters(
    query: bytes, names: tuple[str, ...], repeated: tuple[str, ...] = ()
) -> bytes:
    """Return a query with only the named parameters, each once: the first that is not empty.

    Those in `repeated` keep all values. They are in a fixed order. Requests that differ only in
    other parameters therefore share one entry of the response cache.

    >>> select_parameters(b"utm=x&page=2&lang=ar&page=3", ("lang", "page"))
    b'lang=ar&page=2'
    >>> select_parameters(b"lang=&lang=ar&q=", ("lang", "q"))
    b'lang=ar&q='
    >>> select_parameters(b"x=1", ())
    b''
    >>> select_parameters(b"items=a&page=2&items=b", ("items", "page"), ("items",))
    b'items=a&items=b&page=2'
    """
    is_short = len(query) <= _MAX_CACHED_LENGTH
    return (_selected if is_short else _selected.__wrapped__)(query, names, repeated)


@lru_cache(maxsize=1_024)
def _selected(query: bytes, names: tuple[str, ...], repeated: tuple[str, ...]) -> bytes:
    pairs = parse_qsl(query.decode(), keep_blank_values=True)
    values = dict(reversed(pairs)) | {
        name: value for name, value in reversed(pairs) if not is_absent(value)
    }
    selected = (
        pair
        for name in names
        for pair in (pairs if name in repeated else values.items())
        if pair[0] == name
    )
    return urlencode(list(selected)).encode()


def _origin_path(scope: HTTPScope) -> bytes:
    """Return the path of a target in another form, without the server's root path."""
    raw = scope.get("raw_path")
    if raw is None:  # ASGI servers may leave it out
        raw = quote(scope["path"], safe="/:@!$&'()*+,;=~").encode()
    path = _path_of_target(scope, raw.partition(b"?")[0])  # some servers include the query
    path = encode_letters(path).removeprefix(quote(scope.get("root_path", "")).encode())
    if _PATH.fullmatch(path) is None:
        raise _invalid("its request target is not a path")
    return path


def _path_of_target(scope: HTTPScope, raw: bytes) -> bytes:
    if raw == b"*" and scope["method"] == "OPTIONS":
        return b"/"  # OPTIONS * asks about the whole server, and is answered as for its root
    absolute = _ABSOLUTE.fullmatch(raw)
    if absolute is None or not scope["http_version"].startswith("1"):
        return raw
    scheme = absolute["scheme"].lower()
    authority = _authority(absolute["authority"], scheme)
    host = request_headers(scope).get(b"host")
    if host is not None and _authority(host, scheme) != authority:
        raise _invalid("its request target names another host than the Host header")
    return absolute["path"] or b"/"


_DEFAULT_PORTS = {b"http": 80, b"https": 443}

Authority = tuple[bytes, int]
"""Host in lower case, and port."""


def _authority(authority: bytes, scheme: bytes) -> Authority:
    """Parse an authority into host and port; raises InvalidArgument if it is malformed."""
    match = _AUTHORITY.fullmatch(authority)
    port = int(match["port"] or _DEFAULT_PORTS[scheme]) if match else 0
    if match is None or not 0 < port <= 65_535 or not _is_ipv6(match["address"]):
        raise _invalid("its request target or the Host header has a malformed host")
    return match["host"].lower(), port


def host_problem(host: bytes) -> InvalidArgument | None:
    """Return the error of a Host header, or None."""
    if _is_host(host):
        return None
    return InvalidArgument("Host", "malformed value", "a host and maybe a port: example.com:80")


@lru_cache(maxsize=1_024)
def _is_host(host: bytes) -> bool:
    """Return whether a Host header is well-formed; it may be empty (RFC 9112, section 3.2)."""
    match = _AUTHORITY.fullmatch(host)
    return not host or (match is not None and _is_ipv6(match["address"]))


def _is_ipv6(address: bytes | None) -> bool:
    """Return whether the part in brackets is an IPv6 address; True if there are no brackets."""
    try:
        return address is None or bool(IPv6Address(address.decode("ascii")))
    except AddressValueError:
        return False


def _invalid(problem: str) -> InvalidArgument:
    return InvalidArgument("URL", problem, _ALLOWED)

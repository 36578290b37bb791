"""The access log: one line for each request, as JSON or in the combined format of web servers.

A line has no query string, and of a path with something personal or secret only its route. What a
client sent is escaped, so that no request can forge a line.
"""

import asyncio
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from json.encoder import encode_basestring_ascii
from time import time
from typing import NamedTuple

from app.platform.asgi.client_address import network_of
from app.platform.concurrency.background import Component
from app.platform.observability.logs import LineWriter, LogOutput
from app.platform.observability.metrics import Sample

_CACHED = 4_096
"""Parts of lines to keep; each is as short as the texts that the layer cuts."""
_UNSAFE = re.compile(r"[^ !#-\[\]-~]")
"""What the combined format escapes: quotes, backslashes, and all but visible ASCII."""


class Access(NamedTuple):
    """A request and its response, as the log tells them; what is not known is None."""

    address: str | None
    method: str | None
    path: str | None
    protocol: str | None
    status: int
    bytes: int
    """Bytes of the body, as they were sent."""
    seconds: float | None
    """From the request to the last byte that the server has taken."""
    form: str | None = None
    cache: str | None = None
    """`hit` if the response was in the response cache, `miss` if it might have been."""
    request: str | None = None
    trace: str | None = None
    referer: str | None = None
    """The origin from which the link was followed."""
    agent: str | None = None


Format = Callable[[float, Access], str]
"""Returns the line of a request that ended at a Unix time, with its line feed."""

_REQUEST = ("address", "method", "path", "protocol")
_RESPONSE = ("form", "cache")
_CLIENT = ("referer", "agent")


def json_line(ended: float, access: Access) -> str:
    """Return a line of JSON in ASCII; its parts are those of many lines, and encoded once."""
    address, method, path, protocol, status, size, seconds, form, cache, *ids_and_client = access
    request, trace, referer, agent = ids_and_client
    duration = "" if seconds is None else f', "seconds": {seconds:.6f}'
    return (
        f'{{"time": "{_second(int(ended))}.{int(ended % 1 * 1000):03d}+00:00"'
        f"{_texts(_REQUEST, address, method, path, protocol)}"
        f', "status": {status}, "bytes": {size}{duration}{_texts(_RESPONSE, form, cache)}'
        f"{_text('request', request)}{_text('trace', trace)}"
        f"{_texts(_CLIENT, referer, agent)}}}\n"
    )


@lru_cache(maxsize=_CACHED)
def _texts(names: Sequence[str], *texts: str | None) -> str:
    return "".join(map(_text, names, texts))


def _text(name: str, text: str | None) -> str:
    if text is None:
        return ""
    return f', "{name}": {encode_basestring_ascii(text)}'.replace("\x7f", "\\u007f")


@lru_cache(maxsize=2)
def _second(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def combined_line(ended: float, access: Access) -> str:
    """Return a line in the combined format of Apache and nginx; a network has no length."""
    address = (access.address or "-").partition("/")[0]
    known = (access.method, access.path, access.protocol)
    request = " ".join(part for part in known if part) or "-"
    client = f'"{_escaped(access.referer or "-")}" "{_escaped(access.agent or "-")}"'
    return (
        f"{address} - - [{_clf_time(int(ended))}] "
        f'"{_escaped(request)}" {access.status} {access.bytes} {client}\n'
    )


@lru_cache(maxsize=2)
def _clf_time(second: int) -> str:
    """Return a time with the English name of its month, whatever the locale."""
    moment = datetime.fromtimestamp(second, UTC)
    month = "JanFebMarAprMayJunJulAugSepOctNovDec"[3 * moment.month - 3 : 3 * moment.month]
    return f"{moment:%d}/{month}/{moment:%Y:%H:%M:%S} +0000"


@lru_cache(maxsize=_CACHED)
def _escaped(text: str) -> str:
    r"""Escape a text for quotes, as Apache and nginx do.

    >>> _escaped('a"b\n') == r"a\x22b\x0a"
    True
    """
    return _UNSAFE.sub(_hexadecimal, text)


def _hexadecimal(match: re.Match[str]) -> str:
    return "".join(f"\\x{byte:02x}" for byte in match[0].encode("utf-8", "surrogatepass"))


FORMATS: dict[str, Format] = {"json": json_line, "combined": combined_line}

BATCH_SECONDS = 0.2
"""How long lines are collected, so that a request does not wake the thread that writes them."""


class AccessLog(Component):
    """Writes the lines of one process; `addresses` says how much of an address they have."""

    def __init__(self, name: str, addresses: str, output: LogOutput) -> None:
        self._format = FORMATS[name]
        self._writer = LineWriter("access", output, BATCH_SECONDS)
        self.has_full_addresses = addresses == "full"
        self._has_addresses = addresses != "none"

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self._writer.close)

    def metrics_samples(self) -> Iterator[Sample]:
        """Yield how many lines were dropped."""
        return self._writer.metrics_samples()

    def write(self, access: Access) -> None:
        """Write the line of a request that has ended now."""
        self._writer.write(self._format(time(), access).encode())

    def write_refusal(self, peer: str | None, status: int) -> None:
        """Write the line of a connection or request that the server refused unread."""
        self.write(Access(self.shown(peer), None, None, None, status, 0, None))

    def shown(self, address: str | None) -> str | None:
        """Return as much of an address as the log is to have."""
        if address is None or not self._has_addresses:
            return None
        return address if self.has_full_addresses else network_of(address)

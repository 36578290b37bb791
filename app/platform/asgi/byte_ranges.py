"""Byte ranges: the part of a body that a request asks for (RFC 9110, section 14)."""

from __future__ import annotations

import re
from typing import NamedTuple

from app.platform.asgi.scope import RequestHeaders
from knowledge.resources.errors import MajlisError

_RANGE = re.compile(r"([0-9]{0,99})-([0-9]{0,99})")


class RangeNotSatisfiable(MajlisError):
    """The range begins behind the end of the body."""

    status = 416

    def __init__(self, size: int) -> None:
        super().__init__(
            f"The body has only {size} bytes.",
            "Ask for a range within them.",
            {"Content-Range": f"bytes */{size}"},
        )


class BodyPart(NamedTuple):
    """The bytes of a body from `start` up to, but without, `stop`."""

    start: int
    stop: int

    def content_range(self, size: int) -> str:
        """Return the Content-Range of a body of so many bytes.

        >>> BodyPart(0, 500).content_range(1234)
        'bytes 0-499/1234'
        """
        return f"bytes {self.start}-{self.stop - 1}/{size}"


def requested_part(
    headers: RequestHeaders, size: int, etag: str, last_modified: str | None
) -> BodyPart | None:
    """Return the part of a body that a GET asks for, or None for all of it.

    Several ranges get all of it, as do a malformed one, one of another unit, and one for another
    version (If-Range). Raises RangeNotSatisfiable.
    """
    unit, _, ranges = headers.get(b"range", b"").decode("latin-1").partition("=")
    if unit.strip().lower() != "bytes" or not _is_same_version(headers, etag, last_modified):
        return None
    listed = [each for each in map(str.strip, ranges.split(",")) if each]
    match = _RANGE.fullmatch(listed[0]) if len(listed) == 1 else None
    return _part(match[1], match[2], size) if match else None


def _is_same_version(headers: RequestHeaders, etag: str, last_modified: str | None) -> bool:
    """Return whether If-Range allows a part; it compares exactly, so weak tags do not match."""
    expected = headers.get(b"if-range", b"").decode("latin-1").strip()
    return expected in ("", f'"{etag}"', last_modified)


def _part(first: str, last: str, size: int) -> BodyPart | None:
    """Return a part by the two numbers of a range; None if they are malformed."""
    if not first and not last:
        return None
    if not first:  # the last so many bytes
        start, stop = max(0, size - int(last)), size
    elif last and int(last) < int(first):
        return None
    else:
        start, stop = int(first), min(size, int(last) + 1 if last else size)
    if start >= size:
        raise RangeNotSatisfiable(size)
    return BodyPart(start, stop)

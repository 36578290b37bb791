"""Deprecated paths: the path that replaces each, and the headers of their responses."""

from __future__ import annotations

import re
from typing import cast

from quart import Quart

from app.platform.asgi.scope import Headers

SUNSET = "Sat, 01 Jan 2028 00:00:00 GMT"
"""When deprecated paths may be removed."""

_KEY = "majlis.deprecated"
_SUCCESSOR_BYTES = 1_024
"""The longest path that is named as a successor; only paths with nothing at them are longer."""


class DeprecatedPaths:
    """The deprecated paths of an application; all paths are percent-encoded.

    >>> paths = DeprecatedPaths()
    >>> paths.add("/api/page/{slug}", "/api/public/v1/pages/{slug}")
    >>> paths.successor("/api/page/about"), paths.successor("/api/page")
    ('/api/public/v1/pages/about', None)
    """

    def __init__(self) -> None:
        self._successors: list[tuple[re.Pattern[str], str]] = []

    def add(self, path: str, successor: str) -> None:
        """Deprecate a path; both are templates with the same variables."""
        pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", path)
        self._successors.append((re.compile(pattern), successor))

    def successor(self, path: str) -> str | None:
        """Return the path that replaces a deprecated one; None if it is not deprecated."""
        for pattern, successor in self._successors:
            match = pattern.fullmatch(path)
            if match:
                return successor.format(**match.groupdict())
        return None

    def headers_of(self, path: str) -> Headers:
        """Return the headers of a deprecated path, none for another."""
        successor = self.successor(path)
        if successor is None:
            return []
        headers = [
            (b"deprecation", b"true"),
            (b"sunset", SUNSET.encode()),
            (b"link", b'</developers#versioning>; rel="deprecation"'),
        ]
        if len(successor) <= _SUCCESSOR_BYTES:
            headers.append((b"link", f'<{successor}>; rel="successor-version"'.encode()))
        return headers


def deprecated_paths(app: Quart) -> DeprecatedPaths:
    """Return the deprecated paths of an application."""
    return cast(DeprecatedPaths, app.extensions.setdefault(_KEY, DeprecatedPaths()))

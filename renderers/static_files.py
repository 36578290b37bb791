"""Static files: the stylesheet and fonts, each under a path that changes with its content."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path

FOLDER = Path(__file__).parent / "static"
MEDIA_TYPES: Mapping[str, str] = {
    ".css": "text/css; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}
_CSS_URL = re.compile(rb'url\("([^"]+)"\)')


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A file as it is sent."""

    name: str
    content: bytes
    media_type: str
    digest: str

    @property
    def url(self) -> str:
        """Its path; what is there never changes, so that it may be kept for ever."""
        return f"/static/{self.digest}/{self.name}"


@cache
def files() -> Mapping[str, StaticFile]:
    """Every static file by name; the stylesheet names the others by their own paths."""
    found = {
        path.name: _static_file(path.name, path.read_bytes())
        for path in sorted(FOLDER.iterdir())
        if path.suffix in MEDIA_TYPES
    }
    linked = {
        name: _static_file(name, _linked(file.content, found))
        for name, file in found.items()
        if name.endswith(".css")
    }
    return found | linked


def url(name: str) -> str:
    """The path of a static file; raises KeyError for one that is not there."""
    return files()[name].url


def find(digest: str, name: str) -> StaticFile | None:
    """The file at `/static/<digest>/<name>`, if it is still that one."""
    file = files().get(name)
    return file if file and file.digest == digest else None


def _static_file(name: str, content: bytes) -> StaticFile:
    digest = blake2b(content, digest_size=8).hexdigest()
    return StaticFile(name, content, MEDIA_TYPES[Path(name).suffix], digest)


def _linked(css: bytes, found: Mapping[str, StaticFile]) -> bytes:
    return _CSS_URL.sub(lambda match: b'url("%s")' % found[match[1].decode()].url.encode(), css)

"""Static files: the stylesheets and fonts, each at a path that contains its content hash."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "static"
MEDIA_TYPES: Mapping[str, str] = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}
_CSS_IMPORT = re.compile(rb'^@import "([^"]+)";$', re.MULTILINE)
_CSS_URL = re.compile(rb'url\("([^"]+)"\)')


@dataclass(frozen=True, slots=True)
class StaticFile:
    """A static file ready to be sent."""

    name: str
    content: bytes
    media_type: str
    digest: str

    @property
    def url(self) -> str:
        """The path of the file. Its content never changes, so clients may cache it forever."""
        return f"/static/{self.digest}/{self.name}"


@cache
def files() -> Mapping[str, StaticFile]:
    """Return all static files by name. A stylesheet contains those that it imports."""
    originals = {
        path.name: static_file(path.name, _with_imports(path.read_bytes()))
        for path in sorted(FOLDER.iterdir())
        if path.suffix in MEDIA_TYPES
    }
    stylesheets = {
        name: static_file(name, _with_hashed_urls(file.content, originals))
        for name, file in originals.items()
        if name.endswith(".css")
    }
    return originals | stylesheets


def static_file(name: str, content: bytes) -> StaticFile:
    """Return a file at the path of its hash."""
    digest = blake2b(content, digest_size=8).hexdigest()
    return StaticFile(name, content, MEDIA_TYPES[Path(name).suffix], digest)


def url(name: str) -> str:
    """Return the path of a static file; raise KeyError if it does not exist."""
    return files()[name].url


def find(digest: str, name: str) -> StaticFile | None:
    """Return the file at `/static/<digest>/<name>`, or None if the digest does not match."""
    file = files().get(name)
    return file if file and file.digest == digest else None


def _with_imports(content: bytes) -> bytes:
    return _CSS_IMPORT.sub(lambda match: (FOLDER / match[1].decode()).read_bytes(), content)


def _with_hashed_urls(css: bytes, static_files: Mapping[str, StaticFile]) -> bytes:
    return _CSS_URL.sub(
        lambda match: b'url("%s")' % static_files[match[1].decode()].url.encode(), css
    )


_EXTENSIONS = re.compile(r'<pre |<math|class="(?:callout|definitions|footnotes|formula|task)\b')


def stylesheets(content: str) -> tuple[str, ...]:
    """Return the names of the stylesheets for the content of a page.

    >>> stylesheets("<p>Text</p>"), stylesheets("<pre dir='ltr'>")
    (('site.css',), ('site.css', 'extensions.css'))
    """
    return ("site.css", "extensions.css") if _EXTENSIONS.search(content) else ("site.css",)

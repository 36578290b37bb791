"""The old site: its pages, in a built folder, a sitemap or a list of addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from html import unescape
from pathlib import Path
from urllib.parse import quote, unquote, urljoin, urlsplit

from app.operations.importing.html_texts import elements, plain_text
from app.operations.importing.source import files_below
from knowledge.fields.file_types import ASSET_TYPES
from knowledge.markdown.raw_html import tags

_PAGES = (".html", ".htm")
_NO_PAGES = frozenset(("404.html", "404/index.html", "offline.html"))
_LOCATION = re.compile(r"<loc>\s*([^<\s]+)")
_REFRESH = re.compile(r"""http-equiv=["']?refresh""", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_OUTSIDE = (
    *("nav", "script", "style", "noscript", "template", "svg", "form", "button", "aside"),
    "math",
)
_FRAME = ("footer", "header", *_OUTSIDE)
_MAX_BYTES = 5_000_000
_FORMULA = re.compile(
    r"\\\([^\\]*+(?:\\(?![()])[^\\]*+)*+\\\)|\\\[[^\\]*+(?:\\(?![][])[^\\]*+)*+\\\]"
    r"|\$\$[^$]*+\$\$"
)
"""A formula that a script shows, of which the service shows signs. One never ends behind the
beginning of another, so that no text is read twice."""

_SEPARATORS = re.compile(r" [|·•–—-] | :: ")


@dataclass(frozen=True)
class Page:
    """The HTML of a page, old or new."""

    html: str
    folder: Path | None = None
    """The folder of the old site, which may lack pictures that its pages name."""

    @cached_property
    def language(self) -> str:
        """The language of the page, without a region."""
        root = next((tag for tag in tags(self.html) if tag.name == "html"), None)
        return (root.values().get("lang", "") if root else "").lower().partition("-")[0]

    @cached_property
    def title(self) -> str:
        """The first heading, else the first part of `<title>`."""
        heading = " ".join(plain_text(self._first("h1")).split())
        return heading or _SEPARATORS.split(unescape(self._first("title")))[0].strip()

    @cached_property
    def heading(self) -> str:
        """The letters and digits of the first heading."""
        return folded(plain_text(self._first("h1")))

    @cached_property
    def titles(self) -> set[str]:
        """Those of the texts that may be its title: the heading, and the parts of `<title>`."""
        whole = " ".join(unescape(self._first("title")).split())
        return {self.heading, *map(folded, (whole, *_SEPARATORS.split(whole)))}

    def _first(self, name: str) -> str:
        return next((self.html[a.end : b.start] for a, b in elements(self.html, (name,))), "")

    @cached_property
    def days(self) -> tuple[str, ...]:
        """The day on which it was published, as written and in UTC; none if it does not say so."""
        for tag in tags(self.html):
            values = tag.values() if tag.name in ("meta", "time") else {}
            is_published = values.get("property", values.get("itemprop")) in (
                "article:published_time",
                "datePublished",
            )
            text = values.get("content", values.get("datetime", "")) if is_published else ""
            with suppress(ValueError):
                moment = datetime.fromisoformat(text)
                return text[:10], f"{moment.astimezone(UTC) if moment.tzinfo else moment:%Y-%m-%d}"
        return ()

    @cached_property
    def main(self) -> str:
        """The HTML of its main text, without navigation."""
        for name in ("main", "article", "body"):
            found = [self.html[a.end : b.start] for a, b in elements(self.html, (name,))]
            if found:
                html = max(found, key=len)
                return _without(html, _FRAME if name == "body" else _OUTSIDE)
        return self.html

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of its main text."""
        return words_of(_FORMULA.sub(" ", self.main))

    def pictures(self, base: str) -> Iterator[str]:
        """Yield the addresses of pictures and downloads of the main text on the same site."""
        for tag in tags(self.main):
            name = {"img": "src", "a": "href"}.get(tag.name, "")
            target = "" if tag.is_closing else tag.values().get(name, "")
            parts = urlsplit(urljoin(base, target)) if target and ":" not in target[:6] else None
            if parts and not parts.netloc and Path(parts.path).suffix.lower() in ASSET_TYPES:
                file = unquote(parts.path).lstrip("/")
                if self.folder is None or (self.folder / file).is_file():
                    yield parts.path


def words_of(html: str) -> frozenset[str]:
    """Return the words of HTML."""
    return frozenset(map(str.casefold, _WORD.findall(plain_text(html))))


def words_below(root: Path, built: Path) -> frozenset[str]:
    """Return the words of all texts in a source, whatever their type, without the built site."""
    found: set[str] = set()
    for file in files_below(root):
        if not file.resolve().is_relative_to(built.resolve()) and file.stat().st_size < _MAX_BYTES:
            with suppress(UnicodeDecodeError):
                text = unescape(file.read_text(encoding="utf-8")).casefold()
                for form in (text, text.replace("\\n", " ").replace("_", " ")):  # as in notebooks
                    found.update(_WORD.findall(form))
    return frozenset(found)


def page_at(folder: Path, address: str) -> Page | None:
    """Return the page of a built folder at an address."""
    path = unquote(address).strip("/")
    names = (path, f"{path}/index.html", f"{path}.html")
    files = (folder / name.lstrip("/") for name in names if ".." not in name)
    file = next((each for each in files if each.is_file()), None)
    return Page(file.read_text(encoding="utf-8", errors="replace"), folder) if file else None


def folded(text: str) -> str:
    """Return the letters and digits of a text, by which titles are compared."""
    return "".join(filter(str.isalnum, text.casefold()))


def _without(html: str, names: Sequence[str]) -> str:
    parts, end = [], 0
    for opening, closing in elements(html, names):
        parts.append(html[end : opening.start])
        end = closing.end
    return " ".join([*parts, html[end:]])


def old_pages(place: Path) -> Iterator[tuple[str, Page | None]]:
    """Yield the address of each old page, with its HTML if it is known.

    `place` is a built folder, a sitemap, or a file with an address on each line.
    """
    if not place.is_dir():
        text = place.read_text(encoding="utf-8-sig", errors="replace")
        for address in _LOCATION.findall(text) if "<loc>" in text else text.split():
            beside = place.parent / Path(urlsplit(unescape(address)).path).name
            if beside.suffix == ".xml":
                yield from old_pages(beside) if beside.is_file() and beside != place else ()
            else:
                parts = urlsplit(unescape(address))
                yield (parts.path or "/") + (f"?{parts.query}" if parts.query else ""), None
        return
    for file in sorted(place.rglob("*")):
        path = file.relative_to(place).as_posix()
        if file.suffix.lower() in _PAGES and path not in _NO_PAGES and file.is_file():
            html = file.read_text(encoding="utf-8", errors="replace")
            is_page = "<body" in html.lower() and not _REFRESH.search(html)
            address = f"/{quote(path)}"
            if file.name == "index.html":
                address = address.removesuffix("index.html")
            yield address, Page(html, place) if is_page else None

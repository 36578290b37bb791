"""The images of a page: each gets its size, its variants, and how it is loaded; and diagrams.

Templates and texts write `<img src alt>`, with a class or `sizes` that tells its place. This
completes them at the end, in one pass over the page, so that cached parts do not depend on files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import PurePosixPath
from re import Match
from typing import NamedTuple, cast
from urllib.parse import quote, unquote

from markupsafe import Markup

from knowledge.blocks.block import Picture
from knowledge.diagnostics.messages import mark as _
from knowledge.documents.assets import hashed_name
from knowledge.documents.images import Image, diagram_name, is_image
from knowledge.edits import Key, note_all, recording
from knowledge.locales.locale import Language
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView
from renderers.html.styles import drawing_digest, drawing_styles
from renderers.images.variants import FOLDER, largest_still, srcset
from renderers.l10n.translation import translate

_TAG = re.compile(r"<(img|source|track) ([^>]*+)(?:(?P<closed>>)|\Z)")
"""The tag of an image, of its form for some readers, or of captions. Templates, mistune and nh3 all
write `>` in a value as `&gt;`."""

_ATTRIBUTE = re.compile(r'([a-z]+)(?:="([^"]*)")?')
_ONE_FILE = re.compile(r' (?:srcset|src)="([^" ,]+)"')
_FORMS = {
    "-phone-dark": "(max-width: 40rem) and (prefers-color-scheme: dark)",
    "-phone": "(max-width: 40rem)",
    "-dark": "(prefers-color-scheme: dark)",
}
"""What follows the name of an image in those of its forms, and the readers who get each."""

_MAIN, _HEADING = "<main", "<h2"
_AT_ONCE, _LATER, _AS_WRITTEN = "at once", "later", "as written"
_MAX_KNOWN_TAGS = 10_000
_MAX_HEADINGS_ABOVE = 1
"""Below the second heading of a page is below the fold."""

_COLUMN = "(min-width: 50rem) 46rem, 100vw"
_CARD = "(min-width: 64rem) 23rem, (min-width: 42rem) 50vw, 100vw"
_SIZES: Mapping[str, str] = {"cover": _CARD, "shot": _CARD, "face": "3rem"}
"""The width at which an image is shown, by its class; others stand in a column of text."""


class _KnownTag(NamedTuple):
    """A tag that has been completed, and the files on which it depends."""

    tag: str
    reads: frozenset[Key]


def complete_images(html: str, view: ContentView) -> str:
    """Return a page whose images of the content folder have size, variants and loading."""
    if "<img " not in html:
        return html
    page = _Page(html, view)
    return _TAG.sub(page.completed, html)


def picture_of(source: str, alt: str, view: ContentView) -> Picture:
    """Return a picture of a text with the URL that changes with its file, and its size."""
    path = _path(source)
    image = view.snapshot.images.at(path) if path is not None else None
    if image is None:
        return Picture(url=source, alt=alt)
    size = {name: getattr(image, name) for name in ("width", "height")}
    return Picture(url=_Page("", view).hashed(source, image), alt=alt, **size)


class _Page:
    """The images of one page, in their order."""

    def __init__(self, html: str, view: ContentView) -> None:
        self._html = html
        self._snapshot = view.snapshot
        self._drawing_styles = drawing_styles(view)
        self._known = _known_tags(view.snapshot)
        self._main = html.find(_MAIN)
        self._is_first = True
        self._has_sources = False

    def completed(self, match: Match[str]) -> str:
        """Return one tag with all it needs; the same as before if it is known."""
        if not match["closed"]:
            return match[0]
        is_image_tag = match[1] == "img"
        loading = self._loading(match.start()) if is_image_tag else _AS_WRITTEN
        has_forms = loading is not _AS_WRITTEN and not self._has_sources
        self._has_sources = match[1] == "source"
        key = match[0], loading, has_forms, self._drawing_styles
        known = self._known.get(key)
        if known is None:
            if len(self._known) >= _MAX_KNOWN_TAGS:
                self._known.clear()
            with recording() as reads:
                if is_image_tag:
                    tag = self._completed(match[2], loading, has_forms)
                else:
                    tag = self._source(match[0])
            known = self._known[key] = _KnownTag(tag, frozenset(reads))
        note_all(known.reads)
        return known.tag

    def _completed(self, source: str, loading: str, has_forms: bool) -> str:
        """Return the tag with the forms of the image, or the alternative text of a missing file."""
        attributes = dict(_ATTRIBUTE.findall(source))
        path = _path(attributes.get("src", ""))
        if path is not None and self._is_missing(path):
            return _alternative(attributes)
        sizes = attributes.pop("sizes", "") or _SIZES.get(attributes.get("class", ""), _COLUMN)
        image = self._snapshot.images.at(path) if path is not None else None
        if image is not None:
            attributes = _with_size(attributes, image)
            attributes |= self._with_variants(attributes, image, sizes)
        _set_loading(attributes, loading)
        written = _written("img", attributes)
        forms = "".join(self._forms(image, sizes)) if image is not None and has_forms else ""
        return f"<picture>{forms}{written}</picture>" if forms else written

    def _forms(self, image: Image, sizes: str) -> Iterator[str]:
        """Yield the sources of the forms of an image that stand beside it."""
        for name, media in _FORMS.items():
            path = PurePosixPath(image.path)
            form = self._snapshot.images.at(f"{path.with_suffix('')}{name}{path.suffix}")
            if form is not None:
                found = self._with_variants({"src": quote("/" + form.path)}, form, sizes)
                files = found.pop("src")
                attributes = {"media": media, "srcset": files} | found
                yield _written("source", _with_size(attributes, form))

    def _source(self, tag: str) -> str:
        """Return the tag of another file for some readers; without that file they get the image."""
        match = _ONE_FILE.search(tag)
        path = _path(match[1]) if match else None
        if match is None or path is None:
            return tag
        is_captions = tag.startswith("<track ")
        if path not in self._snapshot.assets if is_captions else self._is_missing(path):
            return ""
        image = self._snapshot.images.at(path)
        return tag.replace(match[1], self.hashed(match[1], image)) if image else tag

    def _with_variants(
        self, attributes: Mapping[str, str], image: Image, sizes: str
    ) -> dict[str, str]:
        """Return the source and its smaller variants; a large file is never sent itself."""
        source = self.hashed(attributes["src"], image)
        variants = srcset(image, source)
        if not variants:
            return {"src": source}
        still = largest_still(image)
        return {"src": still.url if still else source, "srcset": variants, "sizes": sizes}

    def hashed(self, source: str, image: Image) -> str:
        """Return a source that changes with the file; one with a fragment or query stays."""
        if not image.digest or "#" in source or "?" in source:
            return source.replace(" ", "%20")
        styles = self._drawing_styles if image.is_themed else b""
        return quote("/" + hashed_name(image.path, drawing_digest(image.digest, styles)))

    def _is_missing(self, path: str) -> bool:
        """Return whether a file of the content folder is not there, or must not be decoded."""
        file = self._snapshot.images.file(path)
        if file is None:
            return is_image(path) and path not in self._snapshot.assets
        return file.is_refused

    def _loading(self, position: int) -> str:
        """Return how to load an image: the first one of the text at once, others later."""
        if position < self._main:
            return _AS_WRITTEN
        if not self._is_first:
            return _LATER
        self._is_first = False
        is_below = self._html.count(_HEADING, self._main, position) > _MAX_HEADINGS_ABOVE
        return _LATER if is_below else _AT_ONCE


def _written(name: str, attributes: Mapping[str, str]) -> str:
    return " ".join([f"<{name}", *(f'{key}="{value}"' for key, value in attributes.items())]) + ">"


_KnownTags = dict[tuple[str, str, bool, bytes], _KnownTag]


def _known_tags(snapshot: Snapshot) -> _KnownTags:
    """Return the tags of a snapshot that have been completed, by what was written and loading."""
    known = snapshot.cache.setdefault(_known_tags, {})
    return cast(_KnownTags, known)


def _set_loading(attributes: dict[str, str], loading: str) -> None:
    attributes["decoding"] = "async"
    if loading == _AT_ONCE:
        attributes.pop("loading", None)
        attributes["fetchpriority"] = "high"
    elif loading == _LATER:
        attributes["loading"] = "lazy"


def _path(source: str) -> str | None:
    """Return the path in the content folder of a source, or None if it is on another site.

    >>> _path("/images/a%20b.png?1"), _path("//elsewhere.test/a.png")
    ('images/a b.png', None)
    """
    if source.startswith("//") or not source.startswith("/"):
        return None
    return unquote(unescape(source).partition("#")[0].partition("?")[0])[1:]


def _alternative(attributes: Mapping[str, str]) -> str:
    text = attributes.get("alt", "")
    return f'<span class="missing">{text}</span>' if text else ""


def _with_size(attributes: Mapping[str, str], image: Image) -> dict[str, str]:
    """Return the attributes with both sides; one that is given keeps its value.

    >>> _with_size({"height": "40"}, Image("a.svg", 160, 80, "SVG"))
    {'height': '40', 'width': '80'}
    """
    width, height = attributes.get("width", ""), attributes.get("height", "")
    if width.isdecimal() and not height:
        return {**attributes, "height": str(_scaled(image.height, int(width), image.width))}
    if height.isdecimal() and not width:
        return {**attributes, "width": str(_scaled(image.width, int(height), image.height))}
    if width or height:
        return dict(attributes)
    return {**attributes, "width": str(image.width), "height": str(image.height)}


def _scaled(side: int, shown: int, real: int) -> int:
    return max(1, round(side * shown / real))


_DIAGRAM = re.compile(
    r'<pre dir="ltr" [^<>]*+><code class="language-mermaid">(?:(?P<code>[^<]*+)</code></pre>)?'
)
_NAMES_OF_DIAGRAMS = (
    re.compile(r"^[ \t]*+accTitle[ \t]*+:[ \t]*+([^\s:][^\n]*+)", re.MULTILINE),
    re.compile(r"^[ \t]*+title\b[ \t]*+:?[ \t]*+([^\s:][^\n]*+)", re.MULTILINE),
)


def with_diagrams(html: str, snapshot: Snapshot, language: Language) -> str:
    """Return a page that shows the diagrams that have been drawn, each above its code."""

    def drawn(match: Match[str]) -> str:
        code = unescape(match["code"] or "")
        size = snapshot.diagrams.get(name := diagram_name(code)) if code else None
        if size is None:
            return match[0]
        named = next(filter(None, (each.search(code) for each in _NAMES_OF_DIAGRAMS)), None)
        image = Markup(
            '<img src="{}" alt="{}" width="{}" height="{}" loading="lazy" decoding="async">'
        ).format(
            FOLDER + name, named[1].strip() if named else translate(_("Diagram"), language), *size
        )
        summary = translate(_("Code"), language)
        return f"{image}\n<details><summary>{summary}</summary>\n{match[0]}</details>"

    return _DIAGRAM.sub(drawn, html)

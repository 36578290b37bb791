"""Old addresses: the paths at which a document stood before, as its front matter lists them.

`aliases` of Hugo, `redirect_from` of Jekyll, and the `permalink`, `url` or `path` of a page on its
former site all come as one list, see `knowledge.documents.front_matter`. An entry is a
path, such as `/2019/05/hello.html`, a name beside the page, such as `old-slug`, or a pattern of
Jekyll or Hugo, such as `/:year/:title/`.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple
from unicodedata import normalize
from urllib.parse import unquote, urlsplit

from knowledge.diagnostics.diagnostic import Diagnostic, DiagnosticKind
from knowledge.diagnostics.messages import Text
from knowledge.documents.document import Document
from knowledge.fields.blog_fields import PostFields
from knowledge.fields.content_types import AnyContentType
from knowledge.fields.page_type import PageTypes
from knowledge.markdown.slugs import term_slug
from knowledge.snapshot.layer_resolution import Entry


class OldAddress(NamedTuple):
    """A path that leads to an entry, and the file that lists it."""

    path: str
    entry: Entry
    document: Document


class EntryClaims(NamedTuple):
    """The old addresses of one entry, and those in its files that mean no path."""

    addresses: tuple[OldAddress, ...]
    diagnostics: tuple[Diagnostic, ...]


class Claims(NamedTuple):
    """The old addresses of all documents."""

    by_path: Mapping[str, OldAddress]
    by_entry: Mapping[Entry, EntryClaims]
    """Those of the entries that list any."""

    diagnostics: tuple[Diagnostic, ...]


NO_CLAIMS = Claims({}, {}, ())


_INVALID = re.compile(r"[\\\x00-\x1f\x7f]")
_PLACEHOLDER = re.compile(r"(?<!\w):([a-z_]+)")
_INDEX_NAMES = ("/index.html", "/index.htm")
_STYLES: Mapping[str, str] = {
    "pretty": "/:categories/:year/:month/:day/:title/",
    "date": "/:categories/:year/:month/:day/:title.html",
    "ordinal": "/:categories/:year/:y_day/:title.html",
    "none": "/:categories/:title.html",
}
"""The named patterns of Jekyll."""


def normal_path(path: str) -> str:
    """Return the form in which paths are compared: no slash or index page at the end.

    >>> normal_path("/a/"), normal_path("/a/index.html"), normal_path("/")
    ('/a', '/a', '')
    """
    if not path.isascii():
        path = normalize("NFC", path)
    for name in _INDEX_NAMES:
        path = path.removesuffix(name)
    return path.rstrip("/")


def claimed_addresses(
    entries: Mapping[AnyContentType, Mapping[str, Entry]], pages: PageTypes
) -> Claims:
    """Return the old addresses of entries; of two with the same one, the first has it.

    Texts in a third language come last: translations often list the address of their original.
    """
    listing = sorted(
        (
            entry
            for by_slug in entries.values()
            for entry in by_slug.values()
            if any(map(_lists_any, entry.documents))
        ),
        key=lambda entry: all(document.other_language for document in entry.documents),
    )
    by_entry = {entry: claims for entry in listing if any(claims := _claims_of(entry, pages))}
    by_path: dict[str, OldAddress] = {}
    diagnostics: list[Diagnostic] = []
    for entry, claims in by_entry.items():
        diagnostics += claims.diagnostics
        for claim in claims.addresses:
            first = by_path.setdefault(claim.path, claim)
            if first.entry is not entry:
                diagnostics.append(_clash(claim, first))
    return Claims(by_path, by_entry, tuple(diagnostics))


def _claims_of(entry: Entry, pages: PageTypes) -> EntryClaims:
    page = pages.by_content_type[entry.kind]
    beside = page.path.format(slug=entry.slug, city=entry.slug).rpartition("/")[0]
    addresses: list[OldAddress] = []
    diagnostics: list[Diagnostic] = []
    for document in entry.documents:
        for written in _written(document):
            paths = _paths(beside, document, written)
            addresses += [OldAddress(path, entry, document) for path in paths or ()]
            if paths is None:
                diagnostics.append(_unreadable(document, written))
    return EntryClaims(tuple(addresses), tuple(diagnostics))


def _lists_any(document: Document) -> bool:
    fields = document.fields
    return bool(fields.aliases or fields.slug)


def _written(document: Document) -> Iterator[str]:
    """Yield what the front matter lists; a slug with slashes is the path of a former site."""
    fields = document.fields
    yield from fields.aliases or ()
    if fields.slug and "/" in fields.slug.strip("/"):
        yield f"/{fields.slug.strip('/')}"


def _paths(beside: str, document: Document, written: str) -> tuple[str, ...] | None:
    """Return the paths that an entry of the list means; None if it means none.

    `beside` is the path above the page.
    """
    text = _expanded(document, _STYLES.get(written, written))
    path = _path_of(text) if text is not None else None
    if path is None:
        return None
    if path.startswith("/"):
        return (normal_path(path),) if normal_path(path) else ()
    # Hugo means a name beside the page, Jekyll one at the root.
    return tuple(dict.fromkeys((normal_path(f"{beside}/{path}"), normal_path(f"/{path}"))))


def _path_of(text: str) -> str | None:
    """Return the decoded path of an address, or None if it has none or a query."""
    if text.startswith("//") or "{" in text or _INVALID.search(text):
        return None
    try:
        parts = urlsplit(text)
    except ValueError:
        return None
    path = unquote(parts.path)
    return None if parts.query or not path or _INVALID.search(path) else path


def _expanded(document: Document, pattern: str) -> str | None:
    """Return a pattern with its placeholders replaced; None if a value is not known.

    A colon within a word begins no placeholder.
    """
    if ":" not in pattern or "://" in pattern:
        return pattern
    values = [_value(document, name) for name in _PLACEHOLDER.findall(pattern)]
    if None in values:
        return None
    replacements = iter(values)
    expanded = _PLACEHOLDER.sub(lambda _: str(next(replacements)), pattern)
    return re.sub("/{2,}", "/", expanded)


_DATE_FORMATS: Mapping[str, str] = {
    "year": "%Y",
    "short_year": "%y",
    "month": "%m",
    "day": "%d",
    "y_day": "%j",
}
_SLUGS = frozenset({"title", "slug", "name", "filename", "slugorfilename", "basename"})
_CATEGORIES = frozenset({"categories", "category"})


def _value(document: Document, name: str) -> str | None:
    if name in _SLUGS:
        return document.chosen_slug or document.slug
    if name in _CATEGORIES:
        return _categories(document)
    moment = document.fields.published_at
    if moment is None:
        return None
    if name in _DATE_FORMATS:
        return moment.strftime(_DATE_FORMATS[name])
    return {"i_month": str(moment.month), "i_day": str(moment.day)}.get(name)


def _categories(document: Document) -> str:
    fields = document.fields
    category = fields.category if isinstance(fields, PostFields) else None
    return term_slug(category or "")


def _unreadable(document: Document, written: str) -> Diagnostic:
    message = Text(
        "The old address “{}” is ignored: it is not the path of one page.", _shown(written)
    )
    suggestion = Text(
        "Write the path as in the address bar of a browser, such as /2019/05/hello.html."
    )
    return DiagnosticKind.INVALID_OLD_ADDRESS.notice(document.path, message, suggestion)


def _clash(claim: OldAddress, first: OldAddress) -> Diagnostic:
    message = Text(
        "The old address {} leads to {} already.", _shown(claim.path), first.document.path
    )
    suggestion = Text("Remove it from one of the two files.")
    path = claim.document.path
    return DiagnosticKind.DUPLICATE_OLD_ADDRESS.warning(path, message, suggestion)


def _shown(text: str) -> str:
    return "".join(each if each.isprintable() else "?" for each in text[:100])

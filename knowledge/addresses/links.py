"""Links in texts: what they lead to, and the fragments that their pages have.

Authors write `/pricing` without a locale, `../images/x.svg` or `other-post.md` relative to the
file. What the site of another generator would resolve is led to the page that it means there. A
link that cannot be resolved stays as written.
"""

import posixpath
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import lru_cache
from itertools import chain
from urllib.parse import quote, unquote, urlsplit

from knowledge.addresses.addresses import (
    UNLOCALIZED,
    Address,
    entry_at,
    nearest_locale,
    parse_address,
    route_of,
    split_locale,
)
from knowledge.addresses.former_addresses import (
    current_path,
    locale_file,
    page_of_old_address,
    redirected_path,
)
from knowledge.addresses.link_index import asset_index, link_index, list_page, path_parts
from knowledge.documents.body import post_blocks
from knowledge.documents.document import Document
from knowledge.documents.images import is_image
from knowledge.fields.file_types import ASSET_TYPES, DOCUMENT_SUFFIXES
from knowledge.locales.locale import Language, Locale
from knowledge.markdown import document_cache, raw_html
from knowledge.markdown.slugs import Anchor, Heading
from knowledge.sections.section_type import Section
from knowledge.sections.sections import document_sections, section_anchors
from knowledge.snapshot.layer_resolution import Entry
from knowledge.snapshot.snapshot import Snapshot


def is_external(target: str) -> bool:
    """Return whether a target has a scheme or host, or is on the same page."""
    return target.startswith(("#", "?", "//")) or bool(_scheme(target))


def _scheme(target: str) -> str:
    """Return the scheme of a target, `""` if it has none or urllib cannot parse it."""
    try:
        return urlsplit(target).scheme
    except ValueError:
        return ""


def resolve_link(snapshot: Snapshot, source_path: str, target: str) -> Address | str | None:
    """Return the page or asset path of a link in the file at `source_path`, or None."""
    if is_external(target):
        return None
    path = unquote(target.partition("#")[0].partition("?")[0]).removeprefix("@")
    if not path:
        return None
    joined = _joined(posixpath.dirname(source_path), path)
    if joined[1:] in snapshot.assets:
        return joined
    return (
        _exact(snapshot, joined)  # a page of the site before the manual at `/developers`
        or (joined if joined in UNLOCALIZED else None)
        or _moved(snapshot, joined)
        or redirected_path(snapshot, joined)
        or locale_file(snapshot, joined)
        or _similar(snapshot, source_path, path, joined)
    )


def _joined(folder: str, path: str) -> str:
    """Return a path in the content folder, which begins with a slash."""
    return path if path.startswith("/") else "/" + posixpath.normpath(posixpath.join(folder, path))


def _exact(snapshot: Snapshot, path: str) -> Address | None:
    """Return the page of a file, or at one of our own addresses."""
    if path.endswith(DOCUMENT_SUFFIXES):
        entry = snapshot.entry_of_file(path[1:])
        return route_of(snapshot, entry) if entry else None
    may_be_former = not path.isascii() or "/category/" in path
    address = parse_address(current_path(snapshot, path) if may_be_former else path, snapshot)
    return address if address and _is_there(snapshot, address) else None


def _is_there(snapshot: Snapshot, address: Address) -> bool:
    return address.page.is_list or entry_at(snapshot, address) is not None


def _moved(snapshot: Snapshot, path: str) -> Address | None:
    """Return the page that has another address now than the path of a link or of a file."""
    path = path.removesuffix(next(filter(path.endswith, (".html", *DOCUMENT_SUFFIXES)), ""))
    folder, *parts = path_parts(path) or ("",)
    paths = (path, "/" + "/".join(parts)) if snapshot.content_types.of_folder(folder) else (path,)
    pages = (page_of_old_address(snapshot, each) for each in paths)
    return next((page for page in pages if page and _is_there(snapshot, page)), None)


def _similar(snapshot: Snapshot, source_path: str, path: str, joined: str) -> Address | str | None:
    """Return the page or asset that a link means on the site of another generator.

    There, a relative link starts at the file, or at the page's address, which is a folder.
    """
    if split_locale(path)[0]:
        return None
    folder = posixpath.splitext(source_path)[0]
    paths = [each.lstrip("/") for each in dict.fromkeys((joined, _joined(folder, path)))]
    if posixpath.splitext(path)[1].lower() in ASSET_TYPES:
        return asset_index(snapshot).asset(paths, source_path)
    wanted = [path_parts(each) for each in paths]
    own = parse_address(path, snapshot) if path.startswith("/") else None
    found = link_index(snapshot).page(wanted, source_path)
    if own and not own.page.is_list and own.page.path.count("/") > 1:
        # The address of a document that does not exist is not that of another kind.
        return found if found and found.page is own.page else None
    return found or next(filter(None, (list_page(snapshot, each) for each in wanted)), None)


def site_path(
    snapshot: Snapshot, source_path: str, target: str, locale: Locale, now: datetime
) -> str:
    """Return the site path of a link for readers of a locale, or the target as written.

    A page that their locale does not have, such as a city of another country, is linked in the
    nearest locale. A picture is the one that stands beside it for their country and language.
    """
    before, hash_sign, fragment = target.partition("#")
    if not before and fragment:
        entry = snapshot.entry_of_file(source_path)
        return f"#{_fragment(entry, locale, fragment)}"
    resolved = resolve_link(snapshot, source_path, target)
    if resolved is None:
        return target
    rest = before[len(before.partition("?")[0]) :] + hash_sign
    if isinstance(resolved, str):
        below = locale.path if locale_file(snapshot, resolved) else ""
        return below + quote(_localized(snapshot, resolved, locale)) + rest + fragment
    nearest = nearest_locale(snapshot, resolved, locale, now)
    if fragment and not resolved.page.is_list:
        fragment = _fragment(entry_at(snapshot, resolved), nearest, fragment)
    return nearest.path + resolved.path + rest + fragment


def _localized(snapshot: Snapshot, path: str, locale: Locale) -> str:
    """Return the most specific picture beside another for readers of a locale, or that path."""
    if not is_image(path):
        return path
    name, dot, suffix = path.rpartition(".")
    paths = (f"{name}{layer}{dot}{suffix}" for layer in _suffixes(locale))
    return next((each for each in paths if each[1:] in snapshot.assets), path)


@lru_cache(maxsize=64)
def _suffixes(locale: Locale) -> tuple[str, ...]:
    """Return the suffixes of pictures for a locale, the most specific first."""
    country = f".{locale.country.slug}" if locale.country else ""
    layers = dict.fromkeys((f"{country}.{locale.language}", country, f".{locale.language}"))
    return tuple(filter(None, layers))


def _fragment(entry: Entry | None, locale: Locale, fragment: str) -> str:
    """Return the fragment of a link as the page has it, or as written."""
    found = current_fragment(entry, locale.language, fragment) if entry else None
    return fragment if found is None or found == unquote(fragment) else found


def link_rewriter(
    snapshot: Snapshot, source_path: str, locale: Locale, now: datetime
) -> Callable[[str], str]:
    """Return a function that applies `site_path` to the links of one file."""
    return lambda target: site_path(snapshot, source_path, target, locale, now)


TOP = "main"
"""The id of a page's content, for links to the title."""


def current_fragment(entry: Entry, language: Language, fragment: str) -> str | None:
    """Return the id on a page that a fragment means, None if the page has no such heading.

    An id of the page is returned as it is. Other generators write the same heading without the
    punctuation that we turn into hyphens, or with another number if it is repeated.
    """
    wanted = unquote(fragment)
    key = _key(wanted)
    for document in _spoken(entry, language):
        ids = _ids(document)
        found = wanted if wanted in ids.exact else ids.by_key.get(key)
        if found is not None:
            return found
    return None


def _spoken(entry: Entry, language: Language) -> Iterator[Document]:
    documents = [document for document in entry.documents if document.language is language]
    return iter(documents or entry.documents)


class _Ids:
    """The ids on a page: as they are, and those of headings by what their texts share."""

    def __init__(self, headings: Iterator[tuple[str, Anchor]], title: str) -> None:
        self.exact: set[str] = set()
        self.by_key: dict[str, str] = {}
        repeated: dict[str, int] = {}
        for text, anchor in headings:
            self.exact |= {anchor.id, anchor.former} - {""}
            key = _key(text)
            number = repeated[key] = repeated.get(key, -1) + 1
            self.by_key.setdefault(f"{key}{number or ''}", anchor.id)
            self.by_key.setdefault(_key(anchor.id), anchor.id)
        if title:
            self.by_key.setdefault(_key(title), TOP)


@document_cache(4_096)
def _ids(document: Document) -> _Ids:
    titles = document.fields.title or {}
    found = _Ids(_headings(document), titles.get(str(document.language), ""))
    found.exact.update(raw_html.ids(document.body))
    return found


def _headings(document: Document) -> Iterator[tuple[str, Anchor]]:
    """Yield the texts of a document's headings with their anchors."""
    if not document.kind.has_sections:
        for block, anchors in post_blocks(document):
            yield from zip((heading.text for heading in block.headings), anchors, strict=True)
        return
    sections = document_sections(document)
    groups = chain.from_iterable(map(_section_headings, sections))
    for headings, anchors in zip(groups, section_anchors(sections), strict=True):
        yield from zip((heading.text for heading in headings), anchors, strict=True)


def _section_headings(section: Section) -> Iterator[tuple[Heading, ...]]:
    """Yield the headings of a section in the groups of `section_anchors`."""
    yield (Heading(section.heading), *section.headings)
    for item in section.items:
        yield (Heading(item.title), *item.headings)


def _key(text: str) -> str:
    """Return the letters and digits of a text.

    >>> _key("What's new?") == _key("whats-new") == _key("what-s-new")
    True
    """
    return "".join(filter(str.isalnum, text.casefold()))

"""Links in content, resolved to site paths.

Authors write `/pricing` without a locale, `../images/x.svg` or `other-post.md` relative to the
file. What the site of another generator would resolve is led to the page that it means there. A
link that cannot be resolved stays as written.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from datetime import datetime
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
from knowledge.addresses.former_addresses import current_path, page_of_old_address
from knowledge.addresses.fragments import current_fragment
from knowledge.addresses.link_index import asset_index, link_index, list_page, path_parts
from knowledge.fields.content_type import CONTENT_TYPES
from knowledge.fields.file_types import ASSET_TYPES, DOCUMENT_SUFFIXES
from knowledge.locales.locale import Locale
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
    if joined[1:] in snapshot.assets or joined in UNLOCALIZED:
        return joined
    page = _exact(snapshot, joined) or _moved(snapshot, joined)
    return page or _similar(snapshot, source_path, path, joined)


def _joined(folder: str, path: str) -> str:
    """Return a path in the content folder, which begins with a slash."""
    return path if path.startswith("/") else "/" + posixpath.normpath(posixpath.join(folder, path))


def _exact(snapshot: Snapshot, path: str) -> Address | None:
    """Return the page of a file, or at one of our own addresses."""
    if path.endswith(DOCUMENT_SUFFIXES):
        entry = snapshot.entry_of_file(path[1:])
        return route_of(entry) if entry else None
    address = parse_address(path if path.isascii() else current_path(snapshot, path))
    return address if address and _is_there(snapshot, address) else None


def _is_there(snapshot: Snapshot, address: Address) -> bool:
    return address.page.is_list or entry_at(snapshot, address) is not None


def _moved(snapshot: Snapshot, path: str) -> Address | None:
    """Return the page that has another address now than the path of a link or of a file."""
    folder, *parts = path_parts(path) or ("",)
    paths = (path, "/" + "/".join(parts)) if CONTENT_TYPES.of_folder(folder) else (path,)
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
    own = parse_address(path) if path.startswith("/") else None
    found = link_index(snapshot).page(wanted, source_path)
    if own and not own.page.is_list and own.page.path.count("/") > 1:
        # The address of a document that does not exist is not that of another kind.
        return found if found and found.page is own.page else None
    return found or next(filter(None, map(list_page, wanted)), None)


def site_path(
    snapshot: Snapshot, source_path: str, target: str, locale: Locale, now: datetime
) -> str:
    """Return the site path of a link for readers of a locale, or the target as written.

    A page that their locale does not have, such as a city of another country, is linked in the
    nearest locale.
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
        return quote(resolved) + rest + fragment
    nearest = nearest_locale(snapshot, resolved, locale, now)
    if fragment and not resolved.page.is_list:
        fragment = _fragment(entry_at(snapshot, resolved), nearest, fragment)
    return nearest.path + resolved.path + rest + fragment


def _fragment(entry: Entry | None, locale: Locale, fragment: str) -> str:
    """Return the fragment of a link as the page has it, or as written."""
    found = current_fragment(entry, locale.language, fragment) if entry else None
    return fragment if found is None or found == unquote(fragment) else found


def link_rewriter(
    snapshot: Snapshot, source_path: str, locale: Locale, now: datetime
) -> Callable[[str], str]:
    """Return a function that applies `site_path` to the links of one file."""
    return lambda target: site_path(snapshot, source_path, target, locale, now)

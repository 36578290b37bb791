"""Links in content: what an author wrote becomes a site path that works.

Authors write `/pricing` without locale, `../images/x.svg` or `other-post.md` beside the file.
What leads to nothing we know stays as it was written.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from datetime import datetime
from urllib.parse import quote, unquote, urlsplit

from knowledge.addresses import (
    PAGES,
    Address,
    Page,
    entry_at,
    is_list,
    nearest_locale,
    parse_address,
)
from knowledge.content_path import ContentType
from knowledge.files import DOCUMENT_SUFFIXES
from knowledge.locale import Locale
from knowledge.resolution import Entry
from knowledge.snapshot import Snapshot

UNLOCALIZED = frozenset({"/developers", "/llms.txt", "/sitemap.xml", "/openapi.json"})


def is_external(target: str) -> bool:
    """Whether a target has a scheme or host of its own, or is an anchor on the same page."""
    return target.startswith(("#", "//")) or bool(_scheme(target))


def _scheme(target: str) -> str:
    """The scheme of a target, `""` without one; what urllib refuses counts as none."""
    try:
        return urlsplit(target).scheme
    except ValueError:
        return ""


def resolve_link(snapshot: Snapshot, source_path: str, target: str) -> Address | str | None:
    """The page or asset path that a link in the file at `source_path` leads to, if any."""
    if is_external(target):
        return None
    path = unquote(target.partition("#")[0].partition("?")[0])
    if not path:
        return None
    if not path.startswith("/"):
        path = "/" + posixpath.normpath(posixpath.join(posixpath.dirname(source_path), path))
    if path[1:] in snapshot.assets or path in UNLOCALIZED:
        return path
    if path.endswith(DOCUMENT_SUFFIXES):
        found = snapshot.entry_of_file(path[1:])
        return route_of(found) if found else None
    address = parse_address(path)
    if address is None or not (is_list(address) or entry_at(snapshot, address)):
        return None
    return address


def route_of(entry: Entry) -> Address | None:
    """The public page of a document, None for kinds without one."""
    if entry.kind is ContentType.CITY:
        return Address(Page.CITY, city=entry.slug)
    page = PAGES.get(entry.kind)
    return Address(page, entry.slug) if page else None


def site_path(
    snapshot: Snapshot, source_path: str, target: str, locale: Locale, now: datetime
) -> str:
    """The site path of a link for readers of a locale, or the target as it was written.

    A page that they do not have, such as a city of another country, is linked where it is.
    """
    found = resolve_link(snapshot, source_path, target)
    if found is None:
        return target
    rest = target[len(target.partition("#")[0].partition("?")[0]) :]
    if isinstance(found, str):
        return quote(found) + rest
    return nearest_locale(snapshot, found, locale, now).path + found.path + rest


def link_rewriter(
    snapshot: Snapshot, source_path: str, locale: Locale, now: datetime
) -> Callable[[str], str]:
    """`site_path` for all links of one file."""
    return lambda target: site_path(snapshot, source_path, target, locale, now)

"""Links in content, resolved to site paths.

Authors write `/pricing` without a locale, `../images/x.svg` or `other-post.md` relative to the
file. A link that cannot be resolved stays as written.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from datetime import datetime
from urllib.parse import quote, unquote, urlsplit

from knowledge.addresses import (
    UNLOCALIZED,
    Address,
    entry_at,
    nearest_locale,
    parse_address,
    route_of,
)
from knowledge.files import DOCUMENT_SUFFIXES
from knowledge.former_addresses import current_path, page_of_old_address
from knowledge.locale import Locale
from knowledge.snapshot import Snapshot


def is_external(target: str) -> bool:
    """Return whether a target has a scheme or host, or is an anchor on the same page."""
    return target.startswith(("#", "//")) or bool(_scheme(target))


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
    path = unquote(target.partition("#")[0].partition("?")[0])
    if not path:
        return None
    if not path.startswith("/"):
        path = "/" + posixpath.normpath(posixpath.join(posixpath.dirname(source_path), path))
    if path[1:] in snapshot.assets or path in UNLOCALIZED:
        return path
    if path.endswith(DOCUMENT_SUFFIXES):
        entry = snapshot.entry_of_file(path[1:])
        return route_of(entry) if entry else None
    address = parse_address(path if path.isascii() else current_path(snapshot, path))
    if address is None or not (address.page.is_list or entry_at(snapshot, address)):
        return page_of_old_address(snapshot, path)
    return address


def site_path(
    snapshot: Snapshot, source_path: str, target: str, locale: Locale, now: datetime
) -> str:
    """Return the site path of a link for readers of a locale, or the target as written.

    A page that their locale does not have, such as a city of another country, is linked in the
    nearest locale.
    """
    resolved = resolve_link(snapshot, source_path, target)
    if resolved is None:
        return target
    rest = target[len(target.partition("#")[0].partition("?")[0]) :]
    if isinstance(resolved, str):
        return quote(resolved) + rest
    return nearest_locale(snapshot, resolved, locale, now).path + resolved.path + rest


def link_rewriter(
    snapshot: Snapshot, source_path: str, locale: Locale, now: datetime
) -> Callable[[str], str]:
    """Return a function that applies `site_path` to the links of one file."""
    return lambda target: site_path(snapshot, source_path, target, locale, now)

"""The parts of a site: what its maps, menus and manuals may speak of."""

from __future__ import annotations

from knowledge.fields.content_types import CITY, INDUSTRY, MODULE, POST, PRODUCT, AnyContentType
from knowledge.resources.site_map import PRIVATE_PATHS, SiteMap
from knowledge.snapshot.snapshot import Snapshot

_COMPANY = (CITY, INDUSTRY, MODULE, POST, PRODUCT)
_SHOP_PATHS = ("/cart", "/checkout", "/account")


def has_any(snapshot: Snapshot, *kinds: AnyContentType) -> bool:
    """Return whether the site has a document of one of these types."""
    return any(snapshot.entries.get(kind) for kind in kinds)


def published_types(snapshot: Snapshot, pages: SiteMap) -> frozenset[AnyContentType]:
    """Return the content types of which the site shows documents at the time of its site map."""
    types = {kind for entry in pages.pages for kind in entry.address.page.content_types}
    return frozenset(kind for kind in types if has_any(snapshot, kind))


def is_company(snapshot: Snapshot) -> bool:
    """Return whether the site has all that a company with products in several countries has."""
    return bool(snapshot.countries) and all(has_any(snapshot, kind) for kind in _COMPANY)


def private_paths(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the private paths to name: those of a shop only if there are products."""
    has_shop = has_any(snapshot, PRODUCT)
    return tuple(path for path in PRIVATE_PATHS if has_shop or path not in _SHOP_PATHS)

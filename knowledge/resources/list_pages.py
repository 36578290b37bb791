"""Which pages that list documents have something to list, for the readers of a locale."""

from __future__ import annotations

from datetime import datetime

from knowledge.addresses.addresses import parse_address
from knowledge.fields.content_types import POST
from knowledge.fields.page_type import PageType
from knowledge.fields.schemas import Common, ProductFields
from knowledge.locales.locale import Locale
from knowledge.snapshot.layer_resolution import resolve
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import ContentView


def has_entries(snapshot: Snapshot, page: PageType, locale: Locale, now: datetime) -> bool:
    """Return whether a locale has a document that a page lists; True for a page of another type."""
    if page.lists is None:
        return True
    if page.lists is POST:
        return snapshot.posts(locale).has_published(now)
    shown = (resolve(entry, locale, now) for entry in snapshot.all(page.lists))
    return any(each is not None and not is_withdrawn(each.fields) for each in shown)


def is_empty_list(view: ContentView, target: str) -> bool:
    """Return whether a link of a menu leads to a list without entries in the view's locale.

    A blog without posts stays in the menu: its posts come with time.
    """
    address = parse_address(target)
    if address is None or address.page.lists is POST:
        return False
    return not has_entries(view.snapshot, address.page, view.locale, view.now)


def is_withdrawn(fields: Common) -> bool:
    """Return whether a product is no longer sold."""
    return isinstance(fields, ProductFields) and fields.active is False

"""The main menu of a page: its entries, and which of them is or contains the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from knowledge.resources.base import Resource
from knowledge.resources.site import NavigationLink
from knowledge.resources.site_page import PageModel


class MenuEntry(NamedTuple):
    """One entry; `current` is the value of `aria-current`, `""` for other entries."""

    label: str
    href: str
    current: str = ""


def menu_entries(
    links: Sequence[NavigationLink], page: PageModel[Resource] | None = None
) -> list[MenuEntry]:
    """Return the entries of the menu on a page: its own, or the nearest page above it, is current.

    A page is above another one if it is among its breadcrumbs, or its path begins that of the
    other one; the home page is above none.
    """
    marked = _current(links, page) if page else {}
    return [MenuEntry(link.label, link.href, marked.get(link.href, "")) for link in links]


def _current(links: Sequence[NavigationLink], page: PageModel[Resource]) -> dict[str, str]:
    hrefs = {link.href for link in links} - {page.locale.path}
    if page.path in hrefs or not page.address.page.path:
        return {page.path: "page"}
    parents = {breadcrumb.path for breadcrumb in page.breadcrumbs}
    above = {href for href in hrefs if href in parents or page.path.startswith(f"{href}/")}
    return {max(above, key=len): "true"} if above else {}

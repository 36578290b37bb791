"""Nodes of a schema.org graph that describe the document of a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from knowledge.resources.base import Resource
from knowledge.resources.document_page import DocumentPage
from knowledge.resources.site_page import PageModel
from renderers.html.commonmark import safe_href
from renderers.l10n.formats import local_moment
from renderers.page_rendering import Node
from renderers.pagination import canonical


class ListedItem(NamedTuple):
    """A page in a list of pages, by its site path; `name` is None if the text links to it."""

    name: str | None
    path: str


def main_entity(page: PageModel[Resource]) -> Iterator[Node]:
    """Yield the node of what a document describes, if its resource says so."""
    resource = page.answer.resource
    if isinstance(resource, DocumentPage) and resource.main_entity:
        document = resource.document
        yield entity(
            page,
            page.address.page.name,
            {
                "name": document.heading,
                "description": document.short_description,
                **resource.main_entity,
                "url": canonical(page),
            },
        )


def item_list(
    page: PageModel[Resource], items: Iterable[ListedItem], first: int = 1
) -> Iterator[Node]:
    """Yield the list of pages that a page shows, unless it is empty; `first` is its position."""
    elements = [
        without_empty(
            {
                "@type": "ListItem",
                "position": position,
                "name": item.name,
                "url": page.view.absolute(item.path),
            }
        )
        for position, item in enumerate(items, start=first)
    ]
    if elements:
        yield entity(page, "list", {"@type": "ItemList", "itemListElement": elements})


def entity(page: PageModel[Resource], anchor: str, properties: Mapping[str, object]) -> Node:
    """Return the main entity of a page, without empty properties; times become ISO 8601."""
    node = {
        "@type": properties["@type"],
        "@id": f"{canonical(page)}#{anchor}",
        **properties,
        "mainEntityOfPage": {"@id": f"{canonical(page)}#webpage"},
    }
    return without_empty({name: iso_date(value, page) for name, value in node.items()})


def iso_date(value: object, page: PageModel[Resource]) -> object:
    """Return an instant as ISO 8601 with the day of the reader's country; else the value."""
    if not isinstance(value, datetime):
        return value
    return local_moment(value, page.locale).isoformat()


def organization_id(page: PageModel[Resource]) -> str:
    """Return the id of the site's organization."""
    return page.view.absolute("/#organization")


def postal_address(
    text: str | None, locality: str | None = None, country: str | None = None
) -> Node | None:
    """Return an address that is written as one text; None if there is none."""
    if not text:
        return None
    parts = {"streetAddress": text, "addressLocality": locality, "addressCountry": country}
    return without_empty({"@type": "PostalAddress", **parts})


def picture(page: PageModel[Resource], path: str | None) -> str | None:
    """Return the absolute URL of an image, or None if there is none or its scheme is unsafe."""
    target = safe_href(path or "")
    return page.view.absolute(target) if target else None


def without_empty(node: Node) -> Node:
    """Return the node without None and empty values."""
    return {name: value for name, value in node.items() if value not in (None, "", [], {})}

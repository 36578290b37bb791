"""Rendering of lists of documents; an entry that cannot be rendered is skipped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeVar

from markupsafe import Markup

from knowledge.addresses.addresses import file_at
from knowledge.fields.content_types import CONTENT_TYPES, AnyContentType
from knowledge.resources.base import DocumentSection, Resource
from knowledge.resources.site_page import PageModel
from knowledge.snapshot.snapshot import Snapshot


class ListEntry(Protocol):
    """An entry of a list of documents."""

    @property
    def slug(self) -> str:
        """The slug of the document."""
        ...


Entry = TypeVar("Entry", bound=ListEntry)
Output = TypeVar("Output")


def render_entries(
    snapshot: Snapshot,
    kind: AnyContentType,
    entries: Iterable[Entry],
    render: Callable[[Entry], Output],
) -> Iterator[Output]:
    """Yield `render(entry)` for each entry; an entry that raises is logged and skipped."""

    def path_of(entry: Entry) -> str:
        document = snapshot.entry(kind, entry.slug)
        return document.path if document else f"{kind}/{entry.slug}"

    return snapshot.left_out.each(entries, render, path_of)


def html_cards(
    page: PageModel[Resource], kind: str, entries: Iterable[ListEntry], macro: Any, *args: object
) -> Markup:
    """Render each entry with a template macro, called with the entry and `args`."""
    cards = render_entries(
        page.view.snapshot, CONTENT_TYPES.named(kind), entries, lambda entry: macro(entry, *args)
    )
    return Markup().join(cards)


def html_sections(
    page: PageModel[Resource], sections: Iterable[DocumentSection], macro: Any
) -> Markup:
    """Render the sections of a page with a template macro; skip a section that raises."""
    snapshot = page.view.snapshot
    rendered = snapshot.left_out.each(sections, macro, lambda _: file_at(snapshot, page.address))
    return Markup().join(rendered)

"""Cards: the entries of a list as each form shows them, without those that cannot be shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeVar

from markupsafe import Markup

from knowledge.addresses import file_at
from knowledge.content_path import ContentType
from knowledge.left_out import Made
from knowledge.resources.base import PageSection, Resource
from knowledge.resources.site_page import PageModel
from knowledge.snapshot import Snapshot


class Listed(Protocol):
    """One entry of a list of documents."""

    @property
    def slug(self) -> str:
        """The document's name."""
        ...


Entry = TypeVar("Entry", bound=Listed)


def each_card(
    snapshot: Snapshot, kind: ContentType, entries: Iterable[Entry], draw: Callable[[Entry], Made]
) -> Iterator[Made]:
    """What is drawn of each entry; a document whose entry cannot be drawn is left out."""

    def file(entry: Entry) -> str:
        document = snapshot.entry(kind, entry.slug)
        return document.path if document else f"{kind}/{entry.slug}"

    return snapshot.left_out.each(entries, draw, file)


def html_cards(
    page: PageModel[Resource], kind: str, entries: Iterable[Listed], macro: Any, *more: object
) -> Markup:
    """The same for templates: a macro of theirs draws, given the entry and what else it needs."""
    drawn = each_card(
        page.view.snapshot, ContentType(kind), entries, lambda entry: macro(entry, *more)
    )
    return Markup().join(drawn)


def html_sections(page: PageModel[Resource], sections: Iterable[PageSection], macro: Any) -> Markup:
    """The sections of a page; one that cannot be drawn is left out of it."""
    snapshot = page.view.snapshot
    drawn = snapshot.left_out.each(sections, macro, lambda _: file_at(snapshot, page.address))
    return Markup().join(drawn)

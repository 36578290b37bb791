"""The pages of declared kinds: a document with its fields, and the list with its filters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from knowledge.addresses.addresses import Address
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.page_type import (
    DOCUMENTATION,
    DOCUMENTATION_LIST,
    ENTRIES,
    ENTRY,
    PageType,
)
from knowledge.locales.locale import Language, localized_text
from knowledge.resources.kind_documents import Chapter
from knowledge.resources.kind_pages import EntryDetail, EntryFilter, EntryItem, EntryList
from knowledge.resources.passages import Part, section_parts
from knowledge.resources.site_page import PageModel
from knowledge.views.content_view import ContentView
from renderers.html.json_ld import ListedItem, item_list, main_entity
from renderers.html.page_links import calendar_path
from renderers.l10n.translation import translate
from renderers.markdown.context import (
    MarkdownContext,
    bullets,
    chapter,
    link,
    own_lines,
    paragraphs,
    section_texts,
    with_facts,
)
from renderers.markdown.navigation import entry_query, page_position
from renderers.markdown.passages import PassageContext, listing, texts
from renderers.page_rendering import Chapters, Node, PageRendering, Variables, declare_rendering

_WHOLE = 100
"""How many documents a menu shows at most in all folders, not only in those of the page."""


class FilterLink(NamedTuple):
    """A link to the list with another value of a filter, and how many documents it has."""

    title: str
    path: str
    number: int
    current: bool


class ShownFilter(NamedTuple):
    """A filter as links: without it, then with each value."""

    label: str
    links: tuple[FilterLink, ...]


def _list_variables(page: PageModel[EntryList]) -> Variables:
    entries = page.answer.resource
    filters = (_links(page, each) for each in entries.filters if each.options)
    return {
        "filters": list(filters),
        "groups": _groups(entries, page.locale.language),
        "calendar": _calendar(page.view, page.address),
    }


class EntryGroup(NamedTuple):
    """Documents of a list below a heading; that of all documents but events has none."""

    title: str
    items: list[EntryItem]


def _groups(entries: EntryList, language: Language) -> list[EntryGroup]:
    """Return the documents on a page of a list: events to come, then those that are over."""
    if not any(each.past for each in entries.items):
        return [EntryGroup("", entries.items)] if entries.items else []
    titles = {False: translate(_("Upcoming"), language), True: translate(_("Past"), language)}
    return [
        EntryGroup(titles[bool(past)], list(items))
        for past, items in groupby(entries.items, key=lambda each: each.past)
    ]


class CalendarLink(NamedTuple):
    """The path of a calendar, and the address by which a calendar program subscribes to it."""

    path: str
    subscription: str


def _calendar(view: ContentView, page: Address) -> CalendarLink | None:
    if not page.page.has_calendar:
        return None
    path = calendar_path(view.locale, page)
    return CalendarLink(path, f"webcal://{view.absolute(path).partition('://')[2]}")


def _links(page: PageModel[EntryList], shown: EntryFilter) -> ShownFilter:
    everything = translate(_("All"), page.locale.language)
    path, is_current = _path(page, shown.name, ""), shown.value is None
    links = [FilterLink(everything, path, shown.count, is_current)]
    for option in shown.options:
        path, is_current = _path(page, shown.name, option.value), option.value == shown.value
        links.append(FilterLink(option.label, path, option.count, is_current))
    return ShownFilter(shown.label, tuple(links))


def _path(page: PageModel[EntryList], name: str, value: str) -> str:
    filters = {**page.query.entries.filters, name: value}
    return page.path + entry_query(filters)


def _list_markdown(entries: EntryList, context: MarkdownContext) -> str:
    """Return the text above the list, the documents with the fields of cards, and the counts."""
    counts = [
        chapter(each.label, bullets(f"{option.label}: {option.count}" for option in each.options))
        for each in entries.filters
        if each.options
    ]
    groups = [
        chapter(group.title, lines) if group.title else lines
        for group in _groups(entries, context.language)
        for lines in [entry_lines(group.items, context)]
    ]
    if entries.menu:
        groups = [document_tree(entries.inner)]
    position = page_position(entries.pagination, context)
    kind = context.snapshot.kinds.by_name.get(entries.kind)
    page = kind.list_page if kind else None
    return paragraphs(
        [
            entries.short_description,
            _calendar_line(page, context) if page and page.has_calendar else "",
            *section_texts(with_facts(entries.sections, context)),
            *(groups or [context.gettext("Nothing found")]),
            position if entries.pagination.total_pages > 1 else "",
            *counts,
        ]
    )


def _calendar_line(page: PageType, context: MarkdownContext) -> str:
    path = calendar_path(context.locale, Address(page))
    return f"[{context.gettext('Download the calendar')}]({path})"


def entry_lines(items: Iterable[EntryItem], context: MarkdownContext) -> str:
    """Return the documents of a list as links, with the fields of cards."""
    return bullets(_line(each, context) for each in items)


def document_tree(chapters: Iterable[Chapter], indent: str = "") -> str:
    """Return documents in their folders as a nested list."""
    return "\n".join(
        f"{indent}- {link(each.title, each.path) if each.path else each.title}"
        f"{': ' if each.summary else ''}{each.summary}"
        + (f"\n{document_tree(each.chapters, f'{indent}  ')}" if each.chapters else "")
        for each in chapters
    )


def _documentation(page: PageModel[EntryDetail] | PageModel[EntryList]) -> Variables:
    """Return what stands beside a document: the menu with its title."""
    kind = page.view.snapshot.kinds.by_name[page.address.page.kind]
    place = page.answer.resource
    return {
        "menu_title": localized_text(kind.declared.plural, page.locale.language),
        "list_path": page.locale.path + (kind.list_page.path if kind.list_page else ""),
        "slug": page.address.slug,
        "place": place,
        "is_whole": place.menu is not None and len(place.menu.pages) <= _WHOLE,
    }


def _documentation_links(variables: Variables, context: MarkdownContext) -> Chapters:
    place = variables["place"]
    if variables["slug"]:
        yield context.gettext("In this section"), document_tree(place.inner)
    around = (
        (context.gettext("Previous page"), place.prev),
        (context.gettext("Next page"), place.next),
    )
    named = [f"{name}: {link(each.title, each.path)}" for name, each in around if each]
    yield context.gettext("More pages"), bullets(named)


def _line(item: EntryItem, context: MarkdownContext) -> str:
    facts = (f"{label}: {text}" for label, text in own_lines(item.own, context))
    words = [item.short_description, context.gettext(_("; ")).join(facts)]
    text = " · ".join(each for each in words if each)
    return f"{link(item.title, item.path)}{': ' if text else ''}{text}"


def _list_parts(entries: EntryList, context: PassageContext) -> Iterator[Part]:
    yield from texts((), context.anchor, entries.short_description)
    yield from section_parts(with_facts(entries.sections, context))
    for group in _groups(entries, context.language):
        anchor = context.ids.anchor(group.title) if group.title else context.anchor
        for each in group.items:
            context.ids.claim(each.title)
        lines = entry_lines(group.items, context)
        yield listing((group.title,) if group.title else (), anchor, lines)


def _list_nodes(page: PageModel[EntryList]) -> Iterator[Node]:
    yield from item_list(
        page, (ListedItem(each.title, each.path) for each in page.answer.resource.items)
    )


def _image(page: PageModel[EntryDetail]) -> str | None:
    picture = page.answer.resource.entry.picture
    return picture.path if picture else None


_ENTRY = PageRendering(resources=(EntryDetail,), nodes=main_entity, image=_image)
_ENTRIES = PageRendering(
    resources=(EntryList,),
    markdown=_list_markdown,
    heading=lambda page: page.answer.resource.title,
    variables=_list_variables,
    nodes=_list_nodes,
    description=lambda page: page.answer.resource.short_description or None,
    parts=_list_parts,
)
declare_rendering(_ENTRY, ENTRY)
declare_rendering(_ENTRIES, ENTRIES)
declare_rendering(
    replace(_ENTRY, variables=_documentation, links=_documentation_links), DOCUMENTATION
)
declare_rendering(replace(_ENTRIES, variables=_documentation), DOCUMENTATION_LIST)

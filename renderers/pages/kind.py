"""The pages of declared kinds: a document with its fields, and the list with its filters."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import NamedTuple

from knowledge.addresses.addresses import Address
from knowledge.blocks.block import Block, Picture, Role
from knowledge.blocks.cards import CardsBlock
from knowledge.blocks.documents import DocumentsBlock, TreeItem
from knowledge.blocks.links import LinksBlock, NamedLink
from knowledge.blocks.text import TextBlock
from knowledge.diagnostics.messages import mark as _
from knowledge.fields import page_type
from knowledge.locales.locale import Language, localized_text
from knowledge.resources.described_things import described_list
from knowledge.resources.entry_filters import FilterOption, SortOption
from knowledge.resources.kind_documents import Chapter, EntryPlace, entries
from knowledge.resources.kind_pages import EntryDetail, EntryItem, EntryList
from knowledge.resources.site_page import PageContent, PageModel
from knowledge.views.content_view import ContentView
from renderers.blocks.cards import entry_card
from renderers.blocks.context import MarkdownContext, link
from renderers.blocks.page_blocks import document_blocks, section_blocks
from renderers.html.json_ld import ListedItem, entity, item_list
from renderers.html.page_links import calendar_path
from renderers.l10n.translation import translate
from renderers.markdown.navigation import entry_query, paging_blocks
from renderers.page_rendering import Node, PageRendering, Variables, declare_rendering, picture_at

_WHOLE = 100
"""How many documents a menu shows at most in all folders, not only in those of the page."""


class FilterLink(NamedTuple):
    """A link to the list with another value of a filter, and how many documents it has."""

    title: str
    path: str
    number: int
    current: bool = False


class ShownFilter(NamedTuple):
    """A filter as links: without it, then with each value."""

    label: str
    links: tuple[FilterLink, ...]


def _list_variables(page: PageModel[EntryList]) -> Variables:
    entries = page.answer.resource
    return {
        "ranges": [each for each in entries.filters if each.range],
        "orders": {each.value: _sort_title(each, page.locale.language) for each in entries.sorts},
        "order": next((each.value for each in entries.sorts if each.current), ""),
        "other_filters": _other_filters(page),
        "calendar": _calendar(page.view, page.address),
    }


_ORDERS = {
    "date": (_("%(field)s, earliest first"), _("%(field)s, latest first")),
    "duration": (_("%(field)s, shortest first"), _("%(field)s, longest first")),
    "text": (_("%(field)s, A to Z"), ""),
}
_LOWEST, _HIGHEST = _("%(field)s, lowest first"), _("%(field)s, highest first")


def _sort_title(option: SortOption, language: Language) -> str:
    kind = "text" if option.type == "localizedText" else option.type
    texts = _ORDERS.get(kind, (_LOWEST, _HIGHEST))
    return translate(texts[option.value.startswith("-")], language, field=option.label)


def _other_filters(page: PageModel[EntryList]) -> list[tuple[str, str]]:
    """Return the parameters that the form of ranges passes on: the values of other filters."""
    own = {name for each in page.resource.filters for name in each.parameters}
    wanted = page.query.entries.wanted.items()
    return [(name, value) for name, values in wanted if name not in own for value in values]


class EntryGroup(NamedTuple):
    """Documents of a list below a heading; those in no group, and no events, have none."""

    title: str
    items: list[EntryItem]


def _groups(entries: EntryList, language: Language) -> list[EntryGroup]:
    """Return the documents on a page of a list in its groups, else events that are over last."""
    titles = {False: translate(_("Upcoming"), language), True: translate(_("Past"), language)}
    has_past = any(each.past for each in entries.items)

    def title(item: EntryItem) -> str:
        return item.group or (titles[bool(item.past)] if has_past else "")

    return [EntryGroup(name, list(items)) for name, items in groupby(entries.items, key=title)]


class CalendarLink(NamedTuple):
    """The path of a calendar, and the address by which a calendar program subscribes to it."""

    path: str
    subscription: str


def _calendar(view: ContentView, page: Address) -> CalendarLink | None:
    if not page.page.has_calendar:
        return None
    path = calendar_path(view.locale, page)
    return CalendarLink(path, f"webcal://{view.absolute(path).partition('://')[2]}")


def _filters(page: PageContent[EntryList]) -> Iterator[ShownFilter]:
    """Yield the filters with options; a value is a link to the list with it, or without it."""
    language = page.view.locale.language
    for shown in page.resource.filters:
        plain = _path(page, shown.name, ())
        links = [FilterLink(translate(_("All"), language), plain, shown.count, not shown.values)]
        known = [each.value for each in shown.options]
        for option in shown.options:
            # The same values have one address, whichever was chosen first.
            wanted = sorted({*shown.values} ^ {option.value}, key=partial(_place, known))
            path, is_current = _path(page, shown.name, wanted), option.value in shown.values
            links.append(
                FilterLink(_option_title(option, language), path, option.count, is_current)
            )
        if shown.options:
            yield ShownFilter(shown.label, tuple(links))


def _option_title(option: FilterOption, language: Language) -> str:
    if option.value.startswith("-"):
        return translate(_("Without %(name)s"), language, name=option.label)
    return option.label


def _path(page: PageContent[EntryList], name: str, values: Sequence[str]) -> str:
    names = [each.name for each in page.resource.filters]
    wanted = {**page.query.entries.wanted, name: values}
    ordered = dict(sorted(wanted.items(), key=lambda each: _place(names, each[0])))
    return page.path + entry_query(replace(page.query.entries, wanted=ordered))


def _place(known: Sequence[str], name: str) -> tuple[int, str]:
    return (known.index(name) if name in known else -1, name)


def _list_blocks(page: PageContent[EntryList], context: MarkdownContext) -> Iterator[Block]:
    """Yield the text above the list, the documents with the fields of cards, and the filters."""
    entries, gettext = page.resource, context.gettext
    yield TextBlock(text=entries.short_description, place="introduction")
    if page.address.page.has_calendar:
        calendar = link(gettext("Download the calendar"), calendar_path(page.locale, page.address))
        yield TextBlock(text=calendar, role=Role.NAVIGATION, place="introduction")
    unknown = context.join(each for filtered in entries.filters for each in filtered.unknown)
    left_out = f"{gettext('Not understood and left out:')} {unknown}" if unknown else ""
    yield TextBlock(text=left_out, role=Role.NAVIGATION, place="ignored")
    yield from section_blocks(entries.sections, context)
    groups = _groups(entries, context.language)
    if entries.menu:
        tree = tree_items(entries.inner)
        yield DocumentsBlock(items=tree, role=Role.LISTING, place="list")
    else:
        for group in groups:
            cards = [entry_card(each, context) for each in group.items]
            heading = group.title or None
            yield CardsBlock(heading=heading, items=cards, role=Role.LISTING, place="list")
    if not groups:
        yield TextBlock(text=gettext("Nothing found"), role=Role.NAVIGATION, place="nothing")
    yield from paging_blocks(page, entries.pagination, context)
    for shown in _filters(page):
        yield filter_block(shown, is_filtered=entries.is_filtered)
    yield from _place_blocks(entries, context)


def filter_block(
    shown: ShownFilter, place: str = "filters", *, is_filtered: bool = False, leads: bool = True
) -> LinksBlock:
    """Return the links of a filter, or its texts if they lead nowhere."""
    options = [
        NamedLink(
            text=each.title,
            href=each.path if leads else "",
            count=each.number,
            current=each.current,
            # From one filtered list to the next, crawlers would go through all combinations.
            followed=not is_filtered or each.current or each is shown.links[0],
        )
        for each in shown.links
    ]
    return LinksBlock(label=shown.label, items=options, role=Role.NAVIGATION, place=place)


def tree_items(chapters: Iterable[Chapter]) -> tuple[TreeItem, ...]:
    """Return documents in their folders."""
    return tuple(
        TreeItem(
            title=each.title,
            href=each.path or None,
            summary=each.summary or None,
            items=tree_items(each.chapters),
            start=each.start,
            is_group=not each.slug,
        )
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


def _documentation_blocks(
    page: PageContent[EntryDetail], context: MarkdownContext
) -> Iterator[Block]:
    """Yield the document, those in its folder, and the pages before and after it."""
    place, gettext = page.resource, context.gettext
    yield from document_blocks(page, context)
    heading = gettext("In this section")
    inner = tree_items(place.inner) if page.address.slug else ()
    yield DocumentsBlock(heading=heading, items=inner, role=Role.NAVIGATION, place="inner")
    yield from _place_blocks(place, context)


def _place_blocks(place: EntryPlace, context: MarkdownContext) -> Iterator[Block]:
    """Yield links to the pages before and after one, and to its source, if its kind names that."""
    ways = (
        ("prev", context.gettext("Previous page"), place.prev),
        ("next", context.gettext("Next page"), place.next),
    )
    around = [
        NamedLink(text=each.title, href=each.path, label=label, relation=relation)
        for relation, label, each in ways
        if each
    ]
    yield LinksBlock(items=around, role=Role.NAVIGATION, place="neighbours")
    if place.edit_url:
        source = NamedLink(text=context.gettext("Edit this page"), href=place.edit_url)
        yield LinksBlock(items=[source], role=Role.NAVIGATION, place="source")


def _list_nodes(page: PageModel[EntryList]) -> Iterator[Node]:
    kind = page.view.snapshot.kinds.by_name.get(page.address.page.kind)
    thing = kind and described_list(page.view, kind, entries(page.view, kind))
    if thing:
        yield entity(page, page.address.page.name, {"name": page.answer.resource.title, **thing})
    yield from item_list(
        page, (ListedItem(each.title, each.path) for each in page.answer.resource.items)
    )


def _image(page: PageModel[EntryDetail]) -> Picture | None:
    picture = page.answer.resource.entry.picture
    return picture_at(picture.path, picture.text) if picture else None


_ENTRY = PageRendering(resources=(EntryDetail,), image=_image)
_ENTRIES = PageRendering(
    resources=(EntryList,),
    heading=lambda page: page.resource.title,
    blocks=_list_blocks,
    variables=_list_variables,
    former={
        "filters": lambda page: list(_filters(page)),
        "groups": lambda page: _groups(page.resource, page.locale.language),
    },
    nodes=_list_nodes,
    description=lambda page: page.answer.resource.short_description or None,
)
declare_rendering(_ENTRY, page_type.ENTRY)
declare_rendering(_ENTRIES, page_type.ENTRIES)
declare_rendering(
    replace(_ENTRY, variables=_documentation, blocks=_documentation_blocks), page_type.DOCUMENTATION
)
declare_rendering(replace(_ENTRIES, variables=_documentation), page_type.DOCUMENTATION_LIST)

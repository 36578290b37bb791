"""Queries of a kind by its fields, as agents ask and as authors write lists within pages.

Each says what a value means, and what the kind does not have.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple
from urllib.parse import urlencode

from knowledge.diagnostics.messages import Text
from knowledge.documents.body import one_line
from knowledge.fields.kinds import SORT_PARAMETER, Kind
from knowledge.fields.own_fields import LISTED, ORDERED, SORTED, OwnField
from knowledge.resources.entry_filters import (
    FieldFilter,
    RangeFilter,
    filter_of,
    found_entries,
    is_range,
)
from knowledge.resources.kind_documents import all_kinds, entries, is_past
from knowledge.resources.kind_pages import EntryItem, entry_item, group_place
from knowledge.resources.own_values import TITLE
from knowledge.resources.page_sections import LISTS
from knowledge.resources.queries import ENTRIES_SHOWN, EntryQuery
from knowledge.sections.section_type import ENTRIES_SECTION, Section
from knowledge.sections.types.texts import FILTER, GROUP_BY, KIND, LIMIT, SORT
from knowledge.views.content_view import ContentView, price_currency

_WORD = re.compile(r"\w+")
_MOST_NAMED = 24
"""How many of the values that are allowed a sentence names."""

_RANGES: Mapping[str, str] = {
    "date": "2026-01-31..2026-12-31",
    "duration": "1 hour..2 days",
}


class Wrong(NamedTuple):
    """What cannot be asked for: where, what, and what is allowed there."""

    name: str
    value: str
    allowed: Sequence[str]

    def instead(self, longest: int) -> str:
        """Return in words what is allowed, of texts of so many characters."""
        allowed = [one_line(each, longest) for each in self.allowed[:_MOST_NAMED]]
        if self.name == FILTER:
            return Text("values of {}", allowed) if allowed else Text("nothing for this kind")
        if self.name == SORT:
            return Text("one of {}, with - the greatest first", allowed)
        if any(".." in each for each in allowed):
            return Text("a range such as {}, of which one end may be missing", allowed)
        return Text("one of {}, with - before it to leave it out", allowed)


class ReadQuery(NamedTuple):
    """What a query asks for that a kind has, by which fields, and what it does not have."""

    query: EntryQuery
    fields: Sequence[OwnField]
    wrong: Sequence[Wrong]


def written_filters(text: str) -> dict[str, list[str]]:
    """Return the values by field of pairs between commas.

    >>> written_filters("course:mains, course:sweets,price:..50")
    {'course': ['mains', 'sweets'], 'price': ['..50']}
    """
    filters: dict[str, list[str]] = {}
    for name, _, wanted in (pair.partition(":") for pair in text.split(",") if pair.strip()):
        filters.setdefault(name.strip(), []).append(wanted.strip())
    return filters


def read_query(
    view: ContentView,
    kind: Kind,
    wanted: Mapping[str, Sequence[str]],
    sort: str,
    fields: Iterable[OwnField],
    *,
    in_words: bool,
) -> ReadQuery:
    """Return what a query of some fields means for the documents of a kind.

    `in_words`, a value may be what readers see of it, or words of that.
    """
    known, documents = {each.key: each for each in fields}, entries(view, kind)
    meant: dict[str, Sequence[str]] = {}
    wrong: list[Wrong] = []
    for name, values in wanted.items():
        if name not in known:
            wrong.append(Wrong(FILTER, name, [*known]))
            continue
        own = filter_of(view, known[name], documents, EntryQuery(wanted={name: values}))
        allowed = _allowed(view, own)
        found = [(each, _meant(view, own, each, allowed, in_words=in_words)) for each in values]
        wrong += [Wrong(f"{FILTER}.{name}", each, allowed) for each, those in found if not those]
        meant[name] = [each for _, those in found for each in those]
    names = [TITLE, *(each.key for each in kind.fields if each.type in SORTED)]
    if sort and sort.removeprefix("-") not in names:
        wrong.append(Wrong(SORT, sort, names))
    return ReadQuery(EntryQuery(wanted=meant, sort=sort), [known[each] for each in meant], wrong)


def _allowed(view: ContentView, own: FieldFilter | RangeFilter) -> Sequence[str]:
    """Return the values that a field may have, also those that these readers do not see."""
    field = own.field
    if isinstance(own, RangeFilter):
        return [_RANGES.get(field.type, "10..50")]
    target = view.snapshot.content_types.of_folder(field.declaration.to or "")
    if target:
        return [each.slug for each in view.snapshot.all(target)]
    return [*field.choices] or own.order


def _meant(
    view: ContentView,
    own: FieldFilter | RangeFilter,
    value: str,
    allowed: Sequence[str],
    *,
    in_words: bool,
) -> Sequence[str]:
    """Return the values that one means, none for what is no value of the field."""
    if isinstance(own, RangeFilter):
        written = value.replace(price_currency(view) or "", "").strip() if in_words else value
        return [written] if is_range(own.field, written) else []
    sign = "-" if value.startswith("-") and value not in own.labels else ""
    word = value.removeprefix(sign)
    if word in allowed or not (in_words or own.field.choices or own.field.declaration.to):
        return [value]
    if not in_words:
        return []
    words, choices = {*_words(word)}, own.field.choices
    told = {each: f"{each} {label}" for each, label in own.labels.items()}
    told |= {each: " ".join((each, *texts.values())) for each, texts in choices.items()}
    told |= {each: f"{told.get(each, each)} {title}" for each, title in _titles(view, own).items()}
    named = [each for each in told if words and words.issubset(_words(told[each]))]
    return [f"{sign}{each}" for each in named]


def _titles(view: ContentView, own: FieldFilter) -> Mapping[str, str]:
    """Return the titles of all documents to which a reference may lead, by their slugs."""
    target = view.snapshot.content_types.of_folder(own.field.declaration.to or "")
    return {
        each.slug: " ".join((layer.fields.title or {}).values())
        for each in (view.snapshot.all(target) if target else ())
        for layer in each.documents[:1]
    }


def _words(text: str) -> Sequence[str]:
    return [each.casefold() for each in _WORD.findall(text)]


class SectionList(NamedTuple):
    """The documents of a section, and the path of the list with all of them, if there is one."""

    items: Sequence[EntryItem]
    path: str | None


def section_list(view: ContentView, section: Section) -> SectionList | None:
    """Return what a section lists for the readers; None for nothing, and for a wrong question."""
    kind, asked = _section_query(view, section)
    if kind is None or asked.wrong:
        return None
    query, options = asked.query, section.options
    documents = [
        each
        for each in found_entries(view, kind, query, asked.fields).left
        if kind.declared.date in query.wanted or not is_past(view, kind, each)
    ]
    group = next((each for each in kind.fields if each.key == options.get(GROUP_BY)), None)
    if group:
        documents.sort(key=partial(group_place, group))
    shown = documents[: int(options.get(LIMIT, ENTRIES_SHOWN))]
    items = view.each(shown, partial(entry_item, view, kind, group=group))
    return SectionList(items, path_of_list(view, kind, asked)) if items else None


def wrong_options(view: ContentView, section: Section) -> Sequence[Wrong]:
    """Return what a section asks for that the site does not have, in any country or language."""
    return _section_query(view, section)[1].wrong


def _section_query(view: ContentView, section: Section) -> tuple[Kind | None, ReadQuery]:
    kinds, options = {each.name: each for each in all_kinds(view.snapshot)}, section.options
    kind = kinds.get(options.get(KIND, ""))
    if kind is None:
        return None, ReadQuery(EntryQuery(), (), [Wrong(KIND, options.get(KIND, ""), [*kinds])])
    fields = [each for each in kind.fields if each.type in (*LISTED, *ORDERED)]
    wanted, sort = written_filters(options.get(FILTER, "")), options.get(SORT, "")
    read = read_query(view, kind, wanted, sort, fields, in_words=False)
    groups = [each.key for each in kind.fields if each.choices and not each.has_many]
    limits = [*map(str, range(1, ENTRIES_SHOWN + 1))]
    own = [
        Wrong(name, options[name], allowed)
        for name, allowed in ((LIMIT, limits), (GROUP_BY, groups))
        if name in options and options[name] not in allowed
    ]
    return kind, read._replace(wrong=[*read.wrong, *own])


def path_of_list(view: ContentView, kind: Kind, asked: ReadQuery) -> str | None:
    """Return the path of the list of the kind, with the same question if visitors can ask it."""
    page = kind.list_page or view.snapshot.page_types.lists.get(kind.content_type)
    if page is None:
        return None
    path = view.locale.path + page.path
    can_ask = page.kind and all(each.declaration.filter for each in asked.fields)
    if view.is_static or not can_ask:
        return path
    query = asked.query
    pairs = [pair for each in asked.fields for pair in _pairs(each, query.wanted[each.key])]
    if any(each.key == query.sort.removeprefix("-") for each in kind.sorts):
        pairs.append((SORT_PARAMETER, query.sort))
    written = urlencode([pair for pair in pairs if pair[1]])
    return f"{path}?{written}" if written else path


def _pairs(field: OwnField, values: Sequence[str]) -> Iterable[tuple[str, str]]:
    """Return the parameters of a list with some values of a field."""
    if field.has_range:
        return zip(field.parameters, values[0].split(".."), strict=True)
    return ((field.key, each) for each in values)


LISTS[ENTRIES_SECTION] = section_list

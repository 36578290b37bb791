"""Queries of a kind by its fields, in words: what each value means, and what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from knowledge.fields.kinds import Kind
from knowledge.fields.own_fields import LISTED, ORDERED, SORTED, OwnField
from knowledge.resources.entry_filters import FieldFilter, RangeFilter, filter_of
from knowledge.resources.kind_documents import entries
from knowledge.resources.own_values import TITLE
from knowledge.resources.queries import EntryQuery
from knowledge.views.content_view import ContentView, price_currency

_WORD = re.compile(r"\w+")
_RANGES: Mapping[str, str] = {
    "date": "2026-01-31..2026-12-31",
    "duration": "1 hour..2 days",
}
_RANGE = "10..50"


class Wrong(NamedTuple):
    """What a kind does not have: the value of a field, or without one the field."""

    name: str
    value: str
    allowed: Sequence[str]


class ReadQuery(NamedTuple):
    """What a query asks for that a kind has, by which fields, and what it does not have."""

    query: EntryQuery
    fields: Sequence[OwnField]
    wrong: Sequence[Wrong]


def filter_fields(kind: Kind) -> Sequence[OwnField]:
    """Return the fields by which authors filter a list, whether or not visitors do."""
    return [each for each in kind.fields if each.type in (*LISTED, *ORDERED)]


def sort_names(kind: Kind) -> Sequence[str]:
    """Return what lists are sorted by."""
    return [TITLE, *(each.key for each in kind.fields if each.type in SORTED)]


def read_query(
    view: ContentView,
    kind: Kind,
    wanted: Mapping[str, Sequence[str]],
    sort: str,
    fields: Sequence[OwnField],
) -> ReadQuery:
    """Return what a query means for the documents of a kind that readers see.

    A value may be the text that readers see of it, or words of that.
    """
    known, documents = {each.key: each for each in fields}, entries(view, kind)
    meant: dict[str, Sequence[str]] = {}
    wrong: list[Wrong] = []
    for name, values in wanted.items():
        if name not in known:
            wrong.append(Wrong(name, "", [*known]))
            continue
        asked = EntryQuery(wanted={name: values})
        filter_ = filter_of(view, known[name], documents, asked)
        found = [(each, _meant(view, filter_, each)) for each in values]
        allowed = [*_allowed(filter_)]
        wrong += [Wrong(name, value, allowed) for value, each in found if not each]
        meant[name] = [each for _, those in found for each in those]
    names = sort_names(kind)
    if sort and sort.removeprefix("-") not in names:
        wrong.append(Wrong("sort", sort, names))
        sort = ""
    return ReadQuery(EntryQuery(wanted=meant, sort=sort), [known[each] for each in meant], wrong)


def _meant(view: ContentView, own: FieldFilter | RangeFilter, value: str) -> Sequence[str]:
    """Return the values that one means, none for what is no value of the field."""
    if isinstance(own, RangeFilter):
        written = value.replace(price_currency(view) or "", "").strip()
        low, dots, high = written.partition("..")
        read = RangeFilter.of(view, own.field, EntryQuery(wanted={own.field.key: [written]}))
        is_read = dots and (low or high) and read.wanted == (low, high)
        return [written] if is_read else []
    sign = "-" if value.startswith("-") and value not in own.labels else ""
    word = value.removeprefix(sign)
    if word in own.labels or word in own.field.choices:
        return [value]
    words = {*_words(word)}
    named = {each: [*_words(each), *_words(label)] for each, label in own.labels.items()}
    for each, label in own.field.choices.items():
        named[each] = [*_words(each), *(word for text in label.values() for word in _words(text))]
    return [f"{sign}{each}" for each in named if words and words.issubset(named[each])]


def _words(text: str) -> Iterator[str]:
    return (each.casefold() for each in _WORD.findall(text))


def _allowed(own: FieldFilter | RangeFilter) -> Iterator[str]:
    if isinstance(own, RangeFilter):
        yield _RANGES.get(own.field.type, _RANGE)
    else:
        yield from own.field.choices or own.order

"""The filters of a list of documents: what visitors may ask for, and what that leaves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from itertools import chain
from operator import itemgetter
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from knowledge.fields.field_types import Omittable
from knowledge.fields.kind_fields import FieldType
from knowledge.fields.kinds import Kind
from knowledge.fields.own_fields import ORDERED, OwnField
from knowledge.fields.trade_values import Duration, Rating, iso_duration
from knowledge.locales.locale import localized_text
from knowledge.resources.base import Resource
from knowledge.resources.kind_documents import entries, in_folders
from knowledge.resources.own_values import TITLE, order_of, sorted_by, value_label, values_of
from knowledge.resources.queries import EntryQuery
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView


class FilterOption(Resource):
    """A value by which the list can be filtered; `count` is how many documents it leaves."""

    value: str
    """What to send; with `-` before it, documents with the value are left out."""
    label: str
    """The text of the value."""
    count: int
    """How many documents of the list that the other filters leave it leaves."""


class ValueRange(Resource):
    """The least and the greatest value, and between which ones the list is."""

    min: Omittable[str] = None
    """Least value of the documents that the other filters leave."""
    max: Omittable[str] = None
    """Greatest value of these."""
    low: Omittable[str] = None
    """Value from which on documents are listed."""
    high: Omittable[str] = None
    """Value up to which documents are listed."""


class EntryFilter(Resource):
    """A field by which the list can be filtered: by values, or by a range of them."""

    name: str
    """Name of the field."""
    label: str
    """Label of the field."""
    value: Omittable[str] = None
    """The first value by which this list is filtered."""
    values: list[str]
    """All values by which this list is filtered."""
    count: int
    """How many documents the other filters leave."""
    options: list[FilterOption]
    """The values that documents have."""
    unknown: Annotated[tuple[str, ...], Field(exclude=True)] = ()
    """The values to leave out that no document has."""
    range: Omittable[ValueRange] = None
    """The range, of what has a least and a greatest value, such as money and dates."""
    parameters: Annotated[tuple[str, ...], Field(exclude=True)] = ()
    """The parameters of the page."""
    is_of_days: Annotated[bool, Field(exclude=True)] = False
    is_of_durations: Annotated[bool, Field(exclude=True)] = False


class SortOption(Resource):
    """An order of the list."""

    value: str
    """What to send as `sort`; with `-` before the field the greatest is first."""
    label: str
    """Label of the field."""
    current: bool
    """Whether the list is in this order."""
    type: Annotated[FieldType, Field(exclude=True)]


@dataclass(frozen=True, slots=True)
class FieldFilter:
    """One field of a list, the values that are asked for, and the label of each value."""

    field: OwnField
    wanted: Sequence[str]
    labels: Mapping[str, str]

    @classmethod
    def of(
        cls, view: ContentView, field: OwnField, documents: Iterable[Resolved], query: EntryQuery
    ) -> FieldFilter:
        """Return the filter of a field; values that readers do not see have no label."""
        values = dict.fromkeys(value for each in documents for value in values_of(each, field))
        found = ((value, value_label(view, field, value)) for value in values)
        labels = {value: label for value, label in found if label}
        wanted = query.wanted.get(field.key, ())
        parts = chain.from_iterable(_parts(each, labels) for each in wanted)
        return cls(field, [*parts], labels)

    def matches(self, document: Resolved) -> bool:
        """Return whether a document has one of the values, and none of those to leave out."""
        values = values_of(document, self.field)
        left_out = [
            each for each in self.wanted if each.startswith("-") and each not in self.labels
        ]
        asked = [each for each in self.wanted if each not in left_out]
        has_none = not any(each[1:] in values for each in left_out)
        return has_none and (not asked or any(each in values for each in asked))

    @property
    def unknown(self) -> Sequence[str]:
        """The values to leave out that no document has."""
        known = self.labels.keys()
        return [
            each for each in self.wanted if each.startswith("-") and not known & {each, each[1:]}
        ]

    @property
    def order(self) -> Sequence[str]:
        """The values: those of a choice as declared, others by their labels."""
        if self.field.choices:
            return [each for each in self.field.choices if each in self.labels]
        return sorted(self.labels, key=lambda each: self.labels[each].casefold())


def _parts(wanted: str, known: Container[str]) -> Sequence[str]:
    """Return what is asked for: one value, or several by commas."""
    is_one = wanted in known or wanted.removeprefix("-") in known
    return [wanted] if is_one else [each.strip() for each in wanted.split(",")]


@dataclass(frozen=True, slots=True)
class RangeFilter:
    """One field of a list, and between which of its values documents are asked for."""

    view: ContentView
    field: OwnField
    wanted: tuple[str, str]
    """The least and the greatest value as they are written, `""` for no bound."""

    low: Decimal | date | None
    high: Decimal | date | None

    @classmethod
    def of(cls, view: ContentView, field: OwnField, query: EntryQuery) -> RangeFilter:
        """Return the filter of a field; a bound that is no value of its type is none."""
        low, high = (next(iter(query.wanted.get(each, ())), "") for each in field.parameters)
        written = next(iter(query.wanted.get(field.key, ())), "")
        if ".." in written:  # as the API has it
            low, _, high = written.partition("..")
        least, most = (_bound(field, each) for each in (low, high))
        wanted = "" if least is None else low, "" if most is None else high
        return cls(view, field, wanted, least, most)

    def matches(self, document: Resolved) -> bool:
        """Return whether the value of a document is in the range, if one is asked for."""
        if self.low is None and self.high is None:
            return True
        value = self.value(document)
        return (
            value is not None
            and (self.low is None or self.low <= value)
            and (self.high is None or value <= self.high)
        )

    def value(self, document: Resolved) -> Any:
        """Return what is compared: the number as it is written, the day, or the minutes."""
        rating = getattr(document.fields, self.field.attribute)
        if isinstance(rating, Rating):
            return rating.value
        value = order_of(self.view, document, self.field.attribute)
        return value.date() if isinstance(value, datetime) else value

    def text(self, value: Any, document: Resolved) -> str:
        """Return the value of a document as it is written in a range."""
        if self.field.type == "duration":
            return str(getattr(document.fields, self.field.attribute))
        is_whole = isinstance(value, float) and value.is_integer()
        return str(int(value) if is_whole else value)


def is_range(field: OwnField, text: str) -> bool:
    """Return whether a text is a range of values of a field: `10..50`, `..50` or `10..`."""
    low, dots, high = text.partition("..")
    ends = [each for each in (low, high) if each]
    return bool(dots and ends) and all(_bound(field, each) is not None for each in ends)


def _bound(field: OwnField, text: str) -> Decimal | date | None:
    """Parse one end of a range; None for what is none."""
    try:
        if field.type == "date":
            return date.fromisoformat(text)
        if field.type == "duration":
            return Decimal(Duration(iso_duration(text)).sort_value)
        number = Decimal(text.strip())
    except (ValueError, ArithmeticError):
        return None
    return number if number.is_finite() else None


def filter_of(
    view: ContentView, field: OwnField, documents: Iterable[Resolved], query: EntryQuery
) -> FieldFilter | RangeFilter:
    """Return the filter of a field."""
    if field.has_range:
        return RangeFilter.of(view, field, query)
    return FieldFilter.of(view, field, documents, query)


class FoundEntries(NamedTuple):
    """The documents of a kind, their filters, and those that the filters of a query leave."""

    documents: Sequence[Resolved]
    filters: Sequence[FieldFilter | RangeFilter]
    left: Sequence[Resolved]


def found_entries(
    view: ContentView, kind: Kind, query: EntryQuery, fields: Iterable[OwnField]
) -> FoundEntries:
    """Return the documents that a query of some fields leaves, in the order that it names."""
    documents = in_folders(view, kind, entries(view, kind))
    filters = [filter_of(view, field, documents, query) for field in fields]
    left = [each for each in documents if all(one.matches(each) for one in filters)]
    key = query.sort.removeprefix("-")
    by = next((each.attribute for each in kind.fields if each.key == key), None)
    if by or key == TITLE:
        is_reversed = query.sort.startswith("-")
        left = sorted_by(view, left, by or key, is_reversed=is_reversed)
    return FoundEntries(documents, filters, left)


def sort_options(view: ContentView, fields: Iterable[OwnField], sort: str) -> list[SortOption]:
    """Return the orders of which visitors choose: each field, the least or the greatest first."""
    language = view.locale.language
    return [
        SortOption(
            value=value,
            label=localized_text(each.label, language),
            current=value == sort,
            type=each.type,
        )
        for each in fields
        for value in ((each.key, f"-{each.key}") if each.type in ORDERED else (each.key,))
    ]


def entry_filter(
    view: ContentView,
    documents: Iterable[Resolved],
    own: FieldFilter | RangeFilter,
    filters: Sequence[FieldFilter | RangeFilter],
) -> EntryFilter:
    """Return a filter with the values that documents have, and how many have each."""
    others = [each for each in filters if each is not own]
    left = [each for each in documents if all(one.matches(each) for one in others)]
    if isinstance(own, RangeFilter):
        return _range(own, left)
    leaves_out = own.field.declaration.filter == "without"
    counted = [each for each in left if own.matches(each)] if leaves_out else left
    counts = Counter(value for each in counted for value in set(values_of(each, own.field)))
    return EntryFilter(
        name=own.field.key,
        label=localized_text(own.field.label, view.locale.language),
        value=next(iter(own.wanted), None),
        values=list(own.wanted),
        unknown=tuple(own.unknown),
        count=len(left),
        options=[
            FilterOption(
                value=f"-{each}" if leaves_out else each,
                label=own.labels[each],
                count=len(counted) - counts[each] if leaves_out else counts[each],
            )
            for each in own.order
        ],
    )


def _range(own: RangeFilter, left: Sequence[Resolved]) -> EntryFilter:
    values = ((own.value(each), each) for each in left)
    having = sorted((pair for pair in values if pair[0] is not None), key=itemgetter(0))
    low, high = own.wanted
    return EntryFilter(
        name=own.field.key,
        label=localized_text(own.field.label, own.view.locale.language),
        values=[f"{low}..{high}"] if low or high else [],
        count=len(left),
        options=[],
        range=ValueRange(
            min=own.text(*having[0]) if having else None,
            max=own.text(*having[-1]) if having else None,
            low=low or None,
            high=high or None,
        ),
        parameters=own.field.parameters,
        is_of_days=own.field.type == "date",
        is_of_durations=own.field.type == "duration",
    )

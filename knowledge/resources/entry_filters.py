"""The filters of a list of documents: what visitors may ask for, and what that leaves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from knowledge.fields.field_types import Omittable
from knowledge.fields.own_fields import OwnField
from knowledge.locales.locale import localized_text
from knowledge.resources.base import Resource
from knowledge.resources.own_values import value_label, values_of
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


class EntryFilter(Resource):
    """A field by which the list can be filtered."""

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
        return cls(field, query.wanted.get(field.key, ()), labels)

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
    def order(self) -> Sequence[str]:
        """The values: those of a choice as declared, others by their labels."""
        if self.field.choices:
            return [each for each in self.field.choices if each in self.labels]
        return sorted(self.labels, key=lambda each: self.labels[each].casefold())


def entry_filter(
    view: ContentView,
    documents: Iterable[Resolved],
    own: FieldFilter,
    filters: Sequence[FieldFilter],
) -> EntryFilter:
    """Return a filter with the values that documents have, and how many have each."""
    others = [each for each in filters if each is not own]
    left = [each for each in documents if all(one.matches(each) for one in others)]
    counts = Counter(value for each in left for value in set(values_of(each, own.field)))
    leaves_out = own.field.declaration.filter == "without"
    return EntryFilter(
        name=own.field.key,
        label=localized_text(own.field.label, view.locale.language),
        value=next(iter(own.wanted), None),
        values=list(own.wanted),
        count=len(left),
        options=[
            FilterOption(
                value=f"-{each}" if leaves_out else each,
                label=own.labels[each],
                count=len(left) - counts[each] if leaves_out else counts[each],
            )
            for each in own.order
        ],
    )

"""Facts: the values of a document that its page shows with a label, in one list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from knowledge.fields.field_types import Shown
from knowledge.locales.locale import Locale
from knowledge.resources.base import Resource
from knowledge.resources.shown import shown_values
from knowledge.snapshot.layer_resolution import Resolved
from renderers.l10n.formats import long_date
from renderers.l10n.translation import translations


def facts(resource: Resource, locale: Locale) -> list[tuple[str, str]]:
    """Return label and text of each shown value of a page's document."""
    documents = (getattr(resource, name) for name in type(resource).model_fields)
    return [
        fact
        for document in (resource, *documents)
        if isinstance(document, Resource)
        for fact in _facts(document, locale)
    ]


def shown_facts(resolved: Resolved) -> Iterator[tuple[str, str]]:
    """Return label and text of each shown value of a document, without its resource."""
    shown, values = resolved.fields.shown, shown_values(resolved)
    return _labelled([(shown[name], value) for name, value in values.items()], resolved.locale)


def _facts(document: Resource, locale: Locale) -> Iterator[tuple[str, str]]:
    marked = [
        (marker, getattr(document, name))
        for name, field in type(document).model_fields.items()
        for marker in field.metadata
        if isinstance(marker, Shown)
    ]
    return _labelled(marked, locale)


def _labelled(values: Iterable[tuple[Shown, object]], locale: Locale) -> Iterator[tuple[str, str]]:
    """Yield label and text of each value that is not empty."""
    for shown, value in values:
        if value not in (None, "", []):
            yield shown.label(locale.language), _text(value, locale)


def _text(value: object, locale: Locale) -> str:
    if isinstance(value, bool):
        gettext = translations(locale.language).gettext
        return gettext("Yes") if value else gettext("No")
    if isinstance(value, datetime):
        return long_date(value, locale)
    text = " · ".join(map(str, value)) if isinstance(value, list) else str(value)
    return " ".join(text.split())

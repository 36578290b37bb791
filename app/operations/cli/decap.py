"""The widgets of Sveltia and Decap, editors of content in a browser, for the types of fields."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, get_args, get_origin

from knowledge.fields.field_types import (
    ContactUrl,
    FirstText,
    ImagePath,
    Integer,
    LocalizedText,
    NameList,
    PhoneNumber,
    PlainText,
    Slug,
    TextList,
    Url,
    UtcDateTime,
)
from knowledge.fields.front_matter import Fields
from knowledge.fields.opening_hours import DAYS
from knowledge.fields.own_fields import OwnField, in_words
from knowledge.fields.trade_values import Period
from knowledge.locales.locale import Language, localized_text

Widget = dict[str, Any]

_LIST: Widget = {"widget": "list", "i18n": True}
_SAME = "duplicate"
"""What a value is that all languages have in common: the file of the main language has it."""

_TEXT: Widget = {"widget": "string"}
_TRANSLATED: Widget = {"widget": "string", "i18n": True}
_DATE: Widget = {"widget": "datetime", "picker_utc": True}
_FLOAT: Widget = {"widget": "number", "value_type": "float"}
_WHOLE: Widget = {"widget": "number", "value_type": "int"}


def _parts(fields: Mapping[str, Widget]) -> Widget:
    """Return the widget of a value with these keys, none of which is required."""
    inner = [
        {
            "name": name,
            "label": in_words(name)["en"],
            "i18n": _SAME,
            **widget,
            "required": False,
        }
        for name, widget in fields.items()
    ]
    return {"widget": "object", "fields": inner, "i18n": True}


_WIDGETS: tuple[tuple[Any, Widget], ...] = (
    (LocalizedText, _TRANSLATED),
    (PlainText, _TEXT),
    (Slug, _TEXT),
    (Url, _TEXT),
    (FirstText, _TEXT),
    (PhoneNumber, _TEXT),
    (ContactUrl, _TEXT),
    (ImagePath, {"widget": "image"}),
    (UtcDateTime, _DATE),
    (Integer, _WHOLE),
    (bool, {"widget": "boolean"}),
    (TextList, _LIST),
    (NameList, _LIST),
)
"""The widgets of the types of built-in fields."""

_WEEK = _parts({day: {**_TEXT, "hint": "8:00-12:00, 16:00-22:00"} for day in DAYS})
_OWN_WIDGETS: Mapping[str, Widget] = {
    "text": _TEXT,
    "localizedText": _TRANSLATED,
    "number": _FLOAT,
    "integer": _WHOLE,
    "boolean": {"widget": "boolean"},
    "country": _TEXT,
    "phone": _TEXT,
    "url": _TEXT,
    "date": _DATE,
    "list": _LIST,
    "image": {"widget": "image"},
    "place": _parts({"address": _TRANSLATED, "mapUrl": _TEXT}),
    "whatsapp": _TEXT,
    "mail": _TEXT,
    "time": _TEXT,
    "duration": {**_TEXT, "hint": "Such as 45 minutes or 6 weeks"},
    "address": _parts(
        {
            **dict.fromkeys(("street", "city", "region"), _TRANSLATED),
            **dict.fromkeys(("postalCode", "country", "mapUrl"), _TEXT),
            **dict.fromkeys(("latitude", "longitude"), _FLOAT),
        }
    ),
    "hours": _parts(
        {
            "days": _WEEK,
            "seasons": {
                **_parts({"name": _TRANSLATED, "starts": _DATE, "ends": _DATE, "days": _WEEK}),
                "widget": "list",
            },
            "exceptions": {
                **_parts({"name": _TRANSLATED, "date": _DATE, "ends": _DATE, "hours": _TEXT}),
                "widget": "list",
            },
        }
    ),
    "rating": _parts({"value": _FLOAT, "best": _FLOAT, "count": _WHOLE}),
}


def built_in_widget(hint: Any) -> Widget | type[Fields] | None:
    """Return the widget of a built-in field, or the model of its keys; None if it has neither."""
    types = [*_types(hint)]
    widget = next((widget for known, widget in _WIDGETS for each in types if each == known), None)
    models = (each for each in types if isinstance(each, type) and issubclass(each, Fields))
    return widget or next(models, None)


def _types(hint: Any) -> Iterator[Any]:
    """Yield a type, and all that it is made of."""
    yield hint
    for each in get_args(hint):
        yield from _types(each)


def is_list(hint: Any) -> bool:
    """Return whether a type has several values."""
    return any(get_origin(each) is list for each in _types(hint))


def own_widget(field: OwnField, language: Language, currencies: Iterable[str]) -> Widget:
    """Return the widget of a declared field, with labels in a language."""
    if field.type == "choice":
        options = [
            {"value": value, "label": localized_text(text, language)}
            for value, text in field.choices.items()
        ]
        return {"widget": "select", "options": options, "multiple": field.has_many}
    if field.type == "records":
        inner = [
            {
                "name": each.key,
                "label": localized_text(each.label, language),
                "i18n": _SAME,
                **own_widget(each, language, currencies),
                "required": bool(each.declaration.required),
            }
            for each in field.fields
        ]
        return {"widget": "list", "fields": inner, "i18n": True}
    if field.type == "reference":
        return {
            "widget": "relation",
            "collection": field.declaration.to,
            "value_field": "{{slug}}",
            "search_fields": ["title"],
            "display_fields": ["title"],
            "multiple": field.has_many,
        }
    if field.type in ("money", "offer"):
        amounts = _parts(dict.fromkeys(currencies, _FLOAT))
        for amount in amounts["fields"]:
            amount["label"] = amount["name"]
        if field.type == "money":
            return amounts
        period = {"widget": "select", "options": [*get_args(Period)]}
        ends = dict.fromkeys(("amount", "least", "most"), amounts)
        return _parts({**ends, "per": period, "unit": _TRANSLATED})
    return _OWN_WIDGETS[field.type]

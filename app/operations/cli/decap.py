"""The configuration of Decap or Sveltia, editors of content in a browser, for the kinds of a site.

Each kind is a collection. Its documents are edited in all languages side by side. Each language has
a file: `name.en.md` and `name.ar.md`.
"""

from collections.abc import Iterator, Mapping
from typing import Any, get_args, get_type_hints

from pydantic.alias_generators import to_camel, to_snake

from knowledge.fields.content_types import KIND, AnyContentType
from knowledge.fields.field_types import (
    FirstText,
    ImagePath,
    Integer,
    LocalizedText,
    NameList,
    PlainText,
    Slug,
    TextList,
    Url,
    UtcDateTime,
)
from knowledge.fields.json_schemas import field_docstrings
from knowledge.fields.opening_hours import DAYS
from knowledge.fields.own_fields import OwnField, own_fields
from knowledge.fields.trade_values import Period
from knowledge.locales.locale import Language, localized_text
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import country_settings, currency_of


def decap_configuration(snapshot: Snapshot, folder: str) -> dict[str, Any]:
    """Return the configuration for a content folder, whose path in the repository is given."""
    languages = [str(each) for each in snapshot.locales.languages]
    below = f"{folder.strip('/')}/" if folder.strip("/.") else ""
    i18n = {
        "structure": "multiple_files",
        "locales": languages,
        "default_locale": languages[0],
        "omit_default_locale_from_filename": True,
    }
    return {
        "backend": {"name": "git-gateway", "branch": "main"},
        "local_backend": True,
        "media_folder": f"{below}images",
        "public_folder": "/images",
        "i18n": i18n,
        "collections": [
            _collection(kind, snapshot, f"{below}{kind}")
            for kind in snapshot.content_types
            if not (kind.singletons or kind is KIND or kind in snapshot.kinds.absent)
        ],
    }


Widget = dict[str, Any]

_LIST: Widget = {"widget": "list", "i18n": True}
_SAME = "duplicate"
"""What a value that is the same in all languages is: each file has it, as a layer of its own."""

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
            "label": to_snake(name).replace("_", " ").capitalize(),
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
    (ImagePath, {"widget": "image"}),
    (UtcDateTime, _DATE),
    (Integer, _WHOLE),
    (bool, {"widget": "boolean"}),
    (TextList, _LIST),
    (NameList, _LIST),
)
"""The widgets of the types of built-in fields; blocks of keys are edited in files."""

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
_BODY: Widget = {
    "name": "body",
    "label": "Text",
    "widget": "markdown",
    "required": False,
    "i18n": True,
}
_FIRST = ("title", "name", "short_description", "published_at")
"""The fields at the top of the editor."""


def _collection(kind: AnyContentType, snapshot: Snapshot, folder: str) -> dict[str, Any]:
    declared = snapshot.kinds.by_name.get(str(kind))
    singular = declared.declared.singular if declared else None
    plural = declared.declared.plural if declared else None
    return {
        "name": str(kind),
        "label": localized_text(plural, Language.EN) or str(kind).capitalize(),
        "label_singular": localized_text(singular, Language.EN) or kind.singular.capitalize(),
        "folder": folder,
        "create": True,
        "slug": "{{slug}}",
        "identifier_field": _needed(kind)[0],
        "i18n": True,
        "fields": [*_fields(kind, snapshot), _BODY],
    }


def _needed(kind: AnyContentType) -> list[str]:
    """Return the keys that each document needs, the one that names it first."""
    names = [to_camel(names[-1]) for names in kind.required if "body" not in names]
    return sorted(names or ["title"], key=lambda name: name not in ("title", "name"))


def _fields(kind: AnyContentType, snapshot: Snapshot) -> Iterator[Widget]:
    model, needed, meanings = kind.fields, _needed(kind), field_docstrings(kind.fields)
    own, hints = own_fields(model), get_type_hints(model, include_extras=True)
    for name in sorted(model.field_names, key=lambda each: _place(each, own)):
        if name == "slug":  # the name of the file
            continue
        field, key = own.get(name), to_camel(name)
        if field and not snapshot.kinds.has_target(field.declaration):
            continue
        widget = _own_widget(field, snapshot) if field else _widget(hints[name])
        if widget is None:
            continue
        words = name.replace("_", " ").capitalize()
        meaning = (field.declaration.meaning if field else meanings.get(name)) or ""
        yield {
            "name": key,
            "label": localized_text(field.label, Language.EN) if field else words,
            **({"hint": " ".join(meaning.split())} if meaning else {}),
            "i18n": _SAME,
            **widget,
            "required": bool(field.declaration.required) if field else key in needed,
        }


def _place(name: str, own: Mapping[str, OwnField]) -> tuple[bool, int]:
    """Order fields: those that name a document, then those of the site, then all others."""
    return (name not in _FIRST and name not in own, _FIRST.index(name) if name in _FIRST else 9)


def _widget(hint: Any) -> Widget | None:
    """Return the widget of a built-in field; None if it is edited in files."""
    types = (hint, *(each for each in get_args(hint) if each is not type(None)))
    return next((widget for known, widget in _WIDGETS for each in types if each == known), None)


def _own_widget(field: OwnField, snapshot: Snapshot) -> Widget:
    if field.type == "choice":
        options = [
            {"value": value, "label": localized_text(text, Language.EN)}
            for value, text in field.choices.items()
        ]
        return {"widget": "select", "options": options, "multiple": field.has_many}
    if field.type == "records":
        inner = [
            {
                "name": each.key,
                "label": localized_text(each.label, Language.EN),
                "i18n": _SAME,
                **_own_widget(each, snapshot),
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
        currencies = sorted(
            {
                currency_of(country, country_settings(snapshot, country))
                for country in snapshot.locales.countries
            }
        )
        amounts = _parts(dict.fromkeys(currencies, _FLOAT))
        for amount in amounts["fields"]:
            amount["label"] = amount["name"]
        if field.type == "money":
            return amounts
        period = {"widget": "select", "options": [*get_args(Period)]}
        ends = dict.fromkeys(("amount", "least", "most"), amounts)
        return _parts({**ends, "per": period, "unit": _TRANSLATED})
    return _OWN_WIDGETS[field.type]

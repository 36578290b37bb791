"""The fields of the editor in a browser, as the documents of a site have them.

Labels are in the main language of the site. Beside it, the other language has the texts, and what
the site itself writes into the files of that language. A text that it writes as `{ en: …, ar: … }`
has both languages in one file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple, cast, get_type_hints

from pydantic.alias_generators import to_camel, to_snake

from app.operations.cli.decap import Widget, built_in_widget, is_list, own_widget
from knowledge.fields import yaml
from knowledge.fields.content_types import SETTINGS, SITE, AnyContentType
from knowledge.fields.front_matter import Fields
from knowledge.fields.own_fields import OwnField, in_words, own_fields
from knowledge.fields.site_fields import NAMED_WORDS, NamedWords
from knowledge.locales import cldr
from knowledge.locales.locale import Language, localized_text
from knowledge.snapshot.snapshot import Snapshot
from knowledge.views.content_view import country_settings, currency_of
from renderers.l10n.translation import translate

PAGE_FILES = Path(__file__).with_name("editor_page")
"""The page of the editor, its script, and the labels of built-in fields."""

FIRST = ("title", "name", "short_description")
"""The fields at the top of the editor."""

_SHOWN = ("published", "enabled", "active")
"""What is true without a value."""


class Written(NamedTuple):
    """A value in a file, and whether that is the file of the other language."""

    value: Any
    is_translation: bool

    @property
    def is_in_both(self) -> bool:
        """Whether it is a text in both languages."""
        return isinstance(self.value, Mapping) and len(self.value) > 1

    def part(self, key: str) -> Written:
        """Return the value of a key."""
        of_mapping = isinstance(self.value, Mapping)
        found = self.value.get(key) if of_mapping else getattr(self.value, to_snake(key), None)
        return Written(found, self.is_translation)


def _items(found: Iterable[Written]) -> list[Written]:
    """Return the items of lists, and all other values themselves."""
    return [
        Written(value, each.is_translation)
        for each in found
        for value in (each.value if isinstance(each.value, list) else [each.value])
    ]


@cache
def _labels() -> Mapping[str, Any]:
    """Return labels and hints of what sites do not declare, by `fields` or `kinds`, and key."""
    text = (PAGE_FILES / "labels.yaml").read_text(encoding="utf-8")
    return cast("Mapping[str, Any]", yaml.load(text))


@dataclass(frozen=True)
class EditorFields:
    """What people edit of the documents of a site."""

    snapshot: Snapshot
    kinds: Sequence[AnyContentType]
    """The kinds to which fields may refer."""

    @property
    def languages(self) -> tuple[Language, ...]:
        """The languages of the site, the main one first."""
        return self.snapshot.locales.languages

    @property
    def _language(self) -> Language:
        return self.languages[0]

    @cached_property
    def _currencies(self) -> list[str]:
        """The currencies of the countries, else that of the site."""
        snapshot = self.snapshot
        countries = snapshot.locales.countries
        found = {currency_of(each, country_settings(snapshot, each)) for each in countries}
        settings = snapshot.entry(SITE, SETTINGS.slug)
        own = getattr(settings.documents[0].fields, "currency", None) if settings else None
        return sorted(found) or [own or "USD"]

    def of_model(
        self,
        model: type[Fields],
        names: Iterable[str],
        written: list[Written],
        needed: Sequence[str] = (),
    ) -> Iterator[Widget]:
        """Yield fields of a model, as documents have them."""
        own, hints = own_fields(model), get_type_hints(model, include_extras=True)
        for name in sorted(names, key=lambda each: _place(each, own)):
            field, found = own.get(name), [each.part(name) for each in written]
            label = self._label(name, model, own)
            if not label:
                continue
            own_one = field and own_widget(field, self._language, self._currencies)
            widget = own_one or self._built_in(hints[name], found)
            if widget and self._has_target(widget):
                required = name in needed or bool(field and field.declaration.required)
                placed = {"name": to_camel(name), **label, **widget, "required": required}
                yield self.placed(placed, found)

    def _has_target(self, widget: Widget) -> bool:
        """Return whether there is what a field refers to, if it refers to anything."""
        return widget.get("collection") in (None, *map(str, self.kinds))

    def _label(self, name: str, model: type[Fields], own: Mapping[str, OwnField]) -> Widget | None:
        """Return label and hint of a field; None if it is edited in files."""
        key, picture = to_camel(name), own.get(name.removesuffix("_alt"))
        if issubclass(model, NamedWords):
            return {"label": translate(NAMED_WORDS[name].default, self._language, name="…")}
        if name in own:
            declared = own[name].declaration
            label = self.said(declared.label, key)
            meaning = declared.meaning or ""
            is_read = self._language is Language.EN or not meaning.isascii()
            return {"label": label, **({"hint": meaning} if meaning and is_read else {})}
        if picture and picture.alternative == name:
            shown = self.said(picture.declaration.label, picture.key)
            return {"label": f"{shown}: {self.labelled('alt')['label']}"}
        return self.labelled(key) if key in _labels()["fields"] else None  # edited in files

    def _built_in(self, hint: Any, found: list[Written]) -> Widget | None:
        """Return the widget of a built-in field, with the fields of its model if it has one."""
        widget, inner = built_in_widget(hint), _items(found)
        if isinstance(widget, type):
            fields = [*self.of_model(widget, widget.field_names, inner)]
            return {"widget": "list" if is_list(hint) else "object", "fields": fields}
        if widget and widget.get("i18n") and is_list(hint):  # of texts by language
            both = any(each.is_in_both for each in inner)
            texts: Widget = {"fields": [*self._by_language(widget)]} if both else {"i18n": True}
            return {"widget": "list", **texts}
        return widget

    def placed(self, field: Widget, found: list[Written], *, is_shared: bool = False) -> Widget:
        """Return a field that is edited in the languages in which the site has it.

        `is_shared` says that it is within a list that the languages have in common.
        """
        placed = {key: value for key, value in field.items() if key != "i18n"}
        is_text = field.get("i18n") is True and "fields" not in field
        has_own = any(each.is_translation and each.value is not None for each in found)
        is_list = field["widget"] == "list"
        if len(self.languages) == 1:
            has_own = is_text = False
        if "fields" in field:
            shared, parts = is_shared or (is_list and not has_own), _items(found)
            placed["fields"] = [
                self.placed(
                    self._relabelled(each),
                    [part.part(each["name"]) for part in parts],
                    is_shared=shared,
                )
                for each in field["fields"]
                if self._has_target(each)
            ]
            has_own |= not shared and any(each.get("i18n") for each in placed["fields"])
        elif is_text and not is_list and (is_shared or any(each.is_in_both for each in found)):
            placed |= {"widget": "object", "fields": [*self._by_language(field)]}
        elif field["widget"] == "datetime":
            placed |= _days_or_times(found)
        elif field["widget"] == "boolean":
            placed["default"] = field["name"] in _SHOWN
        else:
            has_own |= is_text
        return {**placed, "i18n": True} if has_own else placed

    def _by_language(self, field: Widget) -> Iterator[Widget]:
        """Yield the fields of a text that is written as `{ en: …, ar: … }`."""
        for each in self.languages:
            required = field.get("required", False) and each is self._language
            shown = {"label": cldr.language_name(each, each), "widget": field["widget"]}
            yield {"name": str(each), **shown, "required": required}

    def _relabelled(self, part: Widget) -> Widget:
        """Return a part of a value with the label of the editor, unless the site has one."""
        known = _labels()["parts"].get(part["name"])
        if known and part["label"] in (known["en"], in_words(part["name"])["en"]):
            return {**part, **self.labelled(part["name"], "parts")}
        return part

    def said(self, text: Mapping[str, str] | None, key: str, section: str = "fields") -> str:
        """Return a text in the main language of the site, by default the label of a key."""
        return localized_text(text, self._language) or str(self.labelled(key, section)["label"])

    def labelled(self, key: str, section: str = "fields") -> Widget:
        """Return label and hint of a key in the main language of the site."""
        found = _labels()[section].get(key, in_words(key))
        label, hint = (localized_text(each, self._language) for each in (found, found.get("hint")))
        return {"label": label, "hint": hint} if hint else {"label": label}


def _place(name: str, own: Mapping[str, OwnField]) -> tuple[bool, int]:
    """Order fields: those that name a document, then those of the site, then all others."""
    is_own = name in own or name.removesuffix("_alt") in own
    return (name not in FIRST and not is_own, FIRST.index(name) if name in FIRST else len(FIRST))


def _days_or_times(found: list[Written]) -> Widget:
    """Return the options of dates: days, unless the site writes times of the day."""
    moments = [each.value for each in found if isinstance(each.value, datetime)]
    if any(each.time() != time() for each in moments):
        return {"picker_utc": False}  # the time at the place of who edits
    return {"format": "YYYY-MM-DD", "time_format": False}

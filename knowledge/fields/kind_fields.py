"""The front matter of `_kinds/`, and the declarations of built-in kinds in `declarations/`.

A site that has documents of a built-in kind need not declare it: its own file of that name adds to
what the service declares.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import cache
from keyword import iskeyword
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

import yaml
from pydantic import BeforeValidator, PlainValidator
from pydantic.alias_generators import to_camel, to_snake

from knowledge.diagnostics.messages import Text
from knowledge.fields.field_types import (
    InvalidValue,
    LocalizedText,
    PlainText,
    TextList,
)
from knowledge.fields.front_matter import Common, Fields, front_matter
from knowledge.fields.json_schemas import written

FieldType = Literal[
    "text",
    "localizedText",
    "number",
    "integer",
    "boolean",
    "money",
    "date",
    "choice",
    "list",
    "image",
    "reference",
    "country",
    "phone",
    "whatsapp",
    "mail",
    "url",
    "place",
    "address",
    "time",
    "hours",
    "duration",
    "offer",
    "rating",
    "records",
]
"""The types of declared fields."""

Showing = Literal["fact", "card", "nothing"]
"""Where a field is shown: on the page, on the page and in the cards of lists, or nowhere."""

Filtering = Annotated[
    bool | Literal["without"],
    written({"anyOf": [{"type": "boolean"}, {"enum": [0, 1]}, {"type": "string"}]}),
]
"""Whether visitors ask for a value of a field, or leave out what has it."""

DECLARATIONS = Path(__file__).parent / "declarations"
"""The folder of the declarations of built-in kinds."""

_NAME = re.compile(r"[a-z][A-Za-z0-9]*")
_SNAKE_NAME = re.compile(r"(?P<sign>-?)(?P<name>[a-z][a-z0-9]*(?:_[a-z0-9]+)+)")
_KIND_PATH = re.compile(r"(?:/[a-z]+(?:-[a-z]+)*)+")
_KIND_NAME = re.compile(r"[a-z]+(?:-[a-z]+)*")


def _field_key(value: Any) -> Any:
    """Return the key of a field; that of another system, such as `price_from`, is `priceFrom`."""
    found = _SNAKE_NAME.fullmatch(value) if isinstance(value, str) else None
    return found["sign"] + to_camel(found["name"]) if found else value


def _field_name(value: Any) -> Any:
    name = str(_field_key(value))
    if not _NAME.fullmatch(name) or to_camel(to_snake(name)) != name:
        advice = Text("Use a name such as startsAt, of letters and digits.")
        raise InvalidValue(Text("invalid name of a field"), advice, value)
    if iskeyword(to_snake(name)):
        advice = Text("Use another name: this one is a word of the programming language.")
        raise InvalidValue(Text("reserved name of a field"), advice, value)
    return name


def is_kind_path(path: str) -> bool:
    """Return whether a path can be the address of a list."""
    return bool(_KIND_PATH.fullmatch(path))


def _path(value: Any) -> Any:
    if not is_kind_path(str(value)):
        advice = Text("Use lower-case words such as /doctors or /about/doctors.")
        raise InvalidValue(Text("invalid address"), advice, value)
    return value


def _edit_url(value: Any) -> Any:
    if not str(value).startswith(("https://", "http://")) or "{path}" not in str(value):
        advice = Text("Use the URL of a file, with the word path in braces in place of its path.")
        raise InvalidValue(Text("invalid address for edits"), advice, value)
    return value


FieldName = Annotated[str, BeforeValidator(_field_name), written({"type": "string"})]
"""The key of a declared field in front matter."""

FieldKey = Annotated[PlainText, BeforeValidator(_field_key)]
"""The name of a declared field in another key."""

FieldKeys = Annotated[
    TextList,
    BeforeValidator(lambda keys: [*map(_field_key, keys)] if isinstance(keys, list) else keys),
]

KindPath = Annotated[str, BeforeValidator(_path), written({"type": "string"})]
"""The address of a list below each locale."""


EditUrl = Annotated[str, BeforeValidator(_edit_url), written({"type": "string"})]
"""A URL with the placeholder `{path}`."""


_LARGEST = 10**15


def _number(value: Any) -> int | float:
    """Return a number: whole ones without a decimal point."""
    try:
        number = float(value) if isinstance(value, str | int | float) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if isinstance(value, bool) or not abs(number) < _LARGEST:
        raise InvalidValue(Text("invalid number"), Text("Use a number such as 12 or 12.5."))
    return int(number) if number.is_integer() else number


NUMBER = Annotated[
    int | float,
    PlainValidator(_number),
    written({"anyOf": [{"type": "number"}, {"type": "string", "pattern": r"^-?\d+(?:\.\d+)?$"}]}),
]


Options = dict[PlainText, LocalizedText]
"""The options of a choice, each with its text."""


@front_matter
class DeclaredField(Fields):
    """What the declared fields of documents and those of forms have in common."""

    label: LocalizedText | None = None
    """The label on pages; by default the name in words."""

    required: bool | None = None
    """Whether it must have a value: `majlis check` reports documents, and a form asks again."""

    many: bool | None = None
    """Whether a `choice`, or the `reference` of a document, has several values."""


@front_matter
class FieldDeclaration(DeclaredField):
    """One declared field."""

    type: FieldType
    """The type of the value."""

    choices: Options | None = None
    """The options of a `choice`, each with its text."""

    meaning: PlainText | None = None
    """What the field tells, for the contract of the API and for editors."""

    show: Showing | None = None
    """Where it is shown; by default `fact`."""

    search: bool | None = None
    """Whether the search finds its text; by default what is shown."""

    filter: Filtering | None = None
    """Whether visitors filter the list by it; `without` leaves out what has a value."""

    sort: bool | None = None
    """Whether visitors sort the list by it."""

    to: PlainText | None = None
    """The folder of the documents to which a `reference` leads."""

    loose: bool | None = None
    """Whether values of a `reference` may name something that is no document."""

    markdown: bool | None = None
    """Whether a `localizedText` has emphasis and links."""

    min: NUMBER | None = None
    """The least value of a `number` or `integer`."""

    max: NUMBER | None = None
    """Its greatest value."""

    vat: bool | None = None
    """Whether the VAT of the country is added to the amounts of `money` or an `offer`."""

    decorative: bool | None = None
    """Whether an `image` has no alternative text, as it says nothing that the text does not."""

    fields: dict[FieldName, FieldDeclaration] | None = None
    """The fields of each of the `records`."""

    singular: LocalizedText | None = None
    """What one of the `records` is called, such as `Variant`."""

    schema_property: PlainText | None = None
    """The property of schema.org that has the value."""


PUBLISHED_AT = "publishedAt"
"""The date of what is published, which takes place at no time."""


@front_matter
class KindFields(Common):
    """`_kinds/`; the body is the text above the list."""

    refuses_unknown_keys: ClassVar[bool] = True
    keeps_lines: ClassVar[bool] = True

    singular: LocalizedText | None = None
    """What one document is called, such as `Doctor`."""

    plural: LocalizedText | None = None
    """What all of them are called: the title of their list."""

    path: KindPath | None = None
    """The address of the list, above those of the documents; by default the file name."""

    nested: bool | None = None
    """Whether the folders in which documents lie are part of their slugs and addresses."""

    folder: Literal["."] | None = None
    """`.` if the documents lie in the content folder itself, outside the folders of all kinds."""

    layout: Literal["documentation"] | None = None
    """How documents look: `documentation` has a menu of all documents beside each."""

    group_by: FieldKey | None = None
    """The field, a `choice`, by whose options the list and its menu are grouped."""

    versions: TextList | None = None
    """The folders that each have one version of all documents, the newest first."""

    edit_url: EditUrl | None = None
    """Where readers may edit a document; `{path}` is that of its file in the content folder."""

    parent: KindPath | None = None
    """The address of the page above the list in the breadcrumbs."""

    fields: dict[FieldName, FieldDeclaration] | None = None
    """The fields by name."""

    sort: FieldKey | None = None
    """The field by which lists are sorted, `-startsAt` for the last one first; by default
    `sortOrder`, then the title."""

    date: FieldKey | None = None
    """The field with the date of a document, which puts it into a feed."""

    end_date: FieldKey | None = None
    """The field with the end, for documents that are events."""

    calendar: bool | None = None
    """Whether documents are events, with a calendar; by default those with a `date` of their own,
    which is another one than `publishedAt`."""

    schema_type: PlainText | None = None
    """The type of schema.org that a document describes, such as `Physician`."""

    title_from: FieldKey | None = None
    """The field, a `localizedText`, that names a document without a title."""

    require_one_of: FieldKeys | None = None
    """Fields, or `body`, of which a document needs one."""

    country_from: FieldKey | None = None
    """The field with the one country in which a document is shown."""

    falls_back: bool | None = None
    """`false` leaves a document out in the language in which it has no text."""

    chapter: LocalizedText | None = None
    """The heading in llms.txt; by default the plural."""

    use_when: LocalizedText | None = None
    """When to read a document, after “use when”; `%(title)s` stands for its title."""

    @property
    def short_title(self) -> LocalizedText | None:
        """The plural."""
        return self.plural

    @property
    def has_calendar(self) -> bool:
        """Whether documents are events: those with a date that is not that of their publication."""
        if self.calendar is None:
            return self.date not in (None, PUBLISHED_AT)
        return self.calendar


@cache
def schema_org(what: Literal["types", "properties"]) -> frozenset[str]:
    """Return the names that schema.org has, as the package schema-dts declares them."""
    return frozenset((Path(__file__).parent / f"schema_{what}.txt").read_text().split())


def is_kind_name(name: str) -> bool:
    """Return whether a file of `_kinds/` can name a kind."""
    return bool(_KIND_NAME.fullmatch(name))


def built_in_declaration(name: str) -> KindFields:
    """Return the declaration of a built-in kind.

    A test validates the files. Here they are not, as the validators take longer to make than a
    start may.
    """
    text = (DECLARATIONS / f"{name}.yaml").read_text(encoding="utf-8")
    declared: KindFields = _made(KindFields, yaml.load(text, yaml.CSafeLoader))
    return declared


def _made(model: type[KindFields | FieldDeclaration], values: Mapping[str, Any]) -> Any:
    found = {to_snake(key): each for key, each in values.items()}
    fields = found.pop("fields", {})
    made = {key: _made(FieldDeclaration, each) for key, each in fields.items()}
    return model(**found, fields=made or None)

"""What the front matter of all documents has in common, with the field names of the API.

All fields are optional, because each file is only one layer; None inherits.
`knowledge.checks.content_linter` reports fields that a whole document lacks. Unknown keys are
ignored. The models are slotted dataclasses: the front matter of a post takes 1.8 KB, in pydantic's
`BaseModel` 3.3 KB. Only `parse` validates. The validator of a model is made when it is needed
first, which a start that finds all files parsed before never does.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, ClassVar, Generic, Literal, Self, TypeVar, cast, get_type_hints
from weakref import WeakKeyDictionary, WeakValueDictionary

from pydantic import ConfigDict, TypeAdapter
from pydantic.alias_generators import to_camel
from typing_extensions import dataclass_transform

from knowledge.fields.field_types import (
    AddressList,
    Countries,
    ImagePath,
    Integer,
    LocalizedText,
    Markdown,
    Omittable,
    PlainText,
    RefersTo,
    Slug,
    TextLanguageTag,
    Url,
    UtcDateTime,
    ValidationContext,
)
from knowledge.locales.locale import Country

Model = TypeVar("Model")
Marker = TypeVar("Marker")

_CONFIG = ConfigDict(
    alias_generator=to_camel,
    populate_by_name=True,
    serialize_by_alias=True,
    extra="ignore",
    json_schema_serialization_defaults_required=True,
)


MODELS: dict[str, type[Fields]] = {}
"""All front matter models, by the names of their classes."""


DECLARED_MODELS: WeakValueDictionary[str, type[Fields]] = WeakValueDictionary()
"""The models of declared fields that are in use, by names that tell the declaration."""


@dataclass_transform(frozen_default=True, kw_only_default=True)
def front_matter(declared: type[Model]) -> type[Model]:
    """Make a class a front matter model of the service."""
    model: Any = model_of(declared)
    if MODELS.setdefault(model.__qualname__, model) is not model:
        raise ValueError(f"Two front matter models have the name {model.__qualname__}.")
    return cast("type[Model]", model)


def model_of(declared: type[Model]) -> type[Model]:
    """Make a class a front matter model: camelCase keys, immutable, without `__dict__`."""
    model: Any = dataclasses.dataclass(frozen=True, slots=True, kw_only=True)(declared)
    model.field_names = tuple(field.name for field in dataclasses.fields(model))
    return cast("type[Model]", model)


_ADAPTER = "__adapter__"


def adapter(model: type[Fields]) -> TypeAdapter[Any]:
    """Return what validates, dumps and describes a front matter model.

    It is made once, and stays with its model, which may be one of a declaration that is replaced.
    """
    if _ADAPTER not in vars(model):
        setattr(model, _ADAPTER, TypeAdapter(model))
    return cast("TypeAdapter[Any]", vars(model)[_ADAPTER])


def marked(model: type[object], marker: type[Marker]) -> Mapping[str, Marker]:
    """Return the marks of one type on the fields of a model, by field."""
    return {
        name: annotation
        for name, hint in get_type_hints(model, include_extras=True).items()
        for annotation in getattr(hint, "__metadata__", ())
        if isinstance(annotation, marker)
    }


class Marks(Generic[Marker]):
    """The marks of one type, by field, of the model that is asked.

    They are found when they are needed first: many models are never asked, and the types of fields
    take longer to evaluate than the rest of a model.
    """

    def __init__(self, marker: type[Marker]) -> None:
        self._marker = marker
        self._found: WeakKeyDictionary[type[object], Mapping[str, Marker]] = WeakKeyDictionary()

    def __get__(self, _: object, model: type[object]) -> Mapping[str, Marker]:
        return self.of(model)

    def of(self, model: type[object]) -> Mapping[str, Marker]:
        """Return the marks on the fields of a model."""
        if model not in self._found:
            self._found[model] = marked(model, self._marker)
        return self._found[model]


@front_matter
class Fields:
    """Base of all front matter models.

    Blocks that resources show as they are omit `Omittable` fields without a value, and fill the
    others.
    """

    has_texts: ClassVar[bool] = True
    """Whether documents have texts for readers; without, their language does not matter."""

    keeps_lines: ClassVar[bool] = False
    """Whether checks across files need the lines of keys."""

    merges_by_name: ClassVar[bool] = False
    """Whether models in a mapping merge with those of the same name in other layers."""

    __pydantic_config__: ClassVar[ConfigDict] = _CONFIG

    field_names: ClassVar[tuple[str, ...]]
    references: ClassVar[Marks[RefersTo]] = Marks(RefersTo)
    """The fields that refer to documents."""

    prose: ClassVar[Marks[Markdown]] = Marks(Markdown)
    """The fields whose texts are markdown."""

    refuses_unknown_keys: ClassVar[bool] = False
    """Whether `majlis check` reports keys that the model does not have."""

    @classmethod
    def parse(cls, values: object, context: ValidationContext) -> Self:
        """Return validated front matter; raises pydantic's ValidationError."""
        return cast(Self, adapter(cls).validate_python(values, context=context))

    @classmethod
    def images(cls) -> dict[str, str]:
        """Return the image fields, and the field with the alternative text of each."""
        names = (name.removesuffix("_alt") for name in cls.field_names if name.endswith("_alt"))
        return {name: f"{name}_alt" for name in names}


@front_matter
class PageSeo(Fields):
    """Metadata for search engines, in both languages."""

    title: Omittable[LocalizedText] = None
    """The title for search engines; by default the title."""

    description: Omittable[LocalizedText] = None
    """The description for search engines."""

    keywords: Omittable[LocalizedText] = None
    """Keywords, as one line."""

    no_index: Omittable[bool] = None
    """Keep the page out of search engines."""

    robots_index: Omittable[Literal["index", "noindex"]] = None
    """The same as noIndex, as a keyword."""

    robots_follow: Omittable[Literal["follow", "nofollow"]] = None
    """Whether search engines follow the links."""

    canonical_url: Omittable[Url] = None
    """The canonical URL: `https://…`, or `/path`."""


@front_matter
class Control(Fields):
    """The fields that identify a document and say when it is shown; readers see none of them."""

    slug: Slug | None = None
    """The name in URLs; by default from the file name."""

    aliases: AddressList | None = None
    """Former addresses of the page, which lead to it."""

    id: PlainText | None = None
    """The id in the API; by default kind and slug."""

    published: bool | None = None
    """`false` hides the document."""

    published_at: UtcDateTime | None = None
    """Not shown before this time."""

    unpublish_at: UtcDateTime | None = None
    """Not shown from this time on."""

    updated_at: UtcDateTime | None = None
    """When the document last changed."""

    countries: Countries | None = None
    """The countries in which it is published, by code; by default all."""

    lang: TextLanguageTag = None
    """The language of a file without language suffix."""


@front_matter
class Common(Control):
    """Fields of all documents."""

    title: LocalizedText | None = None
    """The title."""

    heading: LocalizedText | None = None
    """The heading on the page; by default the title."""

    sort_order: Integer | None = None
    """The position in lists, smallest first."""

    template: PlainText | None = None
    """Passed to the frontend."""

    short_description: LocalizedText | None = None
    """One or two sentences."""

    seo: PageSeo | None = None
    """Metadata for search engines."""

    @property
    def short_title(self) -> LocalizedText | None:
        """The text that stands for a missing title."""
        return None

    @property
    def long_description(self) -> LocalizedText | None:
        """The text that stands for a missing short description."""
        return None

    @property
    def only_country(self) -> Country | None:
        """The one country in which the document is shown; None for all."""
        return None


@front_matter
class Named(Common):
    """Fields of documents that have a name beside their title."""

    name: LocalizedText | None = None
    """The name; by default the title."""

    @property
    def short_title(self) -> LocalizedText | None:
        """The name."""
        return self.name


@front_matter
class PageFields(Common):
    """A page of one document."""

    icon: ImagePath = None
    """The picture beside the title in lists."""

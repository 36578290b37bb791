"""Content types: the folders of a content folder, with the schema of their front matter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Generic

from pydantic.alias_generators import to_camel, to_snake
from typing_extensions import TypeVar

from knowledge.fields.blog_fields import AuthorFields, BlogFields, CategoryFields, PostFields
from knowledge.fields.form_fields import FormDeclaration
from knowledge.fields.front_matter import Common, PageFields
from knowledge.fields.kind_fields import DECLARATIONS, KindFields, built_in_declaration
from knowledge.fields.own_fields import declared_fields, extended, model_of_kind, needed_of_kind
from knowledge.fields.settings_fields import (
    CountryFields,
    HomeFields,
    NavigationFields,
    SettingsFields,
    TestimonialsFields,
)
from knowledge.fields.site_fields import ContactFormFields, WordsFields
from knowledge.fields.theme_fields import ThemeFields

_TITLE, _NAME = (("title",),), (("name", "title"),)

Fields_co = TypeVar("Fields_co", bound=Common, covariant=True, default=Common)


@dataclass(frozen=True, eq=False, slots=True)
class Singleton(Generic[Fields_co]):
    """A document that exists once, with a front matter model of its own."""

    slug: str
    fields: type[Fields_co]


SETTINGS = Singleton("settings", SettingsFields)
HOME = Singleton("home", HomeFields)
NAVIGATION = Singleton("navigation", NavigationFields)
BLOG = Singleton("blog", BlogFields)
TESTIMONIALS = Singleton("testimonials", TestimonialsFields)
THEME = Singleton("theme", ThemeFields)
WORDS = Singleton("words", WordsFields)
CONTACT_FORM = Singleton("contact-form", ContactFormFields)


_SUMMARIES = {"description": "shortDescription", "summary": "shortDescription"}


@dataclass(frozen=True, eq=False, kw_only=True)
class ContentType(Generic[Fields_co]):
    """The type of the documents in one folder.

    `singular` names one document in the API's `contentType` and in ids. `fields` is the model of
    the front matter; `singletons` has other models by slug, for a folder whose documents all
    differ.
    """

    folder: str
    fields: type[Fields_co]
    singular: str
    singletons: Mapping[str, type[Common]] = field(default_factory=dict)
    falls_back: bool = True
    """Whether the other language is shown to readers without a text of their own."""

    needs_base: bool = True
    """Whether `majlis check` reports an override without a base document."""

    is_named_by_file: bool = False
    """Whether the file name alone identifies a document, so that `slug` is ignored."""

    has_dated_names: bool = False
    """Whether a file name may begin with a date of publication: `2026-05-01-hello.md`."""

    has_sections: bool = True
    """Whether a body has sections, to which links may lead."""

    is_nested: bool = False
    """Whether slugs have the folders of files: `guide/setup` for `docs/guide/setup.md`."""

    has_root: bool = False
    """Whether it has the files that are in the folder of no type."""

    page_slugs: tuple[str, ...] = ()
    """The documents that have a page of their own, if not all have one."""

    required: tuple[tuple[str, ...], ...] = ()
    """The fields that a document needs: of each tuple, at least one, or a `body`."""

    declaration: str = ""
    """The version of the site's declaration that it is made from, `""` for a built-in type."""

    declared: KindFields | None = None
    """The declaration, None for a type that is code."""

    aliases: Mapping[str, str] = field(default_factory=_SUMMARIES.copy)
    """Keys of other generators, and the keys that they stand for."""

    def __post_init__(self) -> None:
        """Refuse a model without its decorator, and names of fields that it does not have."""
        if "field_names" not in vars(self.fields):
            raise ValueError(f"Write @front_matter above the class {self.fields.__name__}.")
        named = {name for names in self.required for name in names} - {"body"}
        others = (name for each in self.singletons.values() for name in each.field_names)
        keys = set(map(to_camel, (*self.fields.field_names, *others)))
        unknown = (set(map(to_camel, named)) | {*self.aliases.values()}) - keys
        if unknown:
            raise ValueError(f"{self.fields.__name__} has no key {', '.join(sorted(unknown))}.")

    def __str__(self) -> str:
        """Return the name of the folder."""
        return self.folder

    def __eq__(self, other: object) -> bool:
        """Compare by folder: a site may have a type with further fields in place of a built-in."""
        return self is other or (isinstance(other, ContentType) and other.folder == self.folder)

    def __hash__(self) -> int:
        """Hash by folder."""
        return hash(self.folder)

    def __lt__(self, other: ContentType) -> bool:
        """Order types by folder."""
        return self.folder < other.folder

    def model_for(self, slug: str) -> type[Common]:
        """Return the front matter model of a document."""
        return self.singletons.get(slug, self.fields)


AnyContentType = ContentType[Common]
"""A content type whose front matter model is not known."""


class ContentTypes:
    """All content types by folder, in the order of their declaration."""

    def __init__(self, types: Iterable[AnyContentType] = ()) -> None:
        self._by_folder = {each.folder: each for each in types}

    def declare(self, content_type: ContentType[Fields_co]) -> ContentType[Fields_co]:
        """Add a type and return it; raises ValueError if its folder is taken."""
        if content_type.folder in self._by_folder:
            raise ValueError(f"The folder {content_type.folder}/ has two content types.")
        file = DECLARATIONS / f"{content_type.folder}.yaml"
        if content_type.declared is None and file.is_file():
            content_type = with_fields(content_type, built_in_declaration(content_type.folder))
        self._by_folder[content_type.folder] = content_type
        return content_type

    def extended(self, types: Iterable[AnyContentType]) -> ContentTypes:
        """Return these types with others, which replace those of the same folders."""
        return ContentTypes((*self, *types))

    def of_folder(self, folder: str) -> AnyContentType | None:
        """Return the type of a folder, or None."""
        return self._by_folder.get(folder)

    def named(self, folder: str) -> AnyContentType:
        """Return the type of a folder; raises KeyError if there is none."""
        return self._by_folder[folder]

    @cached_property
    def of_root(self) -> AnyContentType | None:
        """The type of the files that are in the folder of no type, or None."""
        return next((each for each in self if each.has_root), None)

    def __iter__(self) -> Iterator[AnyContentType]:
        """Iterate over all types."""
        return iter(self._by_folder.values())


CONTENT_TYPES = ContentTypes()


def kind_type(
    folder: str, singular: str, declared: KindFields, version: str = "", **more: Any
) -> ContentType[Any]:
    """Return the type of a declared kind; a built-in one has no version of its declaration."""
    return ContentType(
        folder=folder,
        singular=singular,
        fields=model_of_kind(folder, version, declared),
        required=needed_of_kind(declared),
        falls_back=declared.falls_back is not False,
        declaration=version,
        declared=declared,
        aliases={**_SUMMARIES, **snake_keys(declared)},
        **more,
    )


def with_fields(
    built_in: ContentType[Any], declared: KindFields, version: str = ""
) -> ContentType[Any]:
    """Return a built-in type with further declared fields, which pages show."""
    fields = declared_fields(declared)
    required = ((each.attribute,) for each in fields if each.declaration.required)
    return replace(
        built_in,
        fields=extended(built_in.fields, f"{built_in}@{version}", fields),
        required=(*built_in.required, *required),
        aliases={**built_in.aliases, **snake_keys(declared)},
        declaration=version,
    )


def snake_keys(declared: KindFields) -> Mapping[str, str]:
    """Return the keys of declared fields by how other systems write them, such as `price_from`."""
    keys = ((to_snake(key), key) for key in declared.fields or ())
    return {snake: key for snake, key in keys if snake != key}


def _built_in(folder: str, singular: str, **more: Any) -> ContentType[Any]:
    declared = built_in_declaration(folder)
    return CONTENT_TYPES.declare(kind_type(folder, singular, declared, **more))


SITE = CONTENT_TYPES.declare(
    ContentType(
        folder="site",
        singular="site",
        fields=Common,
        singletons={
            each.slug: each.fields
            for each in (SETTINGS, HOME, NAVIGATION, BLOG, TESTIMONIALS, THEME, WORDS, CONTACT_FORM)
        },
        is_named_by_file=True,
        aliases={**_SUMMARIES, "demoCta": "callToAction"},  # its name in the API
    )
)
KIND = CONTENT_TYPES.declare(
    ContentType(folder="_kinds", singular="kind", fields=KindFields, is_named_by_file=True)
)
COUNTRY = CONTENT_TYPES.declare(
    ContentType(folder="countries", singular="country", fields=CountryFields)
)
CITY = _built_in("cities", "city", is_named_by_file=True)
PAGE = CONTENT_TYPES.declare(
    ContentType(folder="pages", singular="page", fields=PageFields, required=_TITLE)
)
REGISTRY = CONTENT_TYPES.declare(
    ContentType(
        folder="registry",
        singular="registry",
        fields=PageFields,
        required=_TITLE,
        page_slugs=("erp", "solutions", "business-models", "faqs", "contact", "industries"),
    )
)
FORM = CONTENT_TYPES.declare(
    ContentType(
        folder="forms",
        singular="form",
        fields=FormDeclaration,
        required=(("title",), ("fields",)),
    )
)
MODULE = _built_in("modules", "module")
INDUSTRY = _built_in("industries", "industry")
POST = CONTENT_TYPES.declare(
    ContentType(
        folder="posts",
        singular="post",
        fields=PostFields,
        required=_TITLE,
        falls_back=False,
        needs_base=False,
        has_dated_names=True,
        has_sections=False,
        aliases={
            **dict.fromkeys(("description", "summary"), "excerpt"),
            **dict.fromkeys(
                ("cover", "hero", "heroImage", "image", "ogImage", "featured_image", "thumbnail"),
                "coverImage",
            ),
            **dict.fromkeys(
                ("coverAlt", "heroAlt", "heroImageAlt", "imageAlt", "image_alt", "cover_alt"),
                "coverImageAlt",
            ),
            **dict.fromkeys(("author", "by"), "authors"),
        },
    )
)
_term = partial(
    ContentType[CategoryFields], fields=CategoryFields, falls_back=False, required=_NAME, aliases={}
)
CATEGORY = CONTENT_TYPES.declare(_term(folder="categories", singular="category"))
TAG = CONTENT_TYPES.declare(_term(folder="tags", singular="tag"))
AUTHOR = CONTENT_TYPES.declare(
    ContentType(
        folder="authors",
        singular="author",
        fields=AuthorFields,
        has_sections=False,
        required=_NAME,
        aliases={},
    )
)
TESTIMONIAL = _built_in("testimonials", "testimonial")
PRODUCT = _built_in("products", "product")
OPTIONAL_KINDS = (MODULE, INDUSTRY, PRODUCT, CITY, TESTIMONIAL)
"""The built-in kinds that a site has only if its content has them."""


def content_folders() -> list[str]:
    """Return the names of the folders that hold documents."""
    return [content_type.folder for content_type in CONTENT_TYPES]

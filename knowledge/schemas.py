"""Front matter schemas of the content types, with the field names of the API.

All fields are optional, because each file is only one layer; None inherits. `knowledge.checks`
reports fields that a whole document lacks. Unknown keys are ignored. The models are slotted
dataclasses: the front matter of a post takes 1.8 KB, in pydantic's `BaseModel` 3.3 KB.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Generic, Literal, Self, TypeVar, cast, get_type_hints

from pydantic import ConfigDict, Field, TypeAdapter
from pydantic.alias_generators import to_camel
from pydantic.dataclasses import dataclass
from typing_extensions import dataclass_transform

from knowledge.fields import (
    Countries,
    CountryCode,
    Currency,
    FirstText,
    ImagePath,
    Integer,
    LanguageTag,
    LocalizedText,
    Omittable,
    PlainText,
    Price,
    RefersTo,
    Shown,
    Slug,
    TextLanguageTag,
    TextList,
    UriText,
    Url,
    UtcDateTime,
    ValidationContext,
)
from knowledge.locale import Country

Model = TypeVar("Model")
Text = TypeVar("Text")
Marker = TypeVar("Marker")

_CONFIG = ConfigDict(
    alias_generator=to_camel,
    populate_by_name=True,
    serialize_by_alias=True,
    extra="ignore",
    json_schema_serialization_defaults_required=True,
)


@dataclass_transform(frozen_default=True, kw_only_default=True)
def front_matter(declared: type[Model]) -> type[Model]:
    """Make a class a front matter model: camelCase keys, immutable, without `__dict__`."""
    model: Any = dataclass(frozen=True, slots=True, kw_only=True, config=_CONFIG)(declared)
    model.field_names = tuple(field.name for field in dataclasses.fields(model))
    model.adapter = TypeAdapter(model)
    model.references = _marked(model, RefersTo)
    model.shown = _marked(model, Shown)
    return cast("type[Model]", model)


def _marked(model: type[object], marker: type[Marker]) -> Mapping[str, Marker]:
    return {
        name: annotation
        for name, hint in get_type_hints(model, include_extras=True).items()
        for annotation in getattr(hint, "__metadata__", ())
        if isinstance(annotation, marker)
    }


@front_matter
class Fields:
    """Base of all front matter models.

    Blocks that resources show as they are omit `Omittable` fields without a value, and fill the
    others.
    """

    field_names: ClassVar[tuple[str, ...]]
    adapter: ClassVar[TypeAdapter[Any]]
    references: ClassVar[Mapping[str, RefersTo]]
    """The fields that refer to documents."""

    shown: ClassVar[Mapping[str, Shown]]
    """The fields that resources show without a place of their own."""

    @classmethod
    def parse(cls, values: object, context: ValidationContext) -> Self:
        """Return validated front matter; raises pydantic's ValidationError."""
        return cast(Self, cls.adapter.validate_python(values, context=context))

    @classmethod
    def images(cls) -> dict[str, str]:
        """Return the image fields, and the field with the alternative text of each."""
        names = (name.removesuffix("_alt") for name in cls.field_names if name.endswith("_alt"))
        return {name: f"{name}_alt" for name in names}


@front_matter
class PageSeo(Fields):
    """Metadata for search engines, in both languages."""

    title: Omittable[LocalizedText] = None
    description: Omittable[LocalizedText] = None
    keywords: Omittable[LocalizedText] = None
    no_index: Omittable[bool] = None
    robots_index: Omittable[Literal["index", "noindex"]] = None
    robots_follow: Omittable[Literal["follow", "nofollow"]] = None
    canonical_url: Omittable[Url] = None


@front_matter
class Control(Fields):
    """The fields that identify a document and say when it is shown; readers see none of them."""

    slug: Slug | None = None
    id: PlainText | None = None
    published: bool | None = None
    published_at: UtcDateTime | None = None
    unpublish_at: UtcDateTime | None = None
    updated_at: UtcDateTime | None = None
    countries: Countries | None = None
    lang: TextLanguageTag = None


@front_matter
class Common(Control):
    """Fields of all documents."""

    title: LocalizedText | None = None
    heading: LocalizedText | None = None
    sort_order: Integer | None = None
    template: PlainText | None = None
    short_description: LocalizedText | None = None
    seo: PageSeo | None = None

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

    @property
    def short_title(self) -> LocalizedText | None:
        """The name."""
        return self.name


@front_matter
class LinkFields(Fields):
    """One menu link; `href` is a site path without locale, or a URL."""

    id: PlainText | None = None
    label: LocalizedText | None = None
    href: PlainText | None = None
    active: bool | None = None
    sort_order: Integer | None = None


@front_matter
class FooterColumn(Fields):
    """A footer column: a titled list of links."""

    title: LocalizedText | None = None
    links: list[LinkFields] | None = None


@front_matter
class Hero(Fields):
    """The hero block of the home page."""

    title: Omittable[LocalizedText] = None
    sub: Omittable[LocalizedText] = None
    body: Omittable[LocalizedText] = None


@front_matter
class StatItem(Fields):
    """One statistic."""

    id: PlainText | None = None
    value: PlainText | None = None
    label: Omittable[LocalizedText] = None


@front_matter
class Stats(Fields):
    """A block of statistics."""

    title: Omittable[LocalizedText] = None
    items: list[StatItem] | None = None


@front_matter
class About(Fields):
    """The about block: a title and paragraphs."""

    title: Omittable[LocalizedText] = None
    paragraphs: list[LocalizedText] | None = None


@front_matter
class Toggle(Fields):
    """A block that can be disabled; its items are other documents."""

    enabled: bool | None = None
    title: LocalizedText | None = None


@front_matter
class Header(Fields):
    """The site header."""

    logo_url: ImagePath = None


@front_matter
class SiteSeo(Fields):
    """The default title and description of the site."""

    page_title: Omittable[LocalizedText] = None
    meta_description: Omittable[LocalizedText] = None


@front_matter
class CompanySettings(Fields):
    """The company's contact data, logo and social profiles."""

    primary_email: Omittable[PlainText] = None
    phone_display: Omittable[PlainText] = None
    office_address: Omittable[LocalizedText] = None
    logo_url: Omittable[ImagePath] = None
    facebook_url: Omittable[UriText] = None
    linkedin_url: Omittable[UriText] = None


@front_matter
class TestimonialsSection(Fields, Generic[Text]):
    """The texts of the block that shows testimonials on other pages."""

    enabled: bool | None = None
    eyebrow: Omittable[Text] = None
    heading: Omittable[Text] = None
    supporting_text: Omittable[Text] = None
    view_all_label: Omittable[Text] = None
    view_all_url: Omittable[PlainText] = None
    show_view_all: Omittable[bool] = None


@front_matter
class TestimonialsPage(Fields, Generic[Text]):
    """The texts of the page that lists all testimonials."""

    enabled: bool | None = None
    title: Omittable[Text] = None
    intro: Omittable[Text] = None
    seo_title: Omittable[Text] = None
    seo_description: Omittable[Text] = None


@front_matter
class SettingsFields(Common):
    """`site/settings.md`; its `seo` applies to the whole site."""

    header: Header | None = None
    site_settings: CompanySettings | None = None
    currency: Currency | None = None
    seo: SiteSeo | None = None  # type: ignore[assignment]  # other keys than on pages


@front_matter
class HomeFields(Common):
    """`site/home.md`."""

    hero: Hero | None = None
    stats: Stats | None = None
    modules: Toggle | None = None
    industries: Toggle | None = None
    about: About | None = None
    testimonials: Toggle | None = None
    demo_cta: Toggle | None = None


@front_matter
class NavigationFields(Common):
    """`site/navigation.md`."""

    header_links: list[LinkFields] | None = None
    footer_columns: list[FooterColumn] | None = None


@front_matter
class BlogFields(Common):
    """`site/blog.md`."""

    section: Toggle | None = None
    homepage: Toggle | None = None


@front_matter
class TestimonialsFields(Common):
    """`site/testimonials.md`."""

    section: TestimonialsSection[LocalizedText] | None = None
    page: TestimonialsPage[LocalizedText] | None = None
    schema_version: Integer | None = None


@front_matter
class CountryFields(Named):
    """`countries/`; name and currency default to those of CLDR."""

    code: CountryCode | None = None
    enabled: bool | None = None
    default_lang: LanguageTag | None = None
    currency: Currency | None = None
    vat_rate: Price | None = None


@front_matter
class CityFields(Named):
    """`cities/`."""

    country_code: CountryCode | None = None
    focus: LocalizedText | None = None
    industries: Annotated[TextList | None, RefersTo("industries")] = None
    services: TextList | None = None

    @property
    def only_country(self) -> Country | None:
        """The city's country."""
        return self.country_code


@front_matter
class PageFields(Common):
    """`pages/`, `registry/` and `modules/`."""


@front_matter
class IndustryFields(Named):
    """`industries/`."""


@front_matter
class PostFields(Common):
    """`posts/`."""

    excerpt: LocalizedText | None = None
    category: Annotated[FirstText, RefersTo("categories")] = None
    tags: TextList | None = None
    cover_image: ImagePath = None
    cover_image_alt: LocalizedText | None = None


@front_matter
class CategoryFields(Named):
    """`categories/`."""

    description: LocalizedText | None = None

    @property
    def long_description(self) -> LocalizedText | None:
        """The description."""
        return self.description


@front_matter
class TestimonialFields(Common):
    """`testimonials/`."""

    quote: LocalizedText | None = None
    customer_name: LocalizedText | None = None
    designation: LocalizedText | None = None
    company: LocalizedText | None = None
    image: ImagePath = None
    image_alt: LocalizedText | None = None
    industry: LocalizedText | None = None
    city: LocalizedText | None = None
    country: LocalizedText | None = None
    rating: Annotated[float, Field(ge=1, le=5)] | None = None
    verified: bool | None = None
    featured_on_homepage: bool | None = None


@front_matter
class Spec(Fields):
    """One line of a product's specifications."""

    name: LocalizedText | None = None
    value: LocalizedText | None = None


@front_matter
class ProductFields(Common):
    """`products/`."""

    id: Annotated[Integer, Field(ge=1)] | None = None  # type: ignore[assignment]  # cursor of the partner API
    sku: PlainText | None = None
    barcode: PlainText | None = None
    brand: PlainText | None = None
    product_category: PlainText | None = None
    prices: dict[Currency, Price] | None = None
    tax_category: Literal["S", "Z", "E", "O", "AE"] | None = None
    stock: Annotated[Integer, Field(ge=0)] | None = None
    active: bool | None = None
    image: ImagePath = None
    image_alt: LocalizedText | None = None
    specs: list[Spec] | None = None

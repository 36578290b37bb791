"""Front matter schemas of the content types, with the field names of the API.

All fields are optional, because each file is only one layer. `knowledge.checks` reports fields
that a whole document lacks. Unknown keys are ignored.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from knowledge.fields import (
    Countries,
    CountryCode,
    Currency,
    ImagePath,
    Integer,
    LanguageTag,
    LocalizedText,
    PlainText,
    Price,
    Slug,
    TextList,
    Url,
    UtcDateTime,
)


class Fields(BaseModel):
    """Base of all front matter models: camelCase keys; absent or null values inherit."""

    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, extra="ignore", frozen=True
    )


class Seo(Fields):
    """Metadata of a page for search engines."""

    title: LocalizedText | None = None
    description: LocalizedText | None = None
    keywords: LocalizedText | None = None
    no_index: bool | None = None
    robots_index: Literal["index", "noindex"] | None = None
    robots_follow: Literal["follow", "nofollow"] | None = None
    canonical_url: Url | None = None


class Common(Fields):
    """Fields of all documents."""

    title: LocalizedText | None = None
    heading: LocalizedText | None = None
    slug: Slug | None = None
    id: PlainText | None = None
    published: bool | None = None
    published_at: UtcDateTime | None = None
    unpublish_at: UtcDateTime | None = None
    updated_at: UtcDateTime | None = None
    countries: Countries | None = None
    lang: LanguageTag | None = None
    sort_order: Integer | None = None
    template: PlainText | None = None
    short_description: LocalizedText | None = None
    seo: Seo | None = None


class LinkFields(Fields):
    """One menu link; `href` is a site path without locale, or a URL."""

    id: PlainText | None = None
    label: LocalizedText | None = None
    href: PlainText | None = None
    active: bool | None = None
    sort_order: Integer | None = None


class FooterColumn(Fields):
    """A footer column: a titled list of links."""

    title: LocalizedText | None = None
    links: list[LinkFields] | None = None


class Stat(Fields):
    """One figure of the home page."""

    id: PlainText | None = None
    value: PlainText | None = None
    label: LocalizedText | None = None


class Hero(Fields):
    """The hero block of the home page."""

    title: LocalizedText | None = None
    sub: LocalizedText | None = None
    body: LocalizedText | None = None


class Stats(Fields):
    """A titled list of figures."""

    title: LocalizedText | None = None
    items: list[Stat] | None = None


class Titled(Fields):
    """A block with a title; its items are other documents."""

    title: LocalizedText | None = None


class About(Fields):
    """A titled list of paragraphs."""

    title: LocalizedText | None = None
    paragraphs: list[LocalizedText] | None = None


class Toggle(Fields):
    """A block that can be disabled."""

    enabled: bool | None = None
    title: LocalizedText | None = None


class Header(Fields):
    """The site header."""

    logo_url: ImagePath = None


class SettingsSeo(Fields):
    """The title and description of the site."""

    page_title: LocalizedText | None = None
    meta_description: LocalizedText | None = None


class CompanySettings(Fields):
    """Contact details of the company."""

    primary_email: PlainText | None = None
    phone_display: PlainText | None = None
    office_address: LocalizedText | None = None
    logo_url: ImagePath = None
    facebook_url: PlainText | None = None
    linkedin_url: PlainText | None = None


class TestimonialsSection(Fields):
    """The testimonials block on other pages."""

    enabled: bool | None = None
    eyebrow: LocalizedText | None = None
    heading: LocalizedText | None = None
    supporting_text: LocalizedText | None = None
    view_all_label: LocalizedText | None = None
    view_all_url: PlainText | None = None
    show_view_all: bool | None = None


class TestimonialsPage(Fields):
    """The page that lists all testimonials."""

    enabled: bool | None = None
    title: LocalizedText | None = None
    intro: LocalizedText | None = None
    seo_title: LocalizedText | None = None
    seo_description: LocalizedText | None = None


class Site(Common):
    """The single documents of `site/`; each file uses the keys for its name."""

    header: Header | None = None
    site_settings: CompanySettings | None = None
    header_links: list[LinkFields] | None = None
    footer_columns: list[FooterColumn] | None = None
    hero: Hero | None = None
    stats: Stats | None = None
    modules: Titled | None = None
    industries: Titled | None = None
    about: About | None = None
    testimonials: Toggle | None = None
    demo_cta: Toggle | None = None
    homepage: Toggle | None = None
    schema_version: Integer | None = None


class SettingsFields(Site):
    """`site/settings.md`; its `seo` applies to the whole site."""

    seo: SettingsSeo | None = None  # type: ignore[assignment]  # other keys than on pages


class BlogFields(Site):
    """`site/blog.md`."""

    section: Toggle | None = None


class TestimonialsFields(Site):
    """`site/testimonials.md`."""

    section: TestimonialsSection | None = None
    page: TestimonialsPage | None = None


class CountryFields(Common):
    """`countries/`; name and currency default to those of CLDR."""

    code: CountryCode | None = None
    enabled: bool | None = None
    default_lang: LanguageTag | None = None
    name: LocalizedText | None = None
    currency: Currency | None = None
    vat_rate: Price | None = None


class CityFields(Common):
    """`cities/`."""

    country_code: CountryCode | None = None
    name: LocalizedText | None = None
    focus: LocalizedText | None = None
    industries: TextList | None = None
    services: TextList | None = None


class PageFields(Common):
    """`pages/`, `registry/` and `modules/`."""


class IndustryFields(Common):
    """`industries/`."""

    name: LocalizedText | None = None


class PostFields(Common):
    """`posts/`."""

    excerpt: LocalizedText | None = None
    category: PlainText | None = None
    tags: TextList | None = None
    cover_image: ImagePath = None
    cover_image_alt: LocalizedText | None = None


class CategoryFields(Common):
    """`categories/`."""

    name: LocalizedText | None = None
    description: LocalizedText | None = None


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


class Spec(Fields):
    """One line of a product's specifications."""

    name: LocalizedText | None = None
    value: LocalizedText | None = None


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

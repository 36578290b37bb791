"""Front matter schemas of the content types, with the field names of the API.

All fields are optional, because each file is only one layer; None inherits.
`knowledge.checks.content_checks` reports fields that a whole document lacks. Unknown keys are
ignored. The models are slotted dataclasses: the front matter of a post takes 1.8 KB, in pydantic's
`BaseModel` 3.3 KB. Only `parse` validates. The validator of a model is made when it is needed
first, which a start that finds all files parsed before never does.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Generic, Literal, Self, TypeVar, cast, get_type_hints
from weakref import WeakKeyDictionary, WeakValueDictionary

from pydantic import BeforeValidator, ConfigDict, Field, TypeAdapter
from pydantic.alias_generators import to_camel
from typing_extensions import dataclass_transform

from knowledge.fields.field_types import (
    MARKDOWN,
    AddressList,
    ContactUrl,
    Countries,
    CountryCode,
    Currency,
    FirstText,
    ImagePath,
    Integer,
    LanguageTag,
    LocalizedText,
    Markdown,
    NameList,
    Omittable,
    PhoneNumber,
    PlainText,
    Price,
    RefersTo,
    Shown,
    SitePath,
    Slug,
    TextLanguageTag,
    TextList,
    Url,
    UtcDateTime,
    ValidationContext,
    author_entries,
)
from knowledge.fields.json_schemas import AUTHORS, written
from knowledge.fields.prices import PriceDisplay
from knowledge.locales.locale import Country

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

    __pydantic_config__: ClassVar[ConfigDict] = _CONFIG

    field_names: ClassVar[tuple[str, ...]]
    references: ClassVar[Marks[RefersTo]] = Marks(RefersTo)
    """The fields that refer to documents."""

    shown: ClassVar[Marks[Shown]] = Marks(Shown)
    """The fields that resources show without a place of their own."""

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
class LinkFields(Fields):
    """One menu link; `href` is a site path without locale, or a URL."""

    id: PlainText | None = None
    """The id of the link in the API."""

    label: LocalizedText | None = None
    """The text of the link."""

    href: PlainText | None = None
    """A path without locale, such as `/pricing`, or a URL."""

    active: bool | None = None
    """`false` hides the link."""

    sort_order: Integer | None = None
    """The position in the menu, smallest first."""


@front_matter
class FooterColumn(Fields):
    """A footer column: a titled list of links."""

    title: LocalizedText | None = None
    """The title of the column."""

    links: list[LinkFields] | None = None
    """The links of the column."""


@front_matter
class Hero(Fields):
    """The hero block of the home page."""

    title: Omittable[LocalizedText] = None
    """The large text."""

    sub: Annotated[Omittable[LocalizedText], MARKDOWN] = None
    """The text below it."""

    body: Annotated[Omittable[LocalizedText], MARKDOWN] = None
    """The paragraph below both."""


@front_matter
class StatItem(Fields):
    """One statistic."""

    id: PlainText | None = None
    """The id of the figure in the API."""

    value: PlainText | None = None
    """The figure."""

    label: Omittable[LocalizedText] = None
    """What the figure counts."""


@front_matter
class Stats(Fields):
    """A block of statistics."""

    title: Omittable[LocalizedText] = None
    """The title of the block."""

    items: list[StatItem] | None = None
    """The figures."""


@front_matter
class About(Fields):
    """The about block: a title and paragraphs."""

    title: Omittable[LocalizedText] = None
    """The title of the block."""

    paragraphs: Annotated[list[LocalizedText] | None, MARKDOWN] = None
    """The paragraphs of the block."""


@front_matter
class Toggle(Fields):
    """A block that can be disabled; its items are other documents."""

    enabled: bool | None = None
    """`false` hides the block."""

    title: LocalizedText | None = None
    """The title of the block."""


@front_matter
class Header(Fields):
    """The site header."""

    logo_url: ImagePath = None
    """The logo in the header."""


@front_matter
class SiteSeo(Fields):
    """The default title and description of the site."""

    page_title: Omittable[LocalizedText] = None
    """The title of the site: its name, then ` | ` and a claim."""

    meta_description: Omittable[LocalizedText] = None
    """The description of the site for search engines."""


@front_matter
class CompanySettings(Fields):
    """The company's contact data, registrations, logo and social profiles."""

    primary_email: Omittable[PlainText] = None
    """The e-mail address of the company."""

    phone_display: Omittable[PhoneNumber] = None
    """The telephone number, as shown."""

    whatsapp: Omittable[PhoneNumber] = None
    """The number on WhatsApp, as shown."""

    office_address: Omittable[LocalizedText] = None
    """The postal address."""

    hours: Omittable[LocalizedText] = None
    """When the office is open, as one line."""

    map_url: Omittable[ContactUrl] = None
    """The office on a map."""

    commercial_registration: Omittable[PlainText] = None
    """The number in the commercial register."""

    vat_number: Omittable[PlainText] = None
    """The VAT number, as on invoices."""

    logo_url: Omittable[ImagePath] = None
    """The logo of the company."""

    facebook_url: Omittable[ContactUrl] = None
    """The profile on Facebook."""

    linkedin_url: Omittable[ContactUrl] = None
    """The profile on LinkedIn."""

    x_url: Omittable[ContactUrl] = None
    """The profile on X."""

    instagram_url: Omittable[ContactUrl] = None
    """The profile on Instagram."""

    youtube_url: Omittable[ContactUrl] = None
    """The channel on YouTube."""

    snapchat_url: Omittable[ContactUrl] = None
    """The profile on Snapchat."""

    enquiry_reply: Annotated[Omittable[LocalizedText], MARKDOWN] = None
    """What happens after an enquiry, and when; shown once the contact form is sent."""


@front_matter
class TestimonialsSection(Fields, Generic[Text]):
    """The texts of the block that shows testimonials on other pages."""

    enabled: bool | None = None
    """`false` hides the block."""

    eyebrow: Omittable[Text] = None
    """The small text above the heading."""

    heading: Omittable[Text] = None
    """The heading."""

    supporting_text: Omittable[Text] = None
    """The text below the heading."""

    view_all_label: Omittable[Text] = None
    """The text of the link to all testimonials."""

    view_all_url: Omittable[PlainText] = None
    """Where that link leads."""

    show_view_all: Omittable[bool] = None
    """Whether that link is shown."""


@front_matter
class TestimonialsPage(Fields, Generic[Text]):
    """The texts of the page that lists all testimonials."""

    enabled: bool | None = None
    """`false` hides the page."""

    title: Omittable[Text] = None
    """The heading."""

    intro: Omittable[Text] = None
    """The text below the heading."""

    seo_title: Omittable[Text] = None
    """The title for search engines."""

    seo_description: Omittable[Text] = None
    """The description for search engines."""


@front_matter
class AgentGuide(Fields):
    """What llms.txt tells agents; `{site}` and `{country}` in a text become their names."""

    use: LocalizedText | None = None
    """When to use the site, in `/llms.txt`."""

    use_in_country: LocalizedText | None = None
    """When to use it, in the `llms.txt` of a country and language."""

    limits: LocalizedText | None = None
    """What the site does not offer, in `/llms.txt`."""

    limits_with_mcp: LocalizedText | None = None
    """What it does not offer while its MCP server runs; `limits` by default."""

    question: LocalizedText | None = None
    """A question that the site answers, as the example of a search."""


@front_matter
class SettingsFields(Common):
    """`site/settings.md`; its `seo` applies to the whole site."""

    header: Header | None = None
    """The header of all pages."""

    site_settings: CompanySettings | None = None
    """The company."""

    currency: Currency | None = None
    """The ISO 4217 code of prices on a site without countries."""

    prices: PriceDisplay | None = None
    """`inclusive` shows prices with VAT first, as consumers pay them; else those without it."""

    schema_type: PlainText | None = None
    """The type of schema.org that the company has, such as `Restaurant`."""

    trial_url: Url | None = None
    """Where visitors sign up for a trial; the calls of plans lead there."""

    booking_url: Url | None = None
    """Where visitors book an appointment; the calls of plans lead there."""

    product_categories: dict[PlainText, LocalizedText] | None = None
    """The names of the groups in the catalogue, by `productCategory`."""

    product_delivery: LocalizedText | None = None
    """How products are delivered that do not say."""

    product_warranty: LocalizedText | None = None
    """How long products are under warranty that do not say."""

    hijri: bool | None = None
    """`true` reads years from 1300 to 1500 in dates as those of the calendar of Umm al-Qura."""

    page_menu: bool | None = None
    """`false` hides the menu beside titles that copies a page, or opens it in an assistant."""

    private_paths: dict[SitePath, LocalizedText] | None = None
    """Paths that crawlers and agents must not request, each with the reason."""

    agents: AgentGuide | None = None
    """What llms.txt tells agents of the site."""

    web_mcp: bool | None = None
    """`true` declares the search and the contact form as tools of agents in browsers (WebMCP)."""

    seo: SiteSeo | None = None  # type: ignore[assignment]  # other keys than on pages


@front_matter
class KindBlock(Fields):
    """A block of the home page with documents of a declared kind."""

    kind: PlainText | None = None
    """The name of the kind."""

    title: LocalizedText | None = None
    """The title of the block; by default that of the list."""

    limit: Annotated[Integer, Field(ge=1)] | None = None
    """How many documents it shows; by default 3."""


@front_matter
class HomeFields(Common):
    """`site/home.md`."""

    hero: Hero | None = None
    """The block at the top."""

    stats: Stats | None = None
    """The block of figures."""

    kinds: list[KindBlock] | None = None
    """The blocks of declared kinds, in their order."""

    modules: Toggle | None = None
    """The block of modules."""

    industries: Toggle | None = None
    """The block of industries."""

    about: About | None = None
    """The block about the company."""

    testimonials: Toggle | None = None
    """The block of testimonials."""

    call_to_action: Toggle | None = None
    """The last block, with the main button."""


@front_matter
class NavigationFields(Common):
    """`site/navigation.md`."""

    header_links: list[LinkFields] | None = None
    """The links of the main menu."""

    footer_columns: list[FooterColumn] | None = None
    """The columns of the footer."""

    action: PlainText | None = None
    """Where the main button leads, a path without locale; by default to the page `contact`."""


@front_matter
class PostCallToAction(Toggle):
    """The call to action below each post; by default it leads to the page `contact`."""

    text: Annotated[LocalizedText | None, MARKDOWN] = None
    """The sentence below the title."""

    label: LocalizedText | None = None
    """The text of the button."""

    href: PlainText | None = None
    """The target of the button: a path without locale, or a URL."""


@front_matter
class BlogFields(Common):
    """`site/blog.md`."""

    section: Toggle | None = None
    """The page of the blog."""

    homepage: Toggle | None = None
    """The block of posts on the home page."""

    post_cta: PostCallToAction | None = None
    """The call to action below each post."""

    form: PlainText | None = None
    """The name of a form that stands below the lists of posts and each post."""


@front_matter
class TestimonialsFields(Common):
    """`site/testimonials.md`."""

    section: TestimonialsSection[LocalizedText] | None = None
    """The block of testimonials on other pages."""

    page: TestimonialsPage[LocalizedText] | None = None
    """The page of all testimonials."""

    schema_version: Integer | None = None
    """Passed to the frontend."""


@front_matter
class CountryFields(Named):
    """`countries/`; name and currency default to those of CLDR."""

    code: CountryCode | None = None
    """The country; by default the file name."""

    enabled: bool | None = None
    """`false` removes the country from the site."""

    short_name: LocalizedText | None = None
    """The name in titles of pages, such as “UAE”."""

    default_lang: LanguageTag | None = None
    """The language of readers without a preference."""

    currency: Currency | None = None
    """The ISO 4217 code of the currency."""

    vat_rate: Price | None = None
    """The VAT rate in percent."""

    prices: PriceDisplay | None = None
    """Replaces `prices` of `site/settings.md`."""


@front_matter
class PageFields(Common):
    """A page of one document."""

    icon: ImagePath = None
    """The picture beside the title in lists."""


@front_matter
class Author(Fields):
    """Who wrote a text."""

    name: LocalizedText
    """The author's name."""

    url: Url | None = None
    """The author's own page."""

    title: LocalizedText | None = None
    """What the author does."""

    image: ImagePath = None
    """A portrait."""


AuthorList = Annotated[list[Author], BeforeValidator(author_entries), written(AUTHORS)]
"""Authors: a name, a mapping with details, or a list of both."""


def distinct_names(first: str | None, others: list[str] | None) -> list[str]:
    """Return names without empty ones and without duplicates, a first one before the others.

    >>> distinct_names("a", ["b", "a"]), distinct_names(None, None)
    (['a', 'b'], [])
    """
    return list(dict.fromkeys(filter(None, (first, *(others or ())))))


@front_matter
class PostFields(Common):
    """`posts/`."""

    excerpt: LocalizedText | None = None
    """What lists show; by default the first paragraph."""

    authors: AuthorList | None = None
    """Who wrote it: names or slugs of authors, or entries of `name` and `url`."""

    category: FirstText = None
    """The main category, by slug or name."""

    categories: NameList | None = None
    """All categories, by slug or name."""

    series: FirstText = None
    """The name of the series that the post is a part of."""

    tags: TextList | None = None
    """Topics; posts with common tags are related."""

    cover_image: ImagePath = None
    """The picture."""

    cover_image_alt: LocalizedText | None = None
    """The alternative text of the picture."""

    @property
    def all_categories(self) -> list[str]:
        """The names of all categories, the main one first."""
        return distinct_names(self.category, self.categories)


@front_matter
class CategoryFields(Named):
    """`categories/`."""

    description: LocalizedText | None = None
    """What the category is about."""

    @property
    def long_description(self) -> LocalizedText | None:
        """The description."""
        return self.description


@front_matter
class AuthorLink(Fields):
    """A profile or site of an author."""

    label: LocalizedText
    """The text of the link."""

    url: Url
    """Its target."""


@front_matter
class AuthorFields(Named):
    """`authors/`; the body is what the author tells about themselves."""

    role: LocalizedText | None = None
    """What the author does."""

    image: ImagePath = None
    """A portrait."""

    image_alt: LocalizedText | None = None
    """The alternative text of the portrait."""

    links: list[AuthorLink] | None = None
    """Profiles and sites of the author."""

    @property
    def long_description(self) -> LocalizedText | None:
        """The role."""
        return self.role

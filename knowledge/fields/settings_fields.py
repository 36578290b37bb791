"""The front matter of the files in `site/`, and of countries."""

from __future__ import annotations

from typing import Annotated, Generic, TypeVar

from pydantic import Field

from knowledge.fields.field_types import (
    MARKDOWN,
    ContactUrl,
    CountryCode,
    Currency,
    ImagePath,
    Integer,
    LanguageTag,
    LocalizedText,
    Omittable,
    PhoneNumber,
    PlainText,
    Price,
    SitePath,
    Url,
)
from knowledge.fields.front_matter import Common, Fields, Named, front_matter
from knowledge.fields.prices import PriceDisplay

Text = TypeVar("Text")


@front_matter
class PlainLinkFields(Fields):
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
class LinkFields(PlainLinkFields):
    """One link of a menu; in the main menu, it may be the name of a list of links."""

    links: list[PlainLinkFields] | None = None
    """In the main menu: links below it. Its own `href`, if it has one, is the first of them."""


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

    announcement: PlainLinkFields | None = None
    """A line above the header, with or without a link."""

    footer_columns: list[FooterColumn] | None = None
    """The columns of the footer."""

    action: PlainText | None = None
    """Where the main button leads, a path without locale; by default to the page `contact`."""


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

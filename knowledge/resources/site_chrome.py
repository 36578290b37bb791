"""What frames every page: header, footer, switchers, and how visitors reach the company."""

from __future__ import annotations

from knowledge.addresses.addresses import Address, resolutions
from knowledge.fields.content_types import SETTINGS
from knowledge.fields.field_types import Omittable, e164
from knowledge.fields.settings_fields import CompanySettings
from knowledge.locales import cldr
from knowledge.locales.locale import Locale, localized_text
from knowledge.resources.base import Resource
from knowledge.resources.listing import canonical_address
from knowledge.resources.site import (
    FooterColumn,
    NavigationLink,
    footer_columns,
    site_settings,
)
from knowledge.views.content_view import ContentView, cached_per_snapshot


class LocaleOption(Resource):
    """One entry of the language or country switcher: the same page in another locale."""

    code: str
    name: str
    path: str
    current: bool


class SiteChrome(Resource):
    """The header and footer of a page."""

    site_title: str
    home_path: str
    logo_url: str | None
    header_links: list[NavigationLink]
    announcement: NavigationLink | None
    footer_columns: list[FooterColumn]
    company: CompanySettings
    contact: CompanyContact
    languages: list[LocaleOption]
    countries: list[LocaleOption]


def site_chrome(view: ContentView, address: Address) -> SiteChrome:
    """Return the header and footer of one page for the view's locale."""
    settings, language = site_settings(view), view.locale.language
    visible = resolutions(view.snapshot, address, view.now)

    def path_in(locale: Locale) -> str:
        """Return the page's path in a locale; if it is not visible there, the home page's.

        A page that repeats another one there leads to that.
        """
        if locale not in visible:
            return locale.path
        shown = visible[locale]
        if shown is None or locale == view.locale:
            return locale.path + address.path
        return locale.path + canonical_address(view.snapshot, address, shown, view.now).path

    return SiteChrome(
        site_title=site_title(view),
        home_path=view.locale.path,
        logo_url=settings.header.logo_url,
        header_links=[link for link in settings.header.nav_links if link.active],
        announcement=settings.header.announcement,
        footer_columns=footer_columns(view),
        company=settings.site_settings,
        contact=company_contact(view),
        languages=[
            LocaleOption(
                code=each,
                name=cldr.language_name(each, each),
                path=path_in(view.locale.in_language(each)),
                current=each is language,
            )
            for each in view.snapshot.locales.languages
        ],
        countries=[
            LocaleOption(
                code=country,
                name=cldr.country_name(country, language),
                path=path_in(Locale(country, language)),
                current=country == view.locale.country,
            )
            for country in view.snapshot.open.countries
        ],
    )


@cached_per_snapshot
def site_title(view: ContentView) -> str:
    """Return the site's title in the view's language, else its host name."""
    settings = view.singleton(SETTINGS)
    seo = settings.fields.seo if settings else None
    title = settings.pick(seo.page_title) if settings and seo else None
    return title or view.base_url.partition("://")[2]


def brand(view: ContentView) -> str:
    """Return the short name of the site: its title up to the first ` | `.

    For `Wahat | ERP software for the Gulf` it is `Wahat`.
    """
    return site_title(view).partition(" | ")[0]


def site_type(view: ContentView) -> str | None:
    """Return the type of schema.org that the company of the site has, such as `Restaurant`."""
    settings = view.singleton(SETTINGS)
    return settings.fields.schema_type if settings else None


class Profile(Resource):
    """A social profile of the company."""

    network: str
    """Name of the network."""
    url: str
    """URL of the profile."""


class CompanyContact(Resource):
    """The contact data of the company in the reader's country and language.

    `phoneUrl` dials the number, `whatsappUrl` opens a chat.
    """

    email: Omittable[str] = None
    """E-mail address."""
    phone: Omittable[str] = None
    """Telephone number, as it is written for people."""
    phone_url: Omittable[str] = None
    """URL that dials the number."""
    whatsapp: Omittable[str] = None
    """WhatsApp number, as it is written for people."""
    whatsapp_url: Omittable[str] = None
    """URL that opens a chat on WhatsApp."""
    address: Omittable[str] = None
    """Address of the office."""
    hours: Omittable[str] = None
    """Opening hours, for people."""
    map_url: Omittable[str] = None
    """URL of a map with the office."""
    commercial_registration: Omittable[str] = None
    """Number of the commercial registration."""
    vat_number: Omittable[str] = None
    """VAT registration number."""
    profiles: list[Profile]
    """Profiles on social networks."""


@cached_per_snapshot
def company_contact(view: ContentView) -> CompanyContact:
    """Return the contact data for the view's locale."""
    company, language = site_settings(view).site_settings, view.locale.language
    return CompanyContact(
        email=company.primary_email or None,
        phone=company.phone_display or None,
        phone_url=phone_url(company.phone_display),
        whatsapp=company.whatsapp or None,
        whatsapp_url=whatsapp_url(company.whatsapp),
        address=localized_text(company.office_address, language) or None,
        hours=localized_text(company.hours, language) or None,
        map_url=web_url(company.map_url),
        commercial_registration=company.commercial_registration or None,
        vat_number=company.vat_number or None,
        profiles=_profiles(company),
    )


def phone_url(number: str | None) -> str | None:
    """Return the URL that dials a number, or None if it cannot be called.

    >>> phone_url("+971 4 555 0142")
    'tel:+97145550142'
    """
    called = e164(number or "")
    return called and f"tel:{called}"


def whatsapp_url(number: str | None) -> str | None:
    """Return the URL that opens a chat with a number, or None if it cannot be called.

    >>> whatsapp_url("+971 50 555 0142")
    'https://wa.me/971505550142'
    """
    called = e164(number or "")
    return called and f"https://wa.me/{called.removeprefix('+')}"


def _profiles(company: CompanySettings) -> list[Profile]:
    urls = {
        "LinkedIn": company.linkedin_url,
        "X": company.x_url,
        "Instagram": company.instagram_url,
        "YouTube": company.youtube_url,
        "Snapchat": company.snapchat_url,
        "Facebook": company.facebook_url,
    }
    linked = ((network, web_url(url)) for network, url in urls.items())
    return [Profile(network=network, url=url) for network, url in linked if url]


def web_url(url: str | None) -> str | None:
    """Return an absolute http or https URL, None for anything else."""
    return url if (url or "").startswith(("https://", "http://")) else None


class OfficePerson(Resource):
    """Somebody at an office; `phoneUrl` dials the number."""

    name: str
    """Name of the person."""
    role: Omittable[str] = None
    """What the person does."""
    image: Omittable[str] = None
    """Path or URL of a portrait."""
    phone: Omittable[str] = None
    """Telephone number, as it is written for people."""
    phone_url: Omittable[str] = None
    """URL that dials the number."""
    email: Omittable[str] = None
    """E-mail address."""


class CityOffice(CompanyContact):
    """The contact data of a city, the place of its office, and the people."""

    latitude: Omittable[float] = None
    """Latitude of the office in degrees."""
    longitude: Omittable[float] = None
    """Longitude of the office in degrees."""
    opening_hours: Omittable[list[str]] = None
    """Opening hours in the notation of schema.org, such as `Mo-Th 09:00-18:00`."""
    people: list[OfficePerson]
    """The people at the office."""

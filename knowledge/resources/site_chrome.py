"""The header and footer of every page, with the language and country switchers."""

from __future__ import annotations

from collections.abc import Callable

from knowledge.addresses.addresses import Address, resolutions
from knowledge.fields.content_types import SETTINGS
from knowledge.fields.schemas import CompanySettings
from knowledge.locales import cldr
from knowledge.locales.locale import Country, Language, Locale
from knowledge.resources.base import Resource
from knowledge.resources.contact import CompanyContact, company_contact
from knowledge.resources.site import (
    NavigationLink,
    SiteSettings,
    footer,
    site_settings,
)
from knowledge.resources.site_map import canonical_address
from knowledge.views.content_view import ContentView, cached_per_snapshot

_Paths = Callable[[Locale], str]


class LocaleOption(Resource):
    """One entry of the language or country switcher: the same page in another locale."""

    code: str
    name: str
    path: str
    current: bool


class FooterColumn(Resource):
    """A footer column with a title."""

    title: str
    links: list[NavigationLink]


class SiteChrome(Resource):
    """The header and footer of a page."""

    site_title: str
    home_path: str
    logo_url: str | None
    header_links: list[NavigationLink]
    footer_columns: list[FooterColumn]
    company: CompanySettings
    contact: CompanyContact
    languages: list[LocaleOption]
    countries: list[LocaleOption]


def site_chrome(view: ContentView, address: Address) -> SiteChrome:
    """Return the header and footer of one page for the view's locale."""
    settings: SiteSettings = site_settings(view)
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
        footer_columns=_footer_columns(view),
        company=settings.site_settings,
        contact=company_contact(view),
        languages=[_language(view, each, path_in) for each in view.snapshot.locales.languages],
        countries=[_country(view, country, path_in) for country in view.snapshot.open.countries],
    )


@cached_per_snapshot
def _footer_columns(view: ContentView) -> list[FooterColumn]:
    return [FooterColumn(title=title, links=links) for title, links in footer(view)]


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


def _language(view: ContentView, language: Language, paths: _Paths) -> LocaleOption:
    return LocaleOption(
        code=language,
        name=cldr.language_name(language, language),
        path=paths(view.locale.in_language(language)),
        current=language is view.locale.language,
    )


def _country(view: ContentView, country: Country, paths: _Paths) -> LocaleOption:
    return LocaleOption(
        code=country,
        name=cldr.country_name(country, view.locale.language),
        path=paths(Locale(country, view.locale.language)),
        current=country == view.locale.country,
    )

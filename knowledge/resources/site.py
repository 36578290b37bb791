"""Site-wide resources: settings, home page and navigation."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated

from pydantic import Field

from knowledge.diagnostics.messages import mark as _
from knowledge.fields.content_types import (
    HOME,
    INDUSTRY,
    MODULE,
    NAVIGATION,
    PAGE,
    SETTINGS,
    SITE,
    WORDS,
)
from knowledge.fields.field_types import BilingualString, Omittable
from knowledge.fields.page_type import PageType
from knowledge.fields.schemas import (
    About,
    CompanySettings,
    Hero,
    HomeFields,
    IndustryFields,
    LinkFields,
    NavigationFields,
    SettingsFields,
    SiteSeo,
    Stats,
    Toggle,
)
from knowledge.locales.locale import localized_text
from knowledge.resources import queries
from knowledge.resources.base import (
    LocaleMeta,
    LocalizedResource,
    Resource,
    locale_meta,
    localized_resource,
    resource_in,
    title_of,
)
from knowledge.resources.contact_form import ContactFormSettings
from knowledge.resources.list_pages import is_empty_list
from knowledge.resources.queries import declare_page
from knowledge.resources.testimonials import testimonial_list
from knowledge.resources.theme import Theme, theme
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView, cached_per_snapshot


class NavigationLink(Resource):
    """One menu entry; `href` is a site path in the locale, or a URL."""

    id: str
    """Id of the link."""
    label: str
    """Text of the link."""
    href: str
    """Site path in the locale, or URL, to which it leads."""
    active: bool = True
    """Whether menus show the link."""
    sort_order: Omittable[int] = None
    """Position of the link in its menu."""


class SiteHeader(Resource):
    """The header of the site."""

    nav_links: list[NavigationLink]
    """The links of the header."""
    logo_url: Omittable[str] = None
    """Path or URL of the logo."""


class FooterTitle(Resource):
    """One column of the footer."""

    title: str
    """Title of the column."""


class SiteFooter(Resource):
    """The footer of the site."""

    columns: list[FooterTitle]
    """The columns of the footer."""
    legal_lines: Annotated[
        list[BilingualString], Field(exclude_if=operator.not_, default_factory=list)
    ]
    """Copyright and other legal lines."""


class SiteSettings(Resource):
    """The settings that a frontend needs on every page."""

    header: SiteHeader
    """The header."""
    seo: SiteSeo
    """Default metadata for search engines."""
    footer: SiteFooter
    """The footer."""
    site_settings: CompanySettings
    """Contact data, registrations and profiles of the company."""
    theme: Theme
    """Colours, fonts and logos."""
    words: Omittable[dict[str, BilingualString]] = Field(
        None, description="The words of buttons, the form and the footer, by their keys."
    )
    contact_form: Omittable[ContactFormSettings] = None
    """The contact form."""


class FooterLinks(Resource):
    """The links of all footer columns, in order."""

    links: list[NavigationLink]
    """The links."""


class NavigationPage(Resource):
    """A published CMS page, for menus."""

    slug: str
    """Slug of the page."""
    title: str
    """Title of the page."""


class Navigation(Resource):
    """The header links, the footer links and all published CMS pages."""

    header_links: list[NavigationLink]
    """The links of the header."""
    footer_columns: FooterLinks
    """The links of the footer."""
    pages: list[NavigationPage]
    """The published CMS pages."""


class ModuleItem(Resource):
    """One software module; `slug` identifies its page and is not in the body."""

    id: str
    """Id of the module."""
    slug: Annotated[str, Field(exclude=True)]
    title: BilingualString
    """Name of the module."""
    description: Omittable[BilingualString] = None
    """What the module does."""


class Modules(Resource):
    """A block of software modules."""

    title: Omittable[BilingualString] = None
    """Title of the block."""
    items: list[ModuleItem]
    """The modules in their order."""


class IndustryItem(Resource):
    """One industry; `name` is its short name, and `slug` is not in the body."""

    id: str
    """Id of the industry."""
    slug: Annotated[str, Field(exclude=True)]
    title: BilingualString
    """Title of its page."""
    name: BilingualString
    """Short name of the industry."""


class Industries(Resource):
    """A block of industries."""

    title: Omittable[BilingualString] = None
    """Title of the block."""
    items: list[IndustryItem]
    """The industries in their order."""


class MenuPage(Resource):
    """A CMS page in the home page's menu."""

    id: str
    """Id of the page."""
    title: str
    """Title of the page."""
    active: bool = True
    """Whether the menu shows the page."""


class HomeNavigation(Resource):
    """The menus of the home page."""

    header_links: list[NavigationLink]
    """The links of the header."""
    footer_columns: FooterLinks
    """The links of the footer."""
    pages: list[MenuPage]
    """The CMS pages."""


class HomeTestimonial(Resource):
    """A testimonial on the home page."""

    id: str
    """Id of the testimonial."""
    quote: str
    """What the customer says."""
    customer_name: str
    """Name of the customer."""


class Switch(Resource):
    """Whether a block is enabled."""

    enabled: bool
    """Whether the block is shown."""


class HomeTestimonials(Resource):
    """The testimonials featured on the home page."""

    section: Switch
    """Whether the block is shown."""
    items: list[HomeTestimonial]
    """The testimonials in their order."""


class DemoCta(Resource):
    """The call to action for a demo."""

    enabled: bool
    """Whether the block is shown."""
    title: Omittable[BilingualString] = None
    """Text of the call to action."""


class Homepage(Resource):
    """All content of the home page."""

    hero: Hero
    """The first block."""
    stats: Stats
    """The statistics."""
    modules: Modules
    """The software modules."""
    industries: Industries
    """The industries."""
    about: About
    """The text about the company."""
    navigation: HomeNavigation
    """The menus."""
    testimonials: HomeTestimonials
    """The testimonials."""
    demo_cta: DemoCta
    """The call to action for a demo."""
    locale_meta: Annotated[LocaleMeta, Field(alias="_locale")]
    """How the home page was resolved for the locale."""


@cached_per_snapshot
def site_settings(view: ContentView) -> SiteSettings:
    """Return the site settings, with the header links and the footer titles."""
    resolved = view.singleton(SETTINGS)
    settings = resolved.fields if resolved else SettingsFields()
    company = settings.site_settings or CompanySettings()
    return SiteSettings(
        header=SiteHeader(
            nav_links=header_links(view),
            logo_url=theme(view).logo.light,
        ),
        seo=settings.seo or SiteSeo(),
        footer=SiteFooter(
            columns=[FooterTitle(title=title) for title, _ in footer(view)],
            legal_lines=legal_lines(view),
        ),
        site_settings=replace(company, logo_url=_logo(view, company.logo_url)),
        theme=theme(view),
    )


def legal_lines(view: ContentView) -> list[BilingualString]:
    """Return the small lines of the footer, such as the number in the trade register."""
    resolved = view.singleton(WORDS)
    return (resolved.fields.legal_lines if resolved else None) or []


_SETTINGS_PATH = "site/settings.md"
_NAVIGATION_PATH = "site/navigation.md"


def _logo(view: ContentView, path: str | None) -> str | None:
    return view.path(path, _SETTINGS_PATH) if path else path


def _menus(view: ContentView) -> NavigationFields:
    resolved = view.singleton(NAVIGATION)
    return resolved.fields if resolved else NavigationFields()


@cached_per_snapshot
def header_links(view: ContentView) -> list[NavigationLink]:
    """Return the entries of the main menu, by sortOrder."""
    return _links(view, _menus(view).header_links or ())


@cached_per_snapshot
def footer(view: ContentView) -> list[tuple[str, list[NavigationLink]]]:
    """Return title and links of each footer column."""
    return [
        (
            localized_text(column.title, view.locale.language),
            _links(view, column.links or ()),
        )
        for column in _menus(view).footer_columns or ()
    ]


def _links(view: ContentView, links: Sequence[LinkFields]) -> list[NavigationLink]:
    ordered = sorted(links, key=lambda link: link.sort_order or 0)
    with_target = (link for link in ordered if link.href and not is_empty_list(view, link.href))
    return list(
        view.snapshot.left_out.each(with_target, partial(_link, view), lambda _: _NAVIGATION_PATH)
    )


def _link(view: ContentView, link: LinkFields) -> NavigationLink:
    href = link.href or ""
    return NavigationLink(
        id=link.id or href.strip("/") or "home",
        label=localized_text(link.label, view.locale.language),
        href=view.path(href),
        active=link.active is not False,
        sort_order=link.sort_order,
    )


def navigation(view: ContentView) -> Navigation:
    """Return both menus and the published CMS pages."""
    return Navigation(
        header_links=header_links(view),
        footer_columns=_footer_links(view),
        pages=view.each(
            view.resolve_all(PAGE),
            lambda page: NavigationPage(slug=page.entry.slug, title=title_of(page)),
        ),
    )


def _footer_links(view: ContentView) -> FooterLinks:
    return FooterLinks(links=[link for _, links in footer(view) for link in links])


def homepage(view: ContentView) -> LocalizedResource[Homepage]:
    """Return the home page of the view's locale."""
    resolved = view.singleton(HOME)
    home = resolved.fields if resolved else HomeFields()
    about, demo_cta = home.about or About(), home.demo_cta or Toggle()
    body = Homepage(
        hero=home.hero or Hero(),
        stats=_stats(home.stats or Stats()),
        modules=Modules(
            title=home.modules.title if home.modules else None,
            items=view.each(view.resolve_all(MODULE), _module),
        ),
        industries=Industries(
            title=home.industries.title if home.industries else None,
            items=view.each(view.resolve_all(INDUSTRY), _industry),
        ),
        about=replace(about, paragraphs=about.paragraphs or []),
        navigation=_home_navigation(view),
        testimonials=_home_testimonials(view, home.testimonials or Toggle()),
        demo_cta=DemoCta(enabled=demo_cta.enabled is not False, title=demo_cta.title),
        locale_meta=_home_meta(resolved),
    )
    if resolved is None:
        return resource_in(view.locale, body)
    return localized_resource(body, resolved)


def _home_meta(resolved: Resolved | None) -> LocaleMeta:
    return locale_meta(resolved, []) if resolved else LocaleMeta(resolved_from="global")


def _stats(stats: Stats) -> Stats:
    items = enumerate(stats.items or (), start=1)
    filled = [
        replace(item, id=item.id or f"stat-{number}", value=item.value or "")
        for number, item in items
    ]
    return replace(stats, items=filled)


def _module(resolved: Resolved) -> ModuleItem:
    return ModuleItem(
        id=resolved.id,
        slug=resolved.entry.slug,
        title=_bilingual_title(resolved),
        description=resolved.fields.short_description,
    )


def _industry(resolved: Resolved[IndustryFields]) -> IndustryItem:
    title = _bilingual_title(resolved)
    return IndustryItem(
        id=resolved.id,
        slug=resolved.entry.slug,
        title=title,
        name=resolved.fields.name or title,
    )


def _bilingual_title(resolved: Resolved) -> BilingualString:
    return resolved.fields.title or {resolved.language: title_of(resolved)}


def _home_navigation(view: ContentView) -> HomeNavigation:
    pages = view.resolve_all(PAGE)
    return HomeNavigation(
        header_links=header_links(view),
        footer_columns=_footer_links(view),
        pages=view.each(pages, lambda page: MenuPage(id=page.id, title=title_of(page))),
    )


def _home_testimonials(view: ContentView, block: Toggle) -> HomeTestimonials:
    items = [
        HomeTestimonial(id=item.id, quote=item.quote, customer_name=item.customer_name)
        for item in testimonial_list(view).items
        if item.featured_on_homepage
    ]
    return HomeTestimonials(section=Switch(enabled=block.enabled is not False), items=items)


HOME_PAGE = declare_page(
    PageType(
        name="home",
        path="",
        content_types=(SITE,),
        singleton="home",
        title=_("Home"),
        index_title=_("Home", "llms.txt"),
        group=queries.COMPANY,
        reason=_("you need an overview of %(site)s in %(country)s"),
        reason_anywhere=_("you need an overview of %(site)s"),
    ),
    lambda view, _, __: homepage(view),
)

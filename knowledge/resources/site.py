"""Site-wide resources: settings, home page and navigation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any

from pydantic import Field

from knowledge import page_groups
from knowledge.content_types import INDUSTRY, MODULE, PAGE, SITE
from knowledge.content_view import ContentView, cached_per_snapshot
from knowledge.layer_resolution import Resolved
from knowledge.locale import localized_text
from knowledge.messages import mark as _
from knowledge.page_type import PageType
from knowledge.resources.base import (
    BilingualString,
    LocaleMeta,
    LocalizedResource,
    Omittable,
    Resource,
    Uri,
    locale_meta,
    localized_resource,
    resource_in,
    title_of,
)
from knowledge.resources.builders import declare_page
from knowledge.resources.testimonials import testimonial_list


class NavigationLink(Resource):
    """One menu entry; `href` is a site path in the locale, or a URL."""

    id: str
    label: str
    href: str
    active: bool = True
    sort_order: Omittable[int] = None


class SiteHeader(Resource):
    """The header of the site."""

    nav_links: list[NavigationLink]
    logo_url: Omittable[str] = None


class SiteSeo(Resource):
    """The default title and description of the site."""

    page_title: Omittable[BilingualString] = None
    meta_description: Omittable[BilingualString] = None


class FooterTitle(Resource):
    """One column of the footer."""

    title: str


class SiteFooter(Resource):
    """The footer of the site."""

    columns: list[FooterTitle]


class CompanySettings(Resource):
    """The company's contact data, logo and social profiles."""

    primary_email: Omittable[str] = None
    phone_display: Omittable[str] = None
    office_address: Omittable[BilingualString] = None
    logo_url: Omittable[str] = None
    facebook_url: Omittable[Uri] = None
    linkedin_url: Omittable[Uri] = None


class SiteSettings(Resource):
    """The settings that a frontend needs on every page."""

    header: SiteHeader
    seo: SiteSeo
    footer: SiteFooter
    site_settings: CompanySettings


class FooterLinks(Resource):
    """The links of all footer columns, in order."""

    links: list[NavigationLink]


class NavigationPage(Resource):
    """A published CMS page, for menus."""

    slug: str
    title: str


class Navigation(Resource):
    """The header links, the footer links and all published CMS pages."""

    header_links: list[NavigationLink]
    footer_columns: FooterLinks
    pages: list[NavigationPage]


class Hero(Resource):
    """The hero block of the home page."""

    title: Omittable[BilingualString] = None
    sub: Omittable[BilingualString] = None
    body: Omittable[BilingualString] = None


class StatItem(Resource):
    """One statistic."""

    id: str
    value: str
    label: Omittable[BilingualString] = None


class Stats(Resource):
    """A block of statistics."""

    title: Omittable[BilingualString] = None
    items: list[StatItem]


class ModuleItem(Resource):
    """One software module; `slug` identifies its page and is not in the body."""

    id: str
    slug: Annotated[str, Field(exclude=True)]
    title: BilingualString
    description: Omittable[BilingualString] = None


class Modules(Resource):
    """A block of software modules."""

    title: Omittable[BilingualString] = None
    items: list[ModuleItem]


class IndustryItem(Resource):
    """One industry; `name` is its short name, and `slug` is not in the body."""

    id: str
    slug: Annotated[str, Field(exclude=True)]
    title: BilingualString
    name: BilingualString


class Industries(Resource):
    """A block of industries."""

    title: Omittable[BilingualString] = None
    items: list[IndustryItem]


class About(Resource):
    """The about block: a title and paragraphs."""

    title: Omittable[BilingualString] = None
    paragraphs: list[BilingualString]


class MenuPage(Resource):
    """A CMS page in the home page's menu."""

    id: str
    title: str
    active: bool = True


class HomeNavigation(Resource):
    """The menus of the home page."""

    header_links: list[NavigationLink]
    footer_columns: FooterLinks
    pages: list[MenuPage]


class HomeTestimonial(Resource):
    """A testimonial on the home page."""

    id: str
    quote: str
    customer_name: str


class Switch(Resource):
    """Whether a block is enabled."""

    enabled: bool


class HomeTestimonials(Resource):
    """The testimonials featured on the home page."""

    section: Switch
    items: list[HomeTestimonial]


class DemoCta(Resource):
    """The call to action for a demo."""

    enabled: bool
    title: Omittable[BilingualString] = None


class Homepage(Resource):
    """All content of the home page."""

    hero: Hero
    stats: Stats
    modules: Modules
    industries: Industries
    about: About
    navigation: HomeNavigation
    testimonials: HomeTestimonials
    demo_cta: DemoCta
    locale_meta: Annotated[LocaleMeta, Field(alias="_locale")]


@cached_per_snapshot
def site_settings(view: ContentView) -> SiteSettings:
    """Return the site settings, with the header links and the footer titles."""
    settings = _site(view, "settings")
    logo = settings.get("header", {}).get("logo_url")
    company = dict(settings.get("site_settings", {}))
    if "logo_url" in company:
        company["logo_url"] = view.path(company["logo_url"], _SETTINGS_PATH)
    return SiteSettings(
        header=SiteHeader(
            nav_links=header_links(view),
            logo_url=view.path(logo, _SETTINGS_PATH) if logo else None,
        ),
        seo=SiteSeo.model_validate(settings.get("seo", {})),
        footer=SiteFooter(columns=[FooterTitle(title=title) for title, _ in footer(view)]),
        site_settings=CompanySettings.model_validate(company),
    )


_SETTINGS_PATH = "site/settings.md"
_NAVIGATION_PATH = "site/navigation.md"


def _site(view: ContentView, name: str) -> Mapping[str, Any]:
    resolved = view.resolve(SITE, name)
    return resolved.metadata if resolved else {}


@cached_per_snapshot
def header_links(view: ContentView) -> list[NavigationLink]:
    """Return the entries of the main menu, by sortOrder."""
    return _links(view, _site(view, "navigation").get("header_links", ()))


@cached_per_snapshot
def footer(view: ContentView) -> list[tuple[str, list[NavigationLink]]]:
    """Return title and links of each footer column."""
    columns = _site(view, "navigation").get("footer_columns", ())
    return [
        (
            localized_text(column.get("title"), view.locale.language),
            _links(view, column.get("links") or ()),
        )
        for column in columns
    ]


def _links(view: ContentView, links: Sequence[Mapping[str, Any]]) -> list[NavigationLink]:
    ordered = sorted(links, key=lambda link: link.get("sort_order") or 0)
    with_target = (link for link in ordered if link.get("href"))
    return list(
        view.snapshot.left_out.each(with_target, partial(_link, view), lambda _: _NAVIGATION_PATH)
    )


def _link(view: ContentView, link: Mapping[str, Any]) -> NavigationLink:
    return NavigationLink(
        id=link.get("id") or link["href"].strip("/") or "home",
        label=localized_text(link.get("label"), view.locale.language),
        href=view.path(link["href"]),
        active=link.get("active", True) is not False,
        sort_order=link.get("sort_order"),
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
    resolved = view.resolve(SITE, "home")
    home: Mapping[str, Any] = resolved.metadata if resolved else {}
    body = Homepage(
        hero=Hero.model_validate(home.get("hero", {})),
        stats=_stats(home.get("stats", {})),
        modules=Modules(
            title=home.get("modules", {}).get("title"),
            items=view.each(view.resolve_all(MODULE), _module),
        ),
        industries=Industries(
            title=home.get("industries", {}).get("title"),
            items=view.each(view.resolve_all(INDUSTRY), _industry),
        ),
        about=About(
            title=home.get("about", {}).get("title"),
            paragraphs=home.get("about", {}).get("paragraphs") or [],
        ),
        navigation=_home_navigation(view),
        testimonials=_home_testimonials(view, home.get("testimonials", {})),
        demo_cta=DemoCta(
            enabled=home.get("demo_cta", {}).get("enabled", True),
            title=home.get("demo_cta", {}).get("title"),
        ),
        locale_meta=_home_meta(resolved),
    )
    if resolved is None:
        return resource_in(view.locale, body)
    return localized_resource(body, resolved)


def _home_meta(resolved: Resolved | None) -> LocaleMeta:
    return locale_meta(resolved, []) if resolved else LocaleMeta(resolved_from="global")


def _stats(stats: Mapping[str, Any]) -> Stats:
    items = [
        StatItem(
            id=item.get("id") or f"stat-{number}",
            value=item.get("value") or "",
            label=item.get("label"),
        )
        for number, item in enumerate(stats.get("items") or (), start=1)
    ]
    return Stats(title=stats.get("title"), items=items)


def _module(resolved: Resolved) -> ModuleItem:
    return ModuleItem(
        id=resolved.id,
        slug=resolved.entry.slug,
        title=_bilingual_title(resolved),
        description=resolved.metadata.get("short_description"),
    )


def _industry(resolved: Resolved) -> IndustryItem:
    title = _bilingual_title(resolved)
    return IndustryItem(
        id=resolved.id,
        slug=resolved.entry.slug,
        title=title,
        name=resolved.metadata.get("name") or title,
    )


def _bilingual_title(resolved: Resolved) -> BilingualString:
    title: BilingualString | None = resolved.metadata.get("title")
    return title or {resolved.language: title_of(resolved)}


def _home_navigation(view: ContentView) -> HomeNavigation:
    pages = view.resolve_all(PAGE)
    return HomeNavigation(
        header_links=header_links(view),
        footer_columns=_footer_links(view),
        pages=view.each(pages, lambda page: MenuPage(id=page.id, title=title_of(page))),
    )


def _home_testimonials(view: ContentView, block: Mapping[str, Any]) -> HomeTestimonials:
    items = [
        HomeTestimonial(id=item.id, quote=item.quote, customer_name=item.customer_name)
        for item in testimonial_list(view).items
        if item.featured_on_homepage
    ]
    return HomeTestimonials(section=Switch(enabled=block.get("enabled", True)), items=items)


HOME_PAGE = declare_page(
    PageType(
        name="home",
        path="",
        content_types=(SITE,),
        singleton="home",
        title=_("Home"),
        group=page_groups.COMPANY,
        reason=_("you need an overview of %(site)s"),
    ),
    lambda view, _, __: homepage(view),
)

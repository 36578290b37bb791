"""The home page: its blocks, and the menus and lists in them."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, ClassVar

from pydantic import Field

from knowledge.addresses.addresses import LocalizedAddress, in_locale
from knowledge.blocks.section import DocumentSection
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.content_types import HOME, INDUSTRY, MODULE, PAGE, SITE
from knowledge.fields.field_types import BilingualString, Omittable
from knowledge.fields.page_type import PageType
from knowledge.fields.settings_fields import About, Hero, HomeFields, KindBlock, Stats, Toggle
from knowledge.locales.locale import Scope, localized_text
from knowledge.resources import queries
from knowledge.resources.base import (
    LocaleMeta,
    LocalizedResource,
    PageResource,
    Resource,
    locale_meta,
    localized_resource,
    resource_in,
)
from knowledge.resources.document_page import title_of
from knowledge.resources.kind_documents import entries, is_past
from knowledge.resources.kind_pages import EntryItem, entry_item
from knowledge.resources.page_sections import page_sections
from knowledge.resources.queries import declare_page
from knowledge.resources.site import FooterLinks, NavigationLink, footer_links, header_links
from knowledge.resources.site_map import site_map
from knowledge.resources.testimonials import testimonial_list
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView


class ModuleItem(Resource):
    """An item; `slug` identifies its page and is not in the body."""

    id: str
    """Id of the item."""
    slug: Annotated[str, Field(exclude=True)]
    title: BilingualString
    """Name of the item."""
    description: Omittable[BilingualString] = None
    """What it does."""
    icon: Omittable[str] = None
    """Path or URL of its icon."""


class Modules(Resource):
    """A block of items."""

    title: Omittable[BilingualString] = None
    """Title of the block."""
    items: list[ModuleItem]
    """The items in their order."""


class IndustryItem(Resource):
    """An item; `name` is its short name, and `slug` is not in the body."""

    id: str
    """Id of the item."""
    slug: Annotated[str, Field(exclude=True)]
    title: BilingualString
    """Title of its page."""
    name: BilingualString
    """Short name of the item."""
    icon: Omittable[str] = None
    """Path or URL of its icon."""


class Industries(Resource):
    """A block of items."""

    title: Omittable[BilingualString] = None
    """Title of the block."""
    items: list[IndustryItem]
    """The items in their order."""


class MenuPage(Resource):
    """A CMS page in the home page's menu."""

    id: str
    """Id of the page."""
    title: str
    """Title of the page."""
    active: bool = True
    """Whether the menu shows the page."""


class KindSection(Resource):
    """The first documents of a declared kind; of events those to come."""

    kind: str
    """Name of the kind."""
    title: str
    """Title of the block."""
    path: str
    """Site path of the list."""
    items: list[EntryItem]
    """The documents."""


class HomeNavigation(Resource):
    """The menus of the home page."""

    header_links: list[NavigationLink]
    """The links of the header."""
    footer_columns: FooterLinks
    """The links of the footer."""
    pages: list[MenuPage]
    """The CMS pages."""


class HomeTestimonial(Resource):
    """What a customer says, on the home page."""

    id: str
    """Id of the item."""
    quote: str
    """What the customer says."""
    customer_name: str
    """Name of the customer."""


class Switch(Resource):
    """Whether a block is enabled."""

    enabled: bool
    """Whether the block is shown."""


class HomeTestimonials(Resource):
    """What customers say."""

    section: Switch
    """Whether the block is shown."""
    items: list[HomeTestimonial]
    """The items in their order."""


class DemoCta(Resource):
    """The call to action at the end."""

    enabled: bool
    """Whether the block is shown."""
    title: Omittable[BilingualString] = None
    """Text of the call to action."""


class Homepage(PageResource):
    """All content of the home page."""

    always_has_blocks: ClassVar[bool] = True

    hero: Hero
    """The first block."""
    stats: Stats
    """The statistics."""
    sections: Annotated[list[DocumentSection], Field(exclude=True, default_factory=list)]
    """The sections of the text, of which a `hero` at the start is a part of the first block."""
    kinds: Omittable[list[KindSection]] = None
    """The blocks of declared kinds."""
    modules: Modules
    """The first block of items."""
    industries: Industries
    """The second block of items."""
    about: About
    """The text about the company."""
    navigation: HomeNavigation
    """The menus."""
    testimonials: HomeTestimonials
    """What customers say."""
    demo_cta: DemoCta
    """The call to action at the end."""
    locale_meta: Annotated[LocaleMeta, Field(alias="_locale")]
    """How the home page was resolved for the locale."""

    def listed_pages(self, view: ContentView) -> Iterable[LocalizedAddress]:
        """Return all pages of the locale."""
        return in_locale(view.locale, site_map(view.snapshot, view.now).addresses(view.locale))


def homepage(view: ContentView) -> LocalizedResource[Homepage]:
    """Return the home page of the view's locale."""
    resolved = view.singleton(HOME)
    home = resolved.fields if resolved else HomeFields()
    about, demo_cta = home.about or About(), home.call_to_action or Toggle()
    body = Homepage(
        hero=home.hero or Hero(),
        stats=_stats(home.stats or Stats()),
        sections=page_sections(view, resolved)[0] if resolved else [],
        kinds=list(_kind_sections(view, home.kinds or ())) or None,
        modules=Modules(
            title=home.modules.title if home.modules else None,
            items=view.each(
                view.resolve_all(MODULE),
                lambda module: ModuleItem(
                    id=module.id,
                    slug=module.entry.slug,
                    title=_bilingual_title(module),
                    description=module.fields.short_description,
                    icon=view.picture(module.fields.icon, module),
                ),
            ),
        ),
        industries=Industries(
            title=home.industries.title if home.industries else None,
            items=view.each(view.resolve_all(INDUSTRY), partial(_industry, view)),
        ),
        about=replace(about, paragraphs=about.paragraphs or []),
        navigation=_home_navigation(view),
        testimonials=_home_testimonials(view, home.testimonials or Toggle()),
        demo_cta=DemoCta(enabled=demo_cta.enabled is not False, title=demo_cta.title),
        locale_meta=(
            locale_meta(resolved, []) if resolved else LocaleMeta(resolved_from=Scope.GLOBAL.label)
        ),
    )
    if resolved is None:
        return resource_in(view.locale, body)
    return localized_resource(body, resolved)


_SHOWN = 3
"""How many documents a block of a kind has, unless its author says so."""


def _kind_sections(view: ContentView, blocks: Iterable[KindBlock]) -> Iterator[KindSection]:
    """Yield the blocks of declared kinds that have documents."""
    for block in blocks:
        kind = view.snapshot.kinds.by_name.get(block.kind or "")
        if kind is None or kind.list_page is None:
            continue
        documents = [each for each in entries(view, kind) if not is_past(view, kind, each)]
        items = view.each(documents[: block.limit or _SHOWN], partial(entry_item, view, kind))
        if items:
            language = view.locale.language
            title = localized_text(block.title or kind.declared.plural, language)
            path = view.locale.path + kind.list_page.path
            yield KindSection(kind=kind.name, title=title, path=path, items=items)


def _stats(stats: Stats) -> Stats:
    items = enumerate(stats.items or (), start=1)
    filled = [
        replace(item, id=item.id or f"stat-{number}", value=item.value or "")
        for number, item in items
    ]
    return replace(stats, items=filled)


def _industry(view: ContentView, resolved: Resolved[Any]) -> IndustryItem:
    title = _bilingual_title(resolved)
    return IndustryItem(
        id=resolved.id,
        slug=resolved.entry.slug,
        title=title,
        name=resolved.fields.name or title,
        icon=view.picture(resolved.fields.icon, resolved),
    )


def _bilingual_title(resolved: Resolved) -> BilingualString:
    return resolved.fields.title or {resolved.language: title_of(resolved)}


def _home_navigation(view: ContentView) -> HomeNavigation:
    pages = view.resolve_all(PAGE)
    return HomeNavigation(
        header_links=header_links(view),
        footer_columns=footer_links(view),
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

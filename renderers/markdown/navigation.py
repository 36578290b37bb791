"""Navigation: links to other pages of the locale, the pages of a list, and suggested searches.

Page 2 and later are canonical URLs themselves, because they do not repeat page 1. So is a search,
which search engines are told not to list: the list without it is another page.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode

from knowledge.addresses.addresses import Address, address_of
from knowledge.blocks.block import Block, Role
from knowledge.blocks.cards import Card, CardsBlock
from knowledge.blocks.links import LinksBlock, NamedLink
from knowledge.blocks.text import TextBlock
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.content_types import NAVIGATION, PAGE, AnyContentType
from knowledge.fields.page_type import PAGE_TYPES, PageTypes
from knowledge.locales.locale import Locale
from knowledge.resources.base import Body_co, Pagination
from knowledge.resources.blog import PostList
from knowledge.resources.forms import main_form
from knowledge.resources.kind_pages import EntryList
from knowledge.resources.listing import listed_locales
from knowledge.resources.localized import listed_page
from knowledge.resources.pages import CONTENT_PAGE
from knowledge.resources.queries import EntryQuery, ProductQuery, ProductSort
from knowledge.resources.search import PopularCategory, SearchResults
from knowledge.resources.seo import Alternate, is_visible_route
from knowledge.resources.site import NavigationLink
from knowledge.resources.site_page import DocumentationPage, PageContent, PageMeta
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView, cached_per_snapshot
from renderers.blocks.context import MarkdownContext, link
from renderers.l10n.translation import in_site_texts, site_words, translate
from renderers.page_rendering import Call
from renderers.representation import MediaType, mutual, suffixed_path

_MAX_MENU = 7

AnyPage = PageContent[Any] | DocumentationPage
"""A page of the site or of its documentation."""


class NavLink(NamedTuple):
    """A link: its title, its site path, and whether it is the current page."""

    title: str
    path: str
    current: bool = False


@cached_per_snapshot
def global_links(view: ContentView) -> dict[str, str | None]:
    """Return the paths that every page may link to, None for a page that does not exist."""
    return {
        "action_path": action_path(view),
        "contact_path": content_path(view, "contact"),
        "privacy_path": content_path(view, "privacy"),
    }


@cached_per_snapshot
@in_site_texts
def default_menu(view: ContentView) -> list[NavigationLink]:
    """Return the menu of a site without `site/navigation.md`: its lists, then its pages."""
    if view.snapshot.singleton(NAVIGATION) is not None:
        return []
    listed = [Address(page) for page in view.snapshot.page_types.listed if page.lists]
    lists = [
        NavLink(translate(each.page.title, view.locale.language), view.locale.path + each.path)
        for each in listed
        if view.locale in listed_locales(view.snapshot, each, view.now)
    ]
    links = [*lists, *links_to(view, PAGE, exclude="privacy")][:_MAX_MENU]
    return [NavigationLink(id=link.path, label=link.title, href=link.path) for link in links]


def list_paths(locale: Locale, pages: PageTypes = PAGE_TYPES) -> dict[str, str]:
    """Return the site path above the documents of each content type, by folder."""
    found = pages.by_content_type.items()
    return {str(kind): locale.path + page.path.rpartition("/")[0] for kind, page in found}


def has_posts(view: ContentView) -> bool:
    """Return whether there is a post in the view's locale, published or not."""
    return not view.snapshot.posts(view.locale).is_empty


def action_path(view: ContentView) -> str | None:
    """Return where the main button leads, None if nowhere: by default to what people want."""
    menus, form = view.singleton(NAVIGATION), main_form(view)
    written = menus.fields.action if menus else None
    if written or form is None:
        return view.path(written) if written else content_path(view, "contact")
    return form.path


@cached_per_snapshot
def main_call(view: ContentView) -> Call | None:
    """Return the main button of the site, None without its words or where it leads nowhere."""
    label, path = site_words(view).mainButton, action_path(view)
    return Call(label, path) if label and path else None


def content_path(view: ContentView, slug: str) -> str | None:
    """Return the site path of a content page, or None if the locale does not have it."""
    address = address_of(view.snapshot, CONTENT_PAGE, slug)
    return view.locale.path + address.path if is_visible_route(view, address) else None


def links_to(
    view: ContentView, kind: AnyContentType, only: Iterable[str] | None = None, exclude: str = ""
) -> list[NavLink]:
    """Return links to the documents of a type by their names or titles: all, or `only` some."""
    slugs = None if only is None else set(only)
    targets = (
        target
        for target in view.resolve_all(kind)
        if target.entry.slug != exclude and (slugs is None or target.entry.slug in slugs)
    )

    def nav_link(target: Resolved) -> NavLink:
        page = listed_page(view, target)
        return NavLink(page.title, page.path)

    return view.each(targets, nav_link)


_KEPT = _("Page")
"""A text that a site may have changed in `site/words.md`, and that no page has any more."""


def paging_blocks(
    page: PageContent[Body_co], pagination: Pagination, context: MarkdownContext, count: str = ""
) -> Iterator[Block]:
    """Yield how much there is, which page of a list this is, and links to those around it."""
    position = ""
    if 1 < pagination.total_pages >= pagination.page:
        numbers = {"number": pagination.page, "total": pagination.total_pages}
        position = context.gettext("page %(number)s of %(total)s") % numbers
    counted = " · ".join(filter(None, (count, position)))
    yield TextBlock(text=counted, role=Role.NAVIGATION, place="count")
    labels = (context.gettext("Previous page"), context.gettext("Next page"))
    if isinstance(page.resource, PostList) and not page.query.search:
        labels = (context.gettext("Newer articles"), context.gettext("Older articles"))
    links = [
        NamedLink(text=label, href=path)
        for label, path in zip(labels, previous_and_next(page), strict=True)
        if path
    ]
    yield LinksBlock(items=links, role=Role.NAVIGATION, place="paging")


def suggestion_block(
    query: str | None, address: Address, parameter: str, context: MarkdownContext
) -> Block:
    """Return a link to the suggested search; no link without a suggestion."""
    path = f"{context.locale.path}{address.path}?{urlencode({parameter: query or ''})}"
    label = context.gettext("Did you mean")
    items = [NamedLink(text=query, href=path, label=label)] if query else []
    return LinksBlock(items=items, role=Role.NAVIGATION, place="suggestion")


def popular_block(categories: Iterable[PopularCategory], context: MarkdownContext) -> Block:
    """Return categories with the number of their posts and their newest post."""
    cards = [
        Card(
            title=each.name,
            href=each.path,
            notes=(str(each.count),),
            summary=link(each.newest, each.newest_path),
        )
        for each in categories
    ]
    heading = context.gettext("Popular by category")
    return CardsBlock(heading=heading, items=cards, role=Role.NAVIGATION, place="popular")


def page_number(page: PageMeta) -> int:
    """Return the page number within a list; 1 if the page is not a list."""
    shown = _pagination(page)
    return shown.page if shown else 1


def is_past_end(page: PageMeta) -> bool:
    """Return whether the page comes after the last one of its list, and shows nothing of it."""
    shown = _pagination(page)
    return shown is not None and shown.page > shown.total_pages


def previous_and_next(page: AnyPage) -> tuple[str | None, str | None]:
    """Return the paths of the previous and the next page of a list."""
    shown = _pagination(page)
    if shown is None:
        return None, None
    previous = min(shown.page - 1, shown.total_pages)
    return (
        page.path + _query(page, previous) if shown.page > 1 else None,
        page.path + _query(page, shown.page + 1) if shown.page < shown.total_pages else None,
    )


def canonical(page: PageMeta) -> str:
    """Return the absolute canonical URL of the page."""
    return page.seo.canonical + _query(page, page_number(page))


def representation_path(page: PageMeta, media_type: MediaType) -> str:
    """Return the per-format path of the page, with the same page number and search."""
    position = _query(page, page_number(page)) or _product_query(page)
    if page.view.is_static:
        return suffixed_path(page.path + position, media_type)
    return suffixed_path(page.path, media_type) + position


def list_query(page: PageMeta) -> str:
    """Return the search, filters or compared products of a page as its query, without a number."""
    return _query(page, 1) or _product_query(page)


def variants(page: PageMeta) -> Sequence[Alternate]:
    """Return the page in other locales, which name it too.

    There are none after page 1, as the lists of other locales paginate differently.
    """
    if _query(page, page_number(page)) or _product_query(page):
        return ()
    return mutual(page, page.seo.alternates)


def _pagination(page: AnyPage) -> Pagination | None:
    """Return the pagination of a list of posts or results; None for other pages."""
    resource = page.answer.resource if isinstance(page, PageContent) else None
    lists = (PostList, SearchResults, EntryList)
    return resource.pagination if isinstance(resource, lists) else None


def _query(page: AnyPage, number: int) -> str:
    """Return the query of a page of the list; empty on the first one without a search.

    A static host reads no query: there it is the end of the path.
    """
    search = (page.query.search or "") if isinstance(page, PageContent) else ""
    if not isinstance(page, PageContent) or (not search and number <= 1):
        return ""
    if page.view.is_static:
        return static_position(number)
    if page.address.page.kind:
        return entry_query(page.query.entries, number)
    return search_query(page, search, page.query.site.kinds, number)


def static_position(number: int) -> str:
    """Return the end of the path of a later page of a list on a static host."""
    return f"/page/{number}"


def entry_query(query: EntryQuery, number: int = 1) -> str:
    """Return the query string of the list of a declared kind, empty for its plain first page."""
    sort = {"sort": query.sort} if query.sort else {}
    page = {"page": str(number)} if number > 1 else {}
    written = urlencode({**query.wanted, **sort, **page}, doseq=True)
    return f"?{written}" if written else ""


def _product_query(page: PageMeta) -> str:
    """Return the query of a list of products or of a kind, or of a comparison."""
    if not isinstance(page, PageContent):
        return ""
    if page.query.entries.wanted or page.query.entries.sort:
        return entry_query(page.query.entries)
    compared = ",".join(page.query.compared)
    return f"?{urlencode({'items': compared})}" if compared else product_search(page.query.products)


def product_parameters(query: ProductQuery) -> Mapping[str, str]:
    """Return the parameters of a list of products that differ from their defaults."""
    parameters = {
        "category": query.category or "",
        "minPrice": "" if query.min_price is None else f"{query.min_price:f}",
        "maxPrice": "" if query.max_price is None else f"{query.max_price:f}",
        "stock": "in" if query.in_stock else "",
        "sort": "" if query.sort is ProductSort.DEFAULT else query.sort,
    }
    return {name: value for name, value in parameters.items() if value}


def product_search(query: ProductQuery) -> str:
    """Return the query string of a list of products, empty for the plain list."""
    parameters = product_parameters(query)
    return "?" + urlencode(parameters) if parameters else ""


def search_query(
    page: PageContent[Body_co], search: str, kinds: Iterable[str] = (), number: int = 1
) -> str:
    """Return the query of a search, of the page's list, for its results of some kinds."""
    parameters = {
        page.address.page.parameters[0]: search,
        "kind": ",".join(kinds),
        "page": str(number) if number > 1 else "",
    }
    given = {name: value for name, value in parameters.items() if value}
    return "?" + urlencode(given)

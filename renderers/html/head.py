"""The head of an HTML page: what browsers, search engines and agents are told of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from knowledge import cldr
from knowledge.addresses import Page
from knowledge.content_view import ContentView
from knowledge.locale import Language, Locale
from knowledge.resources.base import Resource
from knowledge.resources.blog import PostDetail, PostList
from knowledge.resources.products import ProductDetail, ProductList
from knowledge.resources.seo import Alternate
from knowledge.resources.site_chrome import site_title
from knowledge.resources.site_page import Breadcrumb, PageModel
from renderers import pagination
from renderers.feed import feed_path
from renderers.html.commonmark import safe_href
from renderers.media_types import MediaType
from renderers.representation_urls import suffixed_path
from renderers.translation import translations

_FAVICON = "images/favicon.svg"
_SOCIAL_CARDS = tuple(f"images/social-card.{suffix}" for suffix in ("png", "jpg", "webp", "svg"))


@dataclass(frozen=True, slots=True)
class HeadMetadata:
    """The head's contents; paths are the site's own, `canonical` and `image` are absolute.

    An error has no canonical URL: it is `""`.
    """

    title: str
    locale: Locale
    canonical: str
    robots: str
    description: str | None = None
    alternates: Sequence[Alternate] = ()
    markdown_path: str | None = None
    json_path: str | None = None
    feed_path: str | None = None
    prev_path: str | None = None
    next_path: str | None = None
    kind: str = "website"
    image: str | None = None
    favicon: str | None = None
    site_name: str = ""


def brand(view: ContentView) -> str:
    """The site's short name: its title up to the bar that sets off the claim.

    `Wahat | ERP software for the Gulf` gives `Wahat`.
    """
    return site_title(view).partition(" | ")[0]


def page_head(page: PageModel[Resource]) -> HeadMetadata:
    """The head of a public page."""
    view = page.view
    prev_path, next_path = pagination.previous_and_next(page)
    return HeadMetadata(
        title=_title(page),
        locale=page.locale,
        canonical=pagination.canonical(page),
        robots=_robots(page),
        description=_description(page),
        alternates=pagination.variants(page),
        markdown_path=pagination.representation_path(page, MediaType.MARKDOWN),
        json_path=pagination.representation_path(page, MediaType.JSON),
        feed_path=feed_path(page.locale),
        prev_path=prev_path,
        next_path=next_path,
        kind="article" if page.address.page is Page.POST else "website",
        image=_image(page),
        favicon=favicon(view),
        site_name=brand(view),
    )


def minimal_head(
    view: ContentView, title: str, path: str, *, indexed: bool, description: str | None = None
) -> HeadMetadata:
    """The head of a page that stands outside the content: an error, or a document."""
    return HeadMetadata(
        title=f"{title} | {brand(view)}",
        locale=view.locale,
        canonical=view.absolute(path) if indexed else "",
        robots="index, follow" if indexed else "noindex, follow",
        description=description,
        feed_path=feed_path(view.locale),
        markdown_path=suffixed_path(path, MediaType.MARKDOWN) if indexed else None,
        json_path=suffixed_path(path, MediaType.JSON) if indexed else None,
        image=_social_card(view),
        favicon=favicon(view),
        site_name=brand(view),
    )


def favicon(view: ContentView) -> str | None:
    """The site's icon, where the content has one."""
    return f"/{_FAVICON}" if _FAVICON in view.snapshot.assets else None


def dark_logo(view: ContentView, logo_url: str | None) -> str | None:
    """The logo for dark paper: `logo-dark.svg` beside `logo.svg`, where the content has one."""
    stem, dot, suffix = (logo_url or "").rpartition(".")
    path = f"{stem}-dark{dot}{suffix}"
    return path if path.removeprefix("/") in view.snapshot.assets else None


def breadcrumb_title(breadcrumb: Breadcrumb, language: Language) -> str:
    """The crumb's own title, else the name of its kind of page."""
    say = translations(language).gettext
    names = {
        Page.HOME: say("Home"),
        Page.BLOG: say("Blog"),
        Page.TESTIMONIALS: say("Customer stories"),
        Page.PRODUCTS: say("Products"),
        Page.SEARCH: say("Search"),
    }
    return breadcrumb.title or names.get(breadcrumb.page, "")


def _title(page: PageModel[Resource]) -> str:
    language = page.locale.language
    last = page.breadcrumbs[-1:]
    title = page.seo.title or "".join(breadcrumb_title(breadcrumb, language) for breadcrumb in last)
    number = pagination.page_number(page)
    if number > 1:
        place = translations(language).gettext("page %(number)s") % {"number": number}
        title = f"{title} – {place}"
    name = brand(page.view)
    return title if name in title else f"{title} | {name}"


def _description(page: PageModel[Resource]) -> str | None:
    """As the authors say, and of the list of products what stands at its head."""
    resource = page.answer.resource
    if isinstance(resource, ProductList) and page.seo.description is None:
        count = len(resource.items)
        text = translations(page.locale.language).ngettext(
            "%(num)s product, priced for %(country)s",
            "%(num)s products, priced for %(country)s",
            count,
        )
        country = cldr.country_name(page.locale.country, page.locale.language)
        return text % {"num": count, "country": country}
    return page.seo.description


def _robots(page: PageModel[Resource]) -> str:
    """Searches and empty pages are no pages to be found by."""
    resource = page.answer.resource
    empty = isinstance(resource, PostList) and not resource.items
    return "noindex, follow" if page.query.search or empty else page.seo.robots


def _image(page: PageModel[Resource]) -> str | None:
    resource = page.answer.resource
    own = None
    if isinstance(resource, PostDetail):
        own = resource.post.cover_image
    elif isinstance(resource, ProductDetail):
        own = resource.product.image
    own = safe_href(own or "")
    return page.view.absolute(own) if own else _social_card(page.view)


def _social_card(view: ContentView) -> str | None:
    found = (card for card in _SOCIAL_CARDS if card in view.snapshot.assets)
    card = next(found, None)
    return view.absolute(f"/{card}") if card else None

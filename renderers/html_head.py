"""The head of an HTML page: what browsers, search engines and agents are told of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from knowledge.addresses import Page
from knowledge.locale import Language, Locale
from knowledge.resources.base import Resource
from knowledge.resources.blog import Pagination, PostDetail, PostList
from knowledge.resources.frame import site_title
from knowledge.resources.products import ProductDetail
from knowledge.resources.seo import Alternate
from knowledge.resources.site_page import Crumb, SitePage
from knowledge.view import View
from renderers.feed import feed_path
from renderers.forms import Form
from renderers.interface import interface
from renderers.twins import twin_path

_FAVICON = "images/favicon.svg"
_SOCIAL_CARDS = tuple(f"images/social-card.{suffix}" for suffix in ("png", "jpg", "webp", "svg"))


@dataclass(frozen=True, slots=True)
class Head:
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


def brand(view: View) -> str:
    """The site's short name: its title up to the bar that sets off the claim.

    `Wahat | ERP software for the Gulf` gives `Wahat`.
    """
    return site_title(view).partition(" | ")[0]


def page_head(page: SitePage[Resource]) -> Head:
    """The head of a public page."""
    view = page.view
    prev_path, next_path = neighbours(page)
    suffix = _query(page, _number(page))
    return Head(
        title=_title(page),
        locale=page.locale,
        canonical=page.seo.canonical + ("" if page.query.search else suffix),
        robots=_robots(page),
        description=page.seo.description,
        alternates=page.seo.alternates if not suffix else (),
        markdown_path=twin_path(page.path, Form.MARKDOWN) + suffix,
        json_path=twin_path(page.path, Form.JSON) + suffix,
        feed_path=feed_path(page.locale),
        prev_path=prev_path,
        next_path=next_path,
        kind="article" if page.address.page is Page.POST else "website",
        image=_image(page),
        favicon=favicon(view),
        site_name=brand(view),
    )


def bare_head(
    view: View, title: str, path: str, *, indexed: bool, description: str | None = None
) -> Head:
    """The head of a page that stands outside the content: an error, or a document."""
    return Head(
        title=f"{title} | {brand(view)}",
        locale=view.locale,
        canonical=view.absolute(path) if indexed else "",
        robots="index, follow" if indexed else "noindex, follow",
        description=description,
        feed_path=feed_path(view.locale),
        markdown_path=twin_path(path, Form.MARKDOWN) if indexed else None,
        json_path=twin_path(path, Form.JSON) if indexed else None,
        image=_social_card(view),
        favicon=favicon(view),
        site_name=brand(view),
    )


def favicon(view: View) -> str | None:
    """The site's icon, where the content has one."""
    return f"/{_FAVICON}" if _FAVICON in view.snapshot.assets else None


def crumb_title(crumb: Crumb, language: Language) -> str:
    """The crumb's own title, else the name of its kind of page."""
    say = interface(language).gettext
    names = {
        Page.HOME: say("Home"),
        Page.BLOG: say("Blog"),
        Page.TESTIMONIALS: say("Customer stories"),
        Page.PRODUCTS: say("Products"),
    }
    return crumb.title or names.get(crumb.page, "")


def listing_path(page: SitePage[Resource], number: int) -> str:
    """The path of one page of a list, with what was searched for."""
    return page.path + _query(page, number)


def pagination(page: SitePage[Resource]) -> Pagination | None:
    """Where a list of posts stands; None for other pages."""
    resource = page.answer.resource
    return resource.pagination if isinstance(resource, PostList) else None


def neighbours(page: SitePage[Resource]) -> tuple[str | None, str | None]:
    """The paths of the list's previous and next page."""
    found = pagination(page)
    if found is None:
        return None, None
    before = min(found.page - 1, found.total_pages)
    return (
        listing_path(page, before) if found.page > 1 else None,
        listing_path(page, found.page + 1) if found.page < found.total_pages else None,
    )


def _number(page: SitePage[Resource]) -> int:
    found = pagination(page)
    return found.page if found else 1


def _query(page: SitePage[Resource], number: int) -> str:
    parameters = {"search": page.query.search or "", "page": str(number) if number > 1 else ""}
    encoded = urlencode({name: value for name, value in parameters.items() if value})
    return f"?{encoded}" if encoded else ""


def _title(page: SitePage[Resource]) -> str:
    language = page.locale.language
    last = page.breadcrumbs[-1:]
    title = page.seo.title or "".join(crumb_title(crumb, language) for crumb in last)
    if _number(page) > 1:
        place = interface(language).gettext("page %(number)s") % {"number": _number(page)}
        title = f"{title} – {place}"
    name = brand(page.view)
    return title if name in title else f"{title} | {name}"


def _robots(page: SitePage[Resource]) -> str:
    """Searches and empty pages are no pages to be found by."""
    resource = page.answer.resource
    empty = isinstance(resource, PostList) and not resource.items
    return "noindex, follow" if page.query.search or empty else page.seo.robots


def _image(page: SitePage[Resource]) -> str | None:
    resource = page.answer.resource
    own = None
    if isinstance(resource, PostDetail):
        own = resource.post.cover_image
    elif isinstance(resource, ProductDetail):
        own = resource.product.image
    return page.view.absolute(own) if own else _social_card(page.view)


def _social_card(view: View) -> str | None:
    found = (card for card in _SOCIAL_CARDS if card in view.snapshot.assets)
    card = next(found, None)
    return view.absolute(f"/{card}") if card else None

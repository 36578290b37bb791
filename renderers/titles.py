"""Page titles: the level-1 heading of each type of page."""

from __future__ import annotations

from knowledge.addresses import Page
from knowledge.locale import localized_text
from knowledge.messages import mark as _
from knowledge.resources.base import Resource
from knowledge.resources.blog import PostDetail
from knowledge.resources.localized import LocalizedContent
from knowledge.resources.pages import PageDetail
from knowledge.resources.products import ProductDetail
from knowledge.resources.site import Homepage
from knowledge.resources.site_page import PageModel
from knowledge.resources.testimonials import TestimonialList
from renderers.translation import translations

_LISTS = {
    Page.BLOG: _("Blog"),
    Page.PRODUCTS: _("Products"),
    Page.TESTIMONIALS: _("Customer stories"),
    Page.SEARCH: _("Search"),
}


def page_title(page: PageModel[Resource]) -> str:
    """Return the level-1 heading of a page."""
    own = _own_title(page)
    if own:
        return own
    breadcrumb = page.breadcrumbs[-1].title if page.breadcrumbs else None
    if breadcrumb:
        return breadcrumb
    name = _LISTS.get(page.address.page)
    return translations(page.locale.language).gettext(name) if name else page.chrome.site_title


def _own_title(page: PageModel[Resource]) -> str | None:
    resource = page.answer.resource
    match resource:
        case PageDetail() | LocalizedContent():
            return resource.page.heading
        case PostDetail():
            return resource.post.title
        case ProductDetail():
            return resource.product.heading
        case Homepage():
            return localized_text(resource.hero.title, page.locale.language)
        case TestimonialList():
            return resource.page.title
        case _:
            return None

"""Page titles: the level-1 heading of each page, and the titles of its breadcrumbs."""

from __future__ import annotations

from knowledge.locale import Language
from knowledge.resources.base import Resource
from knowledge.resources.site_page import Breadcrumb, PageModel
from renderers.renderings import PAGE_RENDERINGS
from renderers.translation import translate


def page_title(page: PageModel[Resource]) -> str:
    """Return the level-1 heading of a page: its own, its last breadcrumb or the site's title."""
    own = PAGE_RENDERINGS[page.address.page].heading(page)
    last = page.breadcrumbs[-1:]
    title = own or "".join(breadcrumb_title(each, page.locale.language) for each in last)
    return title or page.chrome.site_title


def breadcrumb_title(breadcrumb: Breadcrumb, language: Language) -> str:
    """Return the title of a breadcrumb, or the name of its type of page if it has no title."""
    title = breadcrumb.page.title
    return breadcrumb.title or (translate(title, language) if title else "")

"""Page titles: the level-1 heading of each page, and the titles of its breadcrumbs."""

from __future__ import annotations

from knowledge.locales.locale import Language
from knowledge.resources.base import DocumentPage, Resource
from knowledge.resources.site_page import Breadcrumb, PageModel
from renderers.l10n.translation import translations
from renderers.page_rendering import rendering_of


def page_title(page: PageModel[Resource]) -> str:
    """Return the level-1 heading of a page: its own, its last breadcrumb or the site's title."""
    heading = rendering_of(page.address.page).heading
    own = heading(page) if heading else _heading(page.answer.resource)
    last = page.breadcrumbs[-1:]
    title = own or "".join(breadcrumb_title(each, page.locale.language) for each in last)
    return title or page.chrome.site_title


def _heading(resource: Resource) -> str | None:
    return resource.document.heading if isinstance(resource, DocumentPage) else None


def breadcrumb_title(breadcrumb: Breadcrumb, language: Language) -> str:
    """Return the title of a breadcrumb, or the name of its type of page if it has no title."""
    title = breadcrumb.page.title
    return breadcrumb.title or (translations(language).gettext(title) if title else "")

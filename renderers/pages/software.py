"""Modules and industries, with links to the others."""

from __future__ import annotations

from knowledge.resources.base import Resource
from knowledge.resources.site_page import PageModel
from knowledge.resources.software import INDUSTRY_PAGE, MODULE_PAGE
from renderers.markdown.context import MarkdownContext
from renderers.markdown.navigation import link_list, links_to
from renderers.page_rendering import Chapters, PageRendering, Variables, declare_rendering


def _variables(page: PageModel[Resource]) -> Variables:
    (content_type,) = page.address.page.content_types
    return {"siblings": links_to(page.view, content_type, exclude=page.address.slug)}


def _links(variables: Variables, context: MarkdownContext) -> Chapters:
    yield context.gettext("See also"), link_list(variables["siblings"])


declare_rendering(
    PageRendering(template="content.html", variables=_variables, links=_links),
    MODULE_PAGE,
    INDUSTRY_PAGE,
)

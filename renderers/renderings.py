"""The rendering of each page type: imports all modules of `renderers/pages/`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from knowledge.declarations import DECLARED_PAGES
from knowledge.page_type import PageType
from knowledge.resources.base import Resource
from knowledge.section_declarations import DECLARED_SECTIONS
from renderers import pages
from renderers.markdown.context import MarkdownContext
from renderers.markdown.documents import resource_text
from renderers.page_rendering import RENDERINGS, AnyRendering, PageRendering

_TEMPLATES = Path(__file__).parent / "templates"


def _renderings() -> Mapping[PageType, AnyRendering]:
    for module in iter_modules(pages.__path__):
        import_module(f"{pages.__name__}.{module.name}")
    for name in DECLARED_SECTIONS.names:
        _require_template(f"section type “{name}”", f"parts/sections/{name}.html")
    return {page: _complete(page) for page in DECLARED_PAGES}


def _complete(page: PageType) -> AnyRendering:
    """Return the rendering of a page type; raises ValueError if its template is missing."""
    rendering = RENDERINGS.get(page) or PageRendering[Resource]()
    template = rendering.template or f"{page.name}.html"
    _require_template(f"page type “{page.name}”", template)
    return replace(rendering, template=template)


def _require_template(of: str, template: str) -> None:
    """Raise ValueError if a template is missing."""
    if not (_TEMPLATES / template).is_file():
        raise ValueError(f"The {of} has no template: add renderers/templates/{template}.")


PAGE_RENDERINGS = _renderings()
"""The rendering of each page type, complete."""

_BY_RESOURCE = {
    resource: rendering
    for rendering in PAGE_RENDERINGS.values()
    for resource in rendering.resources
}


def write(resource: Resource, context: MarkdownContext) -> str:
    """Return a resource as markdown, below its title: as on its page, if it has one."""
    rendering = _BY_RESOURCE.get(type(resource))
    return rendering.markdown(resource, context) if rendering else resource_text(resource, context)

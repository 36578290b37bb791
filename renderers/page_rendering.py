"""Page renderings: how the pages of one type look in each representation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from knowledge.addresses import Address
from knowledge.content_view import ContentView
from knowledge.page_type import PageType
from knowledge.passages import PageParts, Part
from knowledge.resources.base import Resource
from knowledge.resources.site_page import PageModel
from renderers.html.schema_org import Node, main_entity
from renderers.markdown.context import MarkdownContext
from renderers.markdown.documents import resource_text
from renderers.passage_parts import PassageContext, document_parts

Body = TypeVar("Body", bound=Resource)
Variables = Mapping[str, Any]
Chapters = Iterable[tuple[str, str]]
Properties = Iterable[tuple[str, str | None]]


@dataclass(frozen=True, kw_only=True)
class PageRendering(Generic[Body]):
    """The parts of a rendering; the defaults fit a page of one document.

    `template` is by default the name of the page type. `markdown` returns the text of a resource
    below its title, also for the API. `heading` returns the title, or None for that of the last
    breadcrumb. `variables` are those of the template besides the resource, and `links` the
    chapters of links that follow the text in markdown. `own_text` removes links to other pages
    from the resource. `nodes` are added to the JSON-LD; the first is what the page is about.
    `kind` is the type for Open Graph, and `properties` are what it knows of that type. `image` is
    the path of the picture, and `description` replaces a missing one of the author. `parts` are
    what stands under each heading, to be cut into passages; `page_parts` replaces them.
    """

    resources: tuple[type[Body], ...] = ()
    template: str = ""
    markdown: Callable[[Body, MarkdownContext], str] = resource_text
    heading: Callable[[PageModel[Body]], str | None] | None = None
    variables: Callable[[PageModel[Body]], Variables] | None = None
    links: Callable[[Variables, MarkdownContext], Chapters] | None = None
    own_text: Callable[[Body], Body] | None = None
    nodes: Callable[[PageModel[Body]], Iterable[Node]] = main_entity
    kind: str = "website"
    properties: Callable[[PageModel[Body]], Properties] | None = None
    image: Callable[[PageModel[Body]], str | None] | None = None
    description: Callable[[PageModel[Body]], str | None] | None = None
    parts: Callable[[Body, PassageContext], Iterable[Part]] = document_parts
    page_parts: Callable[[ContentView, Address], PageParts] | None = None


AnyRendering = PageRendering[Any]
"""A rendering whose resource is not known."""

RENDERINGS: dict[PageType, AnyRendering] = {}
"""The declared renderings; `renderers.renderings` adds those of the other page types."""


def declare_rendering(rendering: PageRendering[Body], *pages: PageType) -> None:
    """Add the rendering of some page types; raises ValueError if one has another."""
    for page in pages:
        if RENDERINGS.setdefault(page, rendering) is not rendering:
            raise ValueError(f"The page type “{page.name}” has two renderings: remove one.")

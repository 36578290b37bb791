"""Page renderings: how the pages of one type look in each representation, and their titles.

The modules of `renderers/pages/` declare them; `page_renderings` imports these at its first call.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules, resolve_name
from typing import Any, Generic, NamedTuple, TypeVar

from knowledge.addresses.addresses import Address
from knowledge.blocks.block import Block, Picture
from knowledge.fields.page_type import PageType
from knowledge.locales.locale import Language
from knowledge.resources.base import LocalizedResource, Resource
from knowledge.resources.declarations import DECLARED_FORMS
from knowledge.resources.document_page import DocumentPage
from knowledge.resources.site_chrome import site_chrome
from knowledge.resources.site_page import Breadcrumb, PageContent, PageModel, breadcrumbs
from knowledge.sections.sections import DECLARED_SECTIONS
from knowledge.views.content_view import ContentView
from renderers.l10n.translation import in_site_texts, translate
from renderers.representation import MediaType, Representation


class Call(NamedTuple):
    """What the bar at the foot of phones asks for: a link, or `product`, in the form of a page."""

    label: str
    href: str = ""
    product: str = ""


_TEMPLATES = Path(__file__).parent / "templates"
_PAGES = Path(__file__).parent / "pages"


Body = TypeVar("Body", bound=Resource)
Variables = Mapping[str, Any]
Properties = Iterable[tuple[str, str | None]]
Node = dict[str, Any]
"""A node of a schema.org graph."""


@dataclass(frozen=True, kw_only=True)
class PageRendering(Generic[Body]):
    """The parts of a rendering; without them, a page looks like one of one document.

    `template` is by default the name of the page type. `heading` returns the title, or None for
    that of the last breadcrumb. `blocks` yields what a page shows below its title, from which its
    markdown, its JSON and its passages follow; it gets a `MarkdownContext`, too. `variables` are
    those of the template besides the resource. `searched` builds the resource without other
    documents, for its passages. `nodes` are added to the JSON-LD; the first is what the page is
    about. `kind` is the type for Open Graph, and `properties` are what it knows of that type.
    `image` is the picture, with its alternative text if it has one, and `description` replaces a
    missing one of the author.
    `former` are variables that only templates of sites read: the built-in ones show blocks.
    `call` is what the bar at the foot of phones asks for, by default what the main button does.
    """

    resources: tuple[type[Body], ...] = ()
    template: str = ""
    heading: Callable[[PageContent[Body]], str | None] | None = None
    blocks: Callable[[PageContent[Body], Any], Iterable[Block]] | None = None
    variables: Callable[[PageModel[Body]], Variables] | None = None
    former: Mapping[str, Callable[[PageModel[Body]], Any]] = field(default_factory=dict)
    searched: Callable[[ContentView, Address], LocalizedResource[Body]] | None = None
    nodes: Callable[[PageModel[Body]], Iterable[Node]] | None = None
    kind: str = "website"
    properties: Callable[[PageModel[Body]], Properties] | None = None
    image: Callable[[PageModel[Body]], Picture | None] | None = None
    description: Callable[[PageModel[Body]], str | None] | None = None
    call: Callable[[PageModel[Body]], Call | None] | None = None


AnyRendering = PageRendering[Any]
"""A rendering whose resource is not known."""

_DECLARED: dict[str, AnyRendering] = {}


def declare_rendering(rendering: PageRendering[Body], *pages: PageType | str) -> None:
    """Add the rendering of some page types or forms; raises ValueError if one has another."""
    for form in (page if isinstance(page, str) else page.form for page in pages):
        if _DECLARED.setdefault(form, rendering) is not rendering:
            raise ValueError(f"The page type “{form}” has two renderings: remove one.")


@cache
def page_renderings() -> Mapping[str, AnyRendering]:
    """Return the rendering of each form of pages; raises ValueError if a template is missing."""
    for module in iter_modules([str(_PAGES)]):
        import_module(f"renderers.pages.{module.name}")
    for name in DECLARED_SECTIONS.names:
        _require_template(f"section type “{name}”", f"parts/sections/{name}.html")
    return {form: _complete(form) for form in DECLARED_FORMS}


def _complete(form: str) -> AnyRendering:
    rendering = _DECLARED.get(form) or PageRendering[Resource]()
    template = rendering.template or f"{form}.html"
    _require_template(f"page type “{form}”", template)
    return replace(rendering, template=template)


def _require_template(of: str, template: str) -> None:
    if not (_TEMPLATES / template).is_file():
        raise ValueError(f"The {of} has no template: add renderers/templates/{template}.")


def rendering_of(page: PageType) -> AnyRendering:
    """Return the rendering of the pages of a type."""
    return page_renderings()[page.form]


@in_site_texts
def page_title(page: PageContent[Resource]) -> str:
    """Return the level-1 heading of a page: its own, its last breadcrumb or the site's title."""
    heading, resource = rendering_of(page.address.page).heading, page.resource
    document = resource.document if isinstance(resource, DocumentPage) else None
    own = heading(page) if heading else document and document.heading
    return own or last_breadcrumb_title(page) or site_chrome(page.view, page.address).site_title


def last_breadcrumb_title(page: PageContent[Resource]) -> str:
    """Return the title of the last breadcrumb, which is that of the page; `""` without any."""
    known = page.breadcrumbs if isinstance(page, PageModel) else None
    last = (breadcrumbs(page.view, page.address) if known is None else known)[-1:]
    return "".join(breadcrumb_title(breadcrumb, page.locale.language) for breadcrumb in last)


def breadcrumb_title(breadcrumb: Breadcrumb, language: Language) -> str:
    """Return the title of a breadcrumb, or the name of its type of page if it has no title."""
    title = breadcrumb.page.title
    return breadcrumb.title or (translate(title, language) if title else "")


PageRenderer = Callable[[PageModel[Resource]], Representation]


@cache
def page_renderers() -> Mapping[MediaType, PageRenderer]:
    """Return the function that renders a public page in each media type.

    Raises ValueError if one is missing, or a template.
    """
    page_renderings()
    return {each: _renderer(each) for each in MediaType}


def _renderer(media_type: MediaType) -> PageRenderer:
    try:
        renderer: PageRenderer = resolve_name(media_type.renderer)
    except (ImportError, AttributeError) as error:
        module, _, function = media_type.renderer.partition(":")
        message = f"{media_type} has no renderer: write {function}(page) in the module {module}."
        raise ValueError(message) from error
    return renderer


def picture_at(url: str | None, alt: str | None) -> Picture | None:
    """Return the picture at a path or URL; None without one."""
    return Picture(url=url, alt=alt or "") if url else None

"""The tool `fetch`: the text of a page or of one of its sections, as ChatGPT expects it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import dropwhile, takewhile
from typing import Annotated, NamedTuple
from urllib.parse import unquote, urlsplit

from pydantic import BaseModel, Field

from app.features.mcp.pages import FoundPage, PageId, find_page, guide_text, text_parts
from app.features.mcp.tool import Arguments, Tool, ToolContext, ToolError, shortened
from knowledge.addresses.addresses import split_locale
from knowledge.blocks.section import DocumentSection
from knowledge.documents.body import one_line
from knowledge.locales.locale import Language
from knowledge.markdown.inline import without_html
from knowledge.markdown.tokens import estimate_tokens
from knowledge.resources.base import Resource
from knowledge.resources.document_page import DocumentPage
from knowledge.resources.passages import PageParts, Part
from knowledge.resources.search import country_facts
from knowledge.resources.site_map import BUILTIN_PAGES, builtin_pages
from knowledge.resources.site_page import PageMeta, PageModel
from knowledge.views.content_view import ContentView
from llms.phrases import site_name
from renderers.blocks.context import with_markdown_links
from renderers.l10n.formats import timestamp
from renderers.markdown.passages import page_parts
from renderers.markdown.renderer import documentation_text, page_text
from renderers.page_rendering import page_title

_MAX_TITLE = 300
_MAX_ANCHORS = 20


class FetchArguments(Arguments):
    """What is fetched."""

    id: Annotated[
        str, Field(min_length=1, description="A path such as /sa/ar/faq or /sa/ar/faq#vat")
    ]


class FetchedText(BaseModel):
    """The text of a page or section, or a part of it."""

    id: str
    title: str
    text: str
    url: str
    metadata: Annotated[
        dict[str, str],
        Field(
            description="lang, country, tokens, updated; page of a section;"
            " part, next of a long text;"
            " fallback_used if it is in another language than asked for"
        ),
    ]


def _fetch(context: ToolContext, arguments: FetchArguments) -> FetchedText:
    """Return a text; raises ToolError, or NotFound for a page that has nothing to show now."""
    asked = PageId.parse(arguments.id, context.base_url)
    locales = context.edition.snapshot.locales
    builtin = BUILTIN_PAGES.get(asked.path.lower())
    if context.manual and builtin is not None and builtin in builtin_pages(locales):
        manual = context.manual(context.view(locales.default), builtin)
        own = asked._replace(path=builtin.path, anchor="")
        return _fetched(own, manual, manual.page.title, documentation_text(manual))
    guide = _guide(context, asked)
    if guide:
        return guide
    found = find_page(context, asked)
    page = found.model
    if found.id.anchor:
        return _section(found, page, page_parts(found.view, found.address, page.answer))
    facts = country_facts(found.view.locale)
    return _fetched(found.id, page, page_title(page), page_text(page), facts)


def _guide(context: ToolContext, asked: PageId) -> FetchedText | None:
    """Return the llms.txt of a locale, or None; without a locale that of the call."""
    locale, rest = split_locale(asked.path.lower())
    view = context.view(locale or context.locale)
    if view.locale not in view.snapshot.open_locales:
        return None
    text = guide_text(view, rest, context.server)
    own = asked._replace(path=view.locale.path + rest, anchor="")
    facts = {"lang": str(view.locale.language), **country_facts(view.locale)}
    return _text_of(own, view, f"{site_name(view)}: {rest[1:]}", text, facts) if text else None


def _section(found: FoundPage, page: PageModel[Resource], whole: PageParts) -> FetchedText:
    """Return a section; that of the level-1 heading is the whole page."""
    title, facts = page_title(page), country_facts(found.view.locale)
    for anchor in (found.id.anchor, found.id.anchor.lower()):
        own = found.id._replace(anchor=anchor)
        if anchor in whole.anchor:
            return _fetched(own._replace(anchor=""), page, title, page_text(page), facts)
        section = section_text(found.view, whole, page.answer.resource, anchor)
        if section:
            title = f"{title}: {section.heading}" if section.heading else title
            facts = {"page": str(own._replace(anchor="", part=1)), **facts}
            return _fetched(own, page, title, section.text, facts)
    raise ToolError(_no_section(found.id, whole))


def _fetched(
    own: PageId, page: PageMeta, title: str, text: str, more: Mapping[str, str] | None = None
) -> FetchedText:
    """Return the text of a page, or the part of it that the id asks for, with facts about it."""
    facts = {"lang": str(page.language), **(more or {})}
    if page.updated_at:
        facts["updated"] = timestamp(page.updated_at, page.view.locale)
    if isinstance(page.language, Language) and page.language is not page.view.locale.language:
        facts["fallback_used"] = "true"
    return _text_of(own, page.view, title, text, facts)


def _text_of(
    own: PageId, view: ContentView, title: str, text: str, facts: dict[str, str]
) -> FetchedText:
    parts = text_parts(text)
    if own.part > len(parts):
        raise ToolError(f"{own} does not exist: the text has {len(parts)} parts.")
    shown = parts[own.part - 1]
    facts["tokens"] = str(estimate_tokens(shown))
    if len(parts) > 1:
        facts["part"] = f"{own.part} of {len(parts)}"
    if own.part < len(parts):
        facts["next"] = str(own._replace(part=own.part + 1))
    return FetchedText(
        id=str(own),
        title=one_line(title, _MAX_TITLE),
        text=shown,
        url=view.absolute(own.site_path),
        metadata=facts,
    )


def _no_section(own: PageId, whole: PageParts) -> str:
    page, anchors = own._replace(anchor="", part=1), anchors_of(whole)[:_MAX_ANCHORS]
    sections = f"Its sections: {', '.join(f'#{each}' for each in anchors)}. " if anchors else ""
    shown = shortened(own.anchor)
    return f"The page {page} has no section “{shown}”. {sections}Fetch {page} for the whole page."


_SMALLEST_HEADING = 6


class SectionText(NamedTuple):
    """A section: its heading, `""` for the text before the first one, and its CommonMark."""

    heading: str
    text: str


def section_text(
    view: ContentView, whole: PageParts, resource: Resource, anchor: str
) -> SectionText | None:
    """Return the section with an anchor, or None; `resource` is that of the page."""
    found = _by_anchor(whole.parts, anchor) or _in_document(whole.parts, resource, anchor)
    if not found:
        return None
    headings, parts = found
    text = "\n\n".join(filter(None, _blocks(whole, parts, headings[:-1])))
    text = with_markdown_links(text, view.base_url, view.snapshot.page_types)
    return SectionText(headings[-1] if headings else "", text)


_Found = tuple[tuple[str, ...], Sequence[Part]]


def _by_anchor(parts: Sequence[Part], anchor: str) -> _Found | None:
    rest = list(dropwhile(lambda part: anchor not in part.anchor, parts))
    if not rest:
        return None
    headings = rest[0].headings
    if not headings:
        return headings, list(takewhile(lambda part: anchor in part.anchor, rest))
    return headings, _below(rest, headings)


def _in_document(parts: Sequence[Part], resource: Resource, anchor: str) -> _Found | None:
    """Return what has a former anchor, one of a heading in a list, or a smaller first heading."""
    sections = resource.document.sections if isinstance(resource, DocumentPage) else ()
    for section in sections:
        own = next((each for each in section.anchors if anchor in each), None)
        if own or anchor == section.id:
            return _by_anchor(parts, own.id if own else "") or _of_section(parts, section)
    return None


def _of_section(parts: Sequence[Part], section: DocumentSection) -> _Found | None:
    if not section.heading:
        return _by_anchor(parts, section.id)
    headings = (section.heading,)
    rest = dropwhile(lambda part: part.headings[:1] != headings, parts)
    return headings, _below(rest, headings)


def _below(parts: Iterable[Part], headings: tuple[str, ...]) -> Sequence[Part]:
    return list(takewhile(lambda part: part.headings[: len(headings)] == headings, parts))


def _blocks(whole: PageParts, parts: Iterable[Part], above: tuple[str, ...]) -> Iterator[str]:
    """Yield the headings and texts of parts; a heading that is already `above` is not repeated."""
    for part in parts:
        pairs = zip(above, part.headings, strict=False)
        shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
        for depth, heading in enumerate(part.headings[shared:], shared + 2):
            yield f"{'#' * min(depth, _SMALLEST_HEADING)} {heading}"
        yield from (without_html(text) for _, text in part.blocks)
        above = part.headings


def anchors_of(whole: PageParts) -> Sequence[str]:
    """Return the anchors of the sections of a page, in order."""
    below = (part.anchor for part in whole.parts if part.anchor != whole.anchor)
    return list(dict.fromkeys(anchor.id for anchor in below))


FETCH = Tool(
    name="fetch",
    title="Read a page",
    description=(
        "Returns a page of this site, or one section of it, as markdown. A text of more than"
        " 40,000 characters comes in parts; metadata.next is the id of the next one."
    ),
    use="For a page of {site} of which the id or the URL is known.",
    arguments=FetchArguments,
    result=FetchedText,
    call=_fetch,
    page=lambda fetched: unquote(urlsplit(fetched.url).path),
)

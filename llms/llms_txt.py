"""llms.txt, an index of pages and when to use them; and llms-full.txt with their texts.

`/llms.txt` lists the pages of one locale and links to the files of all locales. If the pages of
a locale do not fit into `/{cc}/{lang}/llms.txt`, they continue in `llms-2.txt`, `llms-3.txt` and
so on.

llms-full.txt has the pages in the order of llms.txt, each complete. The first page that does not
fit ends the text, which limits its size and the time to render it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice

from knowledge.addresses.addresses import Address, file_at
from knowledge.diagnostics.messages import mark as _
from knowledge.fields.page_type import PageGroup
from knowledge.markdown.tokens import estimate_tokens
from knowledge.resources import queries
from knowledge.resources.queries import PageQuery
from knowledge.resources.site_map import SiteMap
from knowledge.resources.site_page import site_page
from knowledge.views.content_view import ContentView
from llms.envelope import (
    Envelope,
    head,
    locale_envelope,
    part_envelope,
    section,
    service_envelope,
    summary,
)
from llms.mcp_server import McpServer
from llms.page_lines import LlmsSection, fit, pack, page_lines, shared_reasons
from llms.phrases import guide_path, locale_name, more_line, say, site_name
from renderers.markdown.renderer import MEDIA_TYPE, page_chapter
from renderers.representation import Representation


def render_service(
    view: ContentView, site_map: SiteMap, partners: bool = True, mcp: McpServer | None = None
) -> Representation:
    """Render `/llms.txt`, the guide to the service with the pages of the view's locale.

    `partners` says whether it names the partner interface, `mcp` is the MCP server that runs.
    """
    envelope = service_envelope(view, partners, mcp)
    size = _available_characters(envelope)
    shown, rest = page_lines(view, site_map).once(
        (render_service, size), lambda: fit(_page_sections(view, site_map), size)
    )
    more = _more_lines(view, [rest] if rest else [], first=1)
    return _file(view, site_map, envelope, shown, more)


def prepare(view: ContentView, site_map: SiteMap, mcp: McpServer | None = None) -> None:
    """Make the lines of the view's locale, and find which file has them."""
    _distribute(view, site_map, locale_envelope(view, mcp))


def render_locale(
    view: ContentView, site_map: SiteMap, mcp: McpServer | None = None
) -> Representation:
    """Render the llms.txt of the view's locale."""
    envelope = locale_envelope(view, mcp)
    shown, parts = _distribute(view, site_map, envelope)
    return _file(view, site_map, envelope, shown, _more_lines(view, parts, first=2))


def render_part(
    view: ContentView, site_map: SiteMap, number: int, mcp: McpServer | None = None
) -> Representation | None:
    """Render `llms-{number}.txt` of the view's locale, or return None if there is none."""
    _, parts = _distribute(view, site_map, locale_envelope(view, mcp))
    if not 2 <= number <= len(parts) + 1:
        return None
    following = _more_lines(view, parts[number - 1 : number], first=number + 1)
    return _file(view, site_map, part_envelope(view, number), parts[number - 2], following)


_MORE_CHARACTERS = 6_000
_REASONS_CHARACTERS = 2_000
_MAX_PART_NUMBER = 10_000
"""Used to compute the space for pages in a part, as its title contains its number."""


def _distribute(
    view: ContentView, site_map: SiteMap, envelope: Envelope
) -> tuple[list[LlmsSection], list[list[LlmsSection]]]:
    """Return the sections of the locale's first file, and those of each further file."""
    sizes = (
        _available_characters(envelope),
        _available_characters(part_envelope(view, _MAX_PART_NUMBER)),
    )

    def distributed() -> tuple[list[LlmsSection], list[list[LlmsSection]]]:
        shown, rest = fit(_page_sections(view, site_map), sizes[0])
        return shown, list(pack(rest, sizes[1]))

    return page_lines(view, site_map).once((_distribute, *sizes), distributed)


_SECTIONS = _("When to read the pages of a section, unless a line says more:")
SERVICE_PATH = "/llms.txt"
LIMIT = 50_000
"""Every file has fewer characters than this."""


def _available_characters(envelope: Envelope) -> int:
    return LIMIT - envelope.size - _MORE_CHARACTERS - _REASONS_CHARACTERS


def _file(
    view: ContentView,
    site_map: SiteMap,
    envelope: Envelope,
    pages: Sequence[LlmsSection],
    more: Iterable[str],
) -> Representation:
    more_section, _rest = section(view, _("More pages"), more).split(_MORE_CHARACTERS)
    sections = (*pages, more_section, *envelope.tail)
    head = envelope.head + _reasons(view, site_map, {each.heading for each in pages})
    text = head + "".join(part.text for part in sections if part.lines)
    language = view.locale.language
    return Representation(MEDIA_TYPE, text.encode(), language, tokens=estimate_tokens(text))


def _reasons(view: ContentView, site_map: SiteMap, headings: Collection[str]) -> str:
    """Return when to read the pages of sections, as far as no line says it."""
    lines = page_lines(view, site_map)
    bullets = lines.once(
        _reasons,
        lambda: [
            (_heading(view, group), say(view, _("; ")).join(reasons))
            for group, types in lines.types
            if (reasons := dict.fromkeys(shared_reasons(view, types)))
        ],
    )
    shown = [f"- {heading}: {text}\n" for heading, text in bullets if heading in headings]
    text = f"\n{say(view, _SECTIONS)}\n\n{''.join(shown)}"
    return text if shown and len(text) <= _REASONS_CHARACTERS else ""


def _page_sections(view: ContentView, site_map: SiteMap) -> list[LlmsSection]:
    lines = page_lines(view, site_map)
    return lines.once(
        _page_sections,
        lambda: [LlmsSection(_heading(view, group), texts) for group, texts in lines.groups],
    )


def _heading(view: ContentView, group: PageGroup) -> str:
    """Return the heading of a group; a site without countries may be that of no company."""
    if group is queries.COMPANY and not view.snapshot.countries:
        return say(view, _("Pages"))
    return say(view, group.heading)


def _more_lines(
    view: ContentView, files: Iterable[Iterable[LlmsSection]], first: int
) -> Iterable[str]:
    """Return the lines that link to further files, the first of which has this number."""
    return (
        more_line(view, [part.heading for part in file], guide_path(view.locale, number))
        for number, file in enumerate(files, start=first)
    )


FULL_PATH = "/llms-full.txt"
FULL_LIMIT = 500_000
"""Maximum number of characters of a text."""

_END_CHARACTERS = 1_000
_MAX_PAGES = 1_000
"""Maximum number of pages, even if they are short, because rendering each takes time."""


def render_full(view: ContentView, site_map: SiteMap, limit: int = FULL_LIMIT) -> Representation:
    """Render the pages of the view's locale."""
    pages, text = _addresses(view, site_map), _head(view, limit)
    chapters = list(_chapters(view, pages, limit - len(text) - _END_CHARACTERS))
    text += "".join(chapters)
    if len(chapters) < len(pages):
        text += _end(view, limit, len(chapters), len(pages))
    language, tokens = view.locale.language, estimate_tokens(text)
    return Representation(MEDIA_TYPE, text.encode(), language, tokens=tokens)


def _head(view: ContentView, limit: int) -> str:
    title = say(
        view,
        _("%(site)s: %(locale)s, all pages as one text"),
        site=site_name(view),
        locale=locale_name(view, view.locale),
    )
    order = _("Each page begins with its title and its address. At most %(limit)s characters.")
    return head(title, summary(view), say(view, order, limit=f"{limit:,}"))


def _addresses(view: ContentView, site_map: SiteMap) -> list[Address]:
    """Return the addresses of all pages except lists, whose pages are included themselves."""
    lines = page_lines(view, site_map)
    return lines.once(
        _addresses,
        lambda: [address for address in lines.addresses if not address.page.lists_pages],
    )


def _chapters(view: ContentView, addresses: Iterable[Address], characters: int) -> Iterator[str]:
    chapters = view.snapshot.left_out.each(
        islice(addresses, _MAX_PAGES),
        lambda address: f"\n---\n\n{page_chapter(site_page(view, address, PageQuery()))}",
        partial(file_at, view.snapshot),
    )
    for chapter in chapters:
        characters -= len(chapter)
        if characters < 0:
            return
        yield chapter


def _end(view: ContentView, limit: int, shown: int, total: int) -> str:
    """Return the note on omitted pages: their number and the URL that lists them."""
    cut = _(
        "This text ends here at its limit of %(limit)s characters: it holds %(shown)s of"
        " %(total)s pages. The others are listed in %(url)s"
    )
    url = view.absolute(guide_path(view.locale))
    text = say(view, cut, limit=f"{limit:,}", shown=shown, total=total, url=url)
    return f"\n---\n\n{text}\n"

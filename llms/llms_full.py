"""llms-full.txt: the pages of a locale as one Markdown text, up to a size limit.

Pages are in the order of llms.txt and always complete. The first page that does not fit ends the
text, which limits its size and the time to render it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice

from knowledge.addresses.addresses import Address, file_at
from knowledge.diagnostics.messages import mark as _
from knowledge.markdown.tokens import estimate_tokens
from knowledge.resources.queries import PageQuery
from knowledge.resources.site_map import SiteMap
from knowledge.resources.site_page import site_page
from knowledge.views.content_view import ContentView
from llms.envelope import head, summary
from llms.lines import guide_path, locale_name, say, site_name
from llms.page_lines import page_lines
from renderers.markdown.renderer import MEDIA_TYPE, page_chapter
from renderers.representation import Representation

SERVICE_PATH = "/llms-full.txt"
LIMIT = 500_000
"""Maximum number of characters of a text."""

_END_CHARACTERS = 1_000
_MAX_PAGES = 1_000
"""Maximum number of pages, even if they are short, because rendering each takes time."""


def render(view: ContentView, site_map: SiteMap, limit: int = LIMIT) -> Representation:
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
        islice(addresses, _MAX_PAGES), partial(_chapter, view), partial(file_at, view.snapshot)
    )
    for chapter in chapters:
        characters -= len(chapter)
        if characters < 0:
            return
        yield chapter


def _chapter(view: ContentView, address: Address) -> str:
    return f"\n---\n\n{page_chapter(site_page(view, address, PageQuery()))}"


def _end(view: ContentView, limit: int, shown: int, total: int) -> str:
    """Return the note on omitted pages: their number and the URL that lists them."""
    cut = _(
        "This text ends here at its limit of %(limit)s characters: it holds %(shown)s of"
        " %(total)s pages. The others are listed in %(url)s"
    )
    url = view.absolute(guide_path(view.locale))
    text = say(view, cut, limit=f"{limit:,}", shown=shown, total=total, url=url)
    return f"\n---\n\n{text}\n"

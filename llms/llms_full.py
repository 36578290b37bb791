"""llms-full.txt: a locale's pages as one markdown text, as far as its limit lets it go.

Pages come in the order of llms.txt and are never torn apart: the first that does not fit ends
the text, so that both its size and the time to write it stay within bounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice

from knowledge.addresses import Address, Page, file_at
from knowledge.content_view import ContentView
from knowledge.resources.site_map import SiteMap
from knowledge.resources.site_page import PageQuery, site_page
from llms.envelope import head, summary
from llms.lines import guide_path, locale_name, messages_for
from llms.page_index import page_index
from renderers.html.head import brand
from renderers.markdown import MEDIA_TYPE, page_chapter
from renderers.representation import Representation
from renderers.tokens import estimate_tokens

SERVICE_PATH = "/llms-full.txt"
LIMIT = 500_000
"""Characters that a text does not exceed."""

_LISTS = (Page.BLOG, Page.CATEGORY, Page.PRODUCTS)
"""What they list comes as chapters; what they must not lead to here may be on them."""

_ROOM_FOR_END = 1_000
_MOST_PAGES = 1_000
"""However short they are: reading them takes time too."""


def render(view: ContentView, site_map: SiteMap, limit: int = LIMIT) -> Representation:
    """The pages of the view's locale."""
    texts, pages = messages_for(view), _addresses(view, site_map)
    title = texts.full_title.format(site=brand(view), locale=locale_name(view, view.locale))
    text = head(title, summary(view), texts.full_summary.format(limit=f"{limit:,}"))
    chapters = list(_fitting(view, pages, limit - len(text) - _ROOM_FOR_END))
    text += "".join(chapters)
    if len(chapters) < len(pages):
        text += _end(view, limit, len(chapters), len(pages))
    language, tokens = view.locale.language, estimate_tokens(text)
    return Representation(MEDIA_TYPE, text.encode(), language, tokens=tokens)


def _addresses(view: ContentView, site_map: SiteMap) -> list[Address]:
    """The pages with a text of their own."""
    pages = (entry.address for group in page_index(view, site_map) for entry in group.pages)
    return [address for address in pages if address.page not in _LISTS]


def _fitting(view: ContentView, addresses: Iterable[Address], room: int) -> Iterator[str]:
    chapters = view.snapshot.left_out.each(
        islice(addresses, _MOST_PAGES), partial(_chapter, view), partial(file_at, view.snapshot)
    )
    for chapter in chapters:
        room -= len(chapter)
        if room < 0:
            return
        yield chapter


def _chapter(view: ContentView, address: Address) -> str:
    return f"\n---\n\n{page_chapter(site_page(view, address, PageQuery()))}"


def _end(view: ContentView, limit: int, shown: int, total: int) -> str:
    """What is said where pages are left out: how many, and where they are listed."""
    url = view.absolute(guide_path(view.locale))
    words = messages_for(view).full_cut
    return f"\n---\n\n{words.format(limit=f'{limit:,}', shown=shown, total=total, url=url)}\n"

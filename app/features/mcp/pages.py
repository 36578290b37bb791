"""Pages by their ids, such as `/sa/ar/erp?part=2#vat`, and the parts of long texts."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple, Self
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

from app.features.mcp.tool import ToolContext, ToolError, shortened
from app.publishing.content.passage_finder import nearest_pages
from knowledge.addresses.addresses import UNLOCALIZED, Address, parse_address, split_locale
from knowledge.addresses.former_addresses import Redirect, former_address
from knowledge.markdown.tokens import estimate_tokens
from knowledge.resources.base import Resource
from knowledge.resources.document_page import NotPublishedHere, missing_page
from knowledge.resources.passages import SENTENCE_END
from knowledge.resources.queries import PageQuery, PostQuery
from knowledge.resources.seo import is_visible_route
from knowledge.resources.site_map import site_map
from knowledge.resources.site_page import PageModel, site_page
from knowledge.snapshot.redirect_rules import GONE
from knowledge.views.content_view import ContentView
from llms import llms_txt
from llms.mcp_server import McpServer
from renderers.representation import MediaType, split_suffix

_OTHERWISE = "Look for it with search, or list the pages with list_pages."

_SLASHES = re.compile(r"/+")
_NUMBER = re.compile(r"[1-9]\d{0,5}", re.ASCII)


class PageId(NamedTuple):
    """A page by its site path, perhaps one of its sections by its anchor.

    `part` is that of a text that is too long for one answer, `page` that of a list of posts.
    """

    path: str
    anchor: str = ""
    part: int = 1
    page: int = 1

    def __str__(self) -> str:
        """Return the id as tools give it."""
        numbers = {"page": self.page, "part": self.part}
        query = urlencode({name: number for name, number in numbers.items() if number > 1})
        return self.path + (f"?{query}" if query else "") + self.fragment

    @property
    def fragment(self) -> str:
        """The anchor with its number sign, `""` without one."""
        return f"#{self.anchor}" if self.anchor else ""

    @property
    def site_path(self) -> str:
        """The site path at which readers find it."""
        return str(self._replace(part=1))

    @classmethod
    def parse(cls, text: str, base_url: str) -> Self:
        """Read an id, also the URL of a page or of its markdown; raises ToolError.

        >>> str(PageId.parse("https://a.test/sa/ar/erp.md#vat", "https://a.test"))
        '/sa/ar/erp#vat'
        >>> str(PageId.parse(" sa/ar/erp/?part=2", "https://a.test"))
        '/sa/ar/erp?part=2'
        """
        host = urlsplit(base_url).netloc.lower()
        try:
            asked = urlsplit(text.strip())
        except ValueError:
            raise ToolError(_elsewhere(text)) from None
        if asked.netloc.lower() not in ("", host):
            raise ToolError(_elsewhere(text))
        query = parse_qs(asked.query)
        decoded, _, encoded_anchor = unquote(asked.path).partition("#")
        path = _SLASHES.sub("/", f"/{decoded}").rstrip("/").removeprefix(f"/{host}")
        return cls(
            _page_path(path) or "/",
            unquote(asked.fragment) or encoded_anchor,
            _number(query.get("part", [""])[0]),
            _number(query.get("page", [""])[0]),
        )


class FoundPage(NamedTuple):
    """A page that is published for the readers of a view, and its id as tools give it."""

    view: ContentView
    address: Address
    id: PageId

    @property
    def model(self) -> PageModel[Resource]:
        """The page as renderers take it."""
        return site_page(self.view, self.address, PageQuery(posts=PostQuery(page=self.id.page)))


def find_page(context: ToolContext, asked: PageId) -> FoundPage:
    """Return the page of an id; raises ToolError, which names the nearest ids."""
    for spelling in _spellings(context, asked):
        view, address = _place(context, spelling.path)
        if address and is_visible_route(view, address):
            return FoundPage(view, address, spelling._replace(path=view.locale.path + address.path))
    raise ToolError(_missing(context, asked))


def _spellings(context: ToolContext, asked: PageId) -> Iterator[PageId]:
    """Yield an id, the same in lower case, without `/index`, and where its page is now."""
    yield asked
    yield asked._replace(path=asked.path.lower())
    yield asked._replace(path=asked.path.lower().removesuffix("/index") or "/")
    moved = _redirect(context, asked)
    if moved and moved.is_page:
        yield asked._replace(path=PageId.parse(moved.location, context.base_url).path)


def _redirect(context: ToolContext, asked: PageId) -> Redirect | None:
    return former_address(context.edition.snapshot, asked.path, context.locale, context.now)


def _place(context: ToolContext, path: str) -> tuple[ContentView, Address | None]:
    """Return the locale and the address of a path; one without locale is in that of the call."""
    locale, rest = split_locale(path)
    view = context.view(locale or context.locale)
    return view, parse_address(rest, view.snapshot)


_GUIDE = re.compile(r"/llms(?:-([1-9]\d{0,3}))?\.txt", re.ASCII)


def guide_text(view: ContentView, rest: str, server: McpServer) -> str | None:
    """Return the llms.txt of a view's locale by its path below the locale, or a further part."""
    match = _GUIDE.fullmatch(rest)
    if match is None:
        return None
    pages, number = site_map(view.snapshot, view.now), int(match[1] or 1)
    if number == 1:
        return llms_txt.render_locale(view, pages, server).body.decode()
    part = llms_txt.render_part(view, pages, number, server)
    return part.body.decode() if part else None


def _missing(context: ToolContext, asked: PageId) -> str:
    shown = shortened(asked.path)
    moved = _redirect(context, asked)
    if moved and moved.status == GONE:
        return f"The page {shown} has been removed on purpose. {_OTHERWISE}"
    if moved and not moved.is_page:
        return f"{shown} is now at {moved.location}, which is not a page of this site."
    view, address = _place(context, asked.path)
    if asked.path in UNLOCALIZED:
        return f"{shown} is not a page with an id. Read it at {context.base_url}{asked.path}."
    error = missing_page(view, address, "page") if address else None
    if isinstance(error, NotPublishedHere) and error.missing.fallback:
        other = PageId.parse(error.missing.fallback.href, context.base_url)
        return f"{shown} is not published for {view.locale.tag}. Use {other} instead."
    return f"There is no page {shown}. {_nearest(context, asked)}"


def _nearest(context: ToolContext, asked: PageId) -> str:
    found = nearest_pages(context.edition.nearest, context.view(context.locale), asked.path)
    if not found:
        return _OTHERWISE
    ids = ", ".join(f"{path} ({shortened(title)})" for title, path in found)
    return f"Similar ids: {ids}. {_OTHERWISE}"


def _page_path(path: str) -> str:
    """Return the path of the page whose text is at a path; a sitemap is the text of none."""
    canonical, media_type = split_suffix(path)
    return path if media_type is MediaType.XML else canonical


def _number(text: str) -> int:
    return int(text) if _NUMBER.fullmatch(text) else 1


def _elsewhere(text: str) -> str:
    return (
        f"“{shortened(text)}” is not a page of this site. Send an id from search, find_passages"
        " or list_pages, such as /sa/ar/about."
    )


MAX_CHARACTERS = 40_000

_MAX_TOKENS = 20_000
"""Clients refuse answers of more than 25,000 tokens, and JSON adds to those of a text."""
_FENCE = re.compile(r" {0,3}(```+|~~~+)")

_FITTING_CHARACTERS = 10_000
"""So many characters fit, whatever they are."""


def text_parts(text: str) -> Sequence[str]:
    """Return a CommonMark text in parts that fit into one answer.

    Each ends at the highest of the borders that makes it fit, or else within a word.
    """
    return [part.strip() for part in _cut(text, 0)]


def _size(text: str) -> float:
    """Return how much of an answer a text takes; a text takes at most as much as its pieces."""
    return max(len(text) / MAX_CHARACTERS, estimate_tokens(text) / _MAX_TOKENS)


def _cut(text: str, level: int) -> list[str]:
    """Cut a text at the borders of a level; what is still too long, at those of the next one."""
    if _size(text) <= 1:
        return [text]
    if level == len(_BORDERS):
        starts = range(0, len(text), _FITTING_CHARACTERS)
        return [text[start : start + _FITTING_CHARACTERS] for start in starts]
    parts: list[str] = []
    pending, pending_size = [""], 0.0
    for start, end in pairwise([0, *_BORDERS[level](text), len(text)]):
        piece, size = text[start:end], _size(text[start:end])
        if pending_size + size <= 1:
            pending.append(piece)
            pending_size += size
            continue
        cut = (
            ["".join(pending), piece] if size <= 1 else _cut("".join((*pending, piece)), level + 1)
        )
        parts += cut[:-1]
        pending, pending_size = [cut[-1]], _size(cut[-1])
    return [*parts, "".join(pending)]


def _headings(pattern: re.Pattern[str], text: str) -> Iterator[int]:
    return (start for start, line in _lines_outside_code(text) if pattern.match(line))


def _paragraphs(text: str) -> Iterator[int]:
    """Yield where a line after a blank one starts."""
    was_blank = False
    for start, line in _lines_outside_code(text):
        if was_blank and line.strip():
            yield start
        was_blank = not line.strip()


def _lines_outside_code(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are in no fenced code, with their offsets."""
    fence = ""
    for start, line in _lines_with_starts(text):
        opened = _FENCE.match(line)
        if not fence:
            yield start, line
        if opened and (not fence or opened[1].startswith(fence)):
            fence = "" if fence else opened[1]


def _lines_with_starts(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.splitlines(keepends=True):
        yield start, line
        start += len(line)


_BORDERS: Sequence[Callable[[str], Iterator[int]]] = (
    partial(_headings, re.compile(r"#{1,2} ")),
    partial(_headings, re.compile(r"#{1,6} ")),
    _paragraphs,
    lambda text: (start for start, _ in _lines_with_starts(text)),
    lambda text: (match.end() for match in SENTENCE_END.finditer(text)),
)
"""Where a part may end: before a section, heading, paragraph or line, and after a sentence."""

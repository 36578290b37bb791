"""llms.txt: what there is and when to use it, for the whole service and for each locale.

`/llms.txt` shows one locale's pages and leads to the files of all. A locale whose pages do not
fit into its `/{cc}/{lang}/llms.txt` goes on in `llms-2.txt`, `llms-3.txt` and so on.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from knowledge.addresses import file_at
from knowledge.content_view import ContentView
from knowledge.resources.site_map import SiteMap
from llms.envelope import Envelope, locale_envelope, part_envelope, section, service_envelope
from llms.lines import guide_path, link_line, messages_for, page_line
from llms.messages import Heading, Link
from llms.page_index import Group, page_index
from llms.sections import LlmsSection, fit, pack
from renderers.markdown import MEDIA_TYPE
from renderers.representation import Representation
from renderers.tokens import estimate_tokens

SERVICE_PATH = "/llms.txt"
LIMIT = 50_000
"""Characters that no file reaches."""

_ROOM_FOR_MORE = 6_000
_DESCRIBED_PAGES = 150
"""With more pages than this, room goes to pages rather than to descriptions."""

_WIDEST_NUMBER = 10_000


def render_service(view: ContentView, site_map: SiteMap) -> Representation:
    """The guide to the whole service, with the pages of the view's locale."""
    envelope = service_envelope(view)
    shown, rest = fit(_page_sections(view, site_map), _room(envelope))
    more = [_more_line(view, rest, guide_path(view.locale))] if rest else []
    return _file(view, envelope, shown, more)


def render_locale(view: ContentView, site_map: SiteMap) -> Representation:
    """The guide to the view's locale."""
    envelope = locale_envelope(view)
    shown, parts = _shared_out(view, site_map, envelope)
    return _file(view, envelope, shown, _part_lines(view, parts, after=1))


def render_part(view: ContentView, site_map: SiteMap, number: int) -> Representation | None:
    """A further file of the view's locale, counted from 2, or None where there is none."""
    _, parts = _shared_out(view, site_map, locale_envelope(view))
    if not 2 <= number <= len(parts) + 1:
        return None
    following = islice(_part_lines(view, parts, after=number), 1)
    return _file(view, part_envelope(view, number), parts[number - 2], following)


def _shared_out(
    view: ContentView, site_map: SiteMap, envelope: Envelope
) -> tuple[list[LlmsSection], list[list[LlmsSection]]]:
    """What the locale's first file shows, and what each further one does."""
    shown, rest = fit(_page_sections(view, site_map), _room(envelope))
    return shown, list(pack(rest, _room(part_envelope(view, _WIDEST_NUMBER))))


def _room(envelope: Envelope) -> int:
    return LIMIT - envelope.size - _ROOM_FOR_MORE


def _file(
    view: ContentView, envelope: Envelope, pages: Iterable[LlmsSection], more: Iterable[str]
) -> Representation:
    further, _ = section(view, Heading.MORE, more).split(_ROOM_FOR_MORE)
    sections = (*pages, further, *envelope.tail)
    text = envelope.head + "".join(each.text for each in sections if each.lines)
    language = view.locale.language
    return Representation(MEDIA_TYPE, text.encode(), language, tokens=estimate_tokens(text))


def _page_sections(view: ContentView, site_map: SiteMap) -> list[LlmsSection]:
    groups = page_index(view, site_map)
    describe = sum(len(group.pages) for group in groups) <= _DESCRIBED_PAGES
    return [section(view, group.heading, _page_lines(view, group, describe)) for group in groups]


def _page_lines(view: ContentView, group: Group, describe: bool) -> Iterable[str]:
    return view.snapshot.left_out.each(
        group.pages,
        lambda entry: page_line(view, entry, describe),
        lambda entry: file_at(view.snapshot, entry.address),
    )


def _part_lines(
    view: ContentView, parts: Sequence[Iterable[LlmsSection]], after: int
) -> Iterable[str]:
    """The lines of the files that follow one of a number."""
    for number, part in enumerate(parts, start=2):
        if number > after:
            yield _more_line(view, part, guide_path(view.locale, number))


def _more_line(view: ContentView, sections: Iterable[LlmsSection], path: str) -> str:
    texts = messages_for(view)
    title = texts.more_title.format(headings=" / ".join(each.heading for each in sections))
    return link_line(view, Link(title, path, texts.more_reason))

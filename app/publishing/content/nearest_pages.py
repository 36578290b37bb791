"""The pages whose paths are most similar to one that does not exist."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from indexes.text.nearest import NearestPaths
from knowledge.addresses.addresses import parse_address
from knowledge.resources.document_page import title_of
from knowledge.resources.seo import is_visible_route, resolve_route
from knowledge.snapshot.layer_resolution import Resolved
from knowledge.views.content_view import ContentView

_MAX_NEAREST = 5
_MOST_TRIED = 200
"""Of so many similar paths at most it is checked whether there is a page for the reader."""


def nearest_pages(paths: NearestPaths, view: ContentView, path: str) -> Sequence[tuple[str, str]]:
    """Return title and site path of the pages most similar to a path that does not exist.

    Of a page and its copies for cities, the one beside that path is there, else the first.
    """
    beside = path.rpartition("/")[0]
    pages: dict[str, tuple[str, str]] = {}
    for similar in islice(paths.find(path), _MOST_TRIED):
        resolved = _shown_at(view, similar)
        if resolved is None:
            continue
        page, shown = resolved.entry.path, (title_of(resolved), view.locale.path + similar)
        if page not in pages and len(pages) == _MAX_NEAREST:
            break
        if page not in pages or shown[1].rpartition("/")[0] == beside:
            pages[page] = shown
    return list(pages.values())


def _shown_at(view: ContentView, path: str) -> Resolved | None:
    """Return what a page shows; None if it has no text in the reader's language."""
    address = parse_address(path)
    if address is None or not is_visible_route(view, address):
        return None
    resolved = resolve_route(view, address)
    if resolved is None or resolved.language is not view.locale.language:
        return None
    return resolved

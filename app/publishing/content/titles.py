"""Titles of pages by the beginnings of their words, as visitors type them into the search."""

from collections.abc import Sequence

from indexes.text.analysis import words
from indexes.text.words import fold
from knowledge.resources.document_page import title_of
from knowledge.resources.seo import resolve_route
from knowledge.resources.site_map import site_map
from knowledge.views.content_view import ContentView, cached_per_snapshot
from renderers.l10n.translation import in_site_texts, translate

_MAX_TITLES = 8
_ARTICLE = "ال"


def titles_beginning(view: ContentView, typed: str) -> Sequence[str]:
    """Return titles in which each typed word begins a word, first those that begin with it."""
    beginnings = [f" {word}" for word in words(fold(typed))]
    if not beginnings:
        return ()
    found = [
        (not own.startswith(beginnings[0]), number, title)
        for number, (title, own) in enumerate(_titles(view))
        if all(each in own for each in beginnings)
    ]
    return [title for _, _, title in sorted(found)[:_MAX_TITLES]]


@cached_per_snapshot
@in_site_texts
def _titles(view: ContentView) -> Sequence[tuple[str, str]]:
    """Return the titles of a locale, each with its words, Arabic ones also without the article."""
    titles = dict[str, str]()
    for address in site_map(view.snapshot, view.now).addresses(view.locale):
        resolved = resolve_route(view, address)
        own = title_of(resolved) if resolved else address.page.title
        title = own if resolved else translate(own, view.locale.language)
        found = words(fold(title))
        forms = (*found, *(word.removeprefix(_ARTICLE) for word in found))
        titles.setdefault(title, "".join(f" {word}" for word in forms))
    return [*titles.items()]

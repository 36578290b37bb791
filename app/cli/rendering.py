"""Rendering for the check: every page in each language, to find what cannot be shown."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import islice

from knowledge.addresses import Address, Page, file_at, variants
from knowledge.content_path import ContentType
from knowledge.content_view import ContentView
from knowledge.diagnostics import Diagnostic, Severity
from knowledge.errors import MajlisError
from knowledge.left_out import unshowable
from knowledge.links import route_of
from knowledge.locale import DEFAULT_LOCALE, Language
from knowledge.resolution import Entry
from knowledge.resources.catalogue import CatalogueQuery, catalogue
from knowledge.resources.site_page import PageQuery, site_page
from knowledge.snapshot import Snapshot
from renderers import feed, html, markdown

MOST_PAGES = 4_000
"""Page by page it takes some milliseconds each: of a larger site the rest is not rendered."""

_BASE_URL = "http://localhost"
_LISTS = (Page.HOME, Page.BLOG, Page.TESTIMONIALS, Page.PRODUCTS)


def rendering_faults(snapshot: Snapshot, now: datetime) -> Iterator[Diagnostic]:
    """The documents that cannot be shown, on their own page or on another."""
    pages = _pages(snapshot, now)
    for view, address in islice(pages, MOST_PAGES):
        yield from _page_fault(view, address)
    if next(pages, None) is not None:
        message = f"Only {MOST_PAGES} pages are rendered for this check."
        suggestion = "Check parts of the content in folders of their own."
        yield Diagnostic(".", message, suggestion, severity=Severity.NOTICE)
    catalogue(ContentView(snapshot, DEFAULT_LOCALE, now, _BASE_URL), CatalogueQuery())
    yield from snapshot.left_out.diagnostics


def _page_fault(view: ContentView, address: Address) -> Iterator[Diagnostic]:
    try:
        page = site_page(view, address, PageQuery())
        html.render(page)
        markdown.render(page)
        if address.page is Page.BLOG:
            feed.render(view)
    except MajlisError:
        return  # a document that has no page of its own
    except Exception as error:  # whatever it is, the check goes on
        reason = f"{type(error).__name__}: {error}"
        yield unshowable(file_at(view.snapshot, address), reason)


def _pages(snapshot: Snapshot, now: datetime) -> Iterator[tuple[ContentView, Address]]:
    """Every page once in each language, lists first; what is to come as of its day."""
    for page in _LISTS:
        yield from _resolutions(snapshot, Address(page), (now,))
    for kind in ContentType:
        for entry in snapshot.all(kind):
            address = route_of(entry)
            if address is not None:
                yield from _resolutions(snapshot, address, (now, *_openings(entry, now)))


def _openings(entry: Entry, now: datetime) -> Iterator[datetime]:
    for document in entry.documents:
        opening = document.metadata.get("published_at", document.metadata.get("dated"))
        if opening is not None and opening > now:
            yield opening


def _resolutions(
    snapshot: Snapshot, address: Address, instants: tuple[datetime, ...]
) -> Iterator[tuple[ContentView, Address]]:
    for now in instants:
        locales = variants(snapshot, address, now).locales
        for language in Language:
            spoken = (locale for locale in locales if locale.language is language)
            for locale in islice(spoken, 1):
                yield ContentView(snapshot, locale, now, _BASE_URL), address

"""Rendering for `majlis check`: renders each page in each language to find errors."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import islice

from knowledge.addresses import Address, file_at, route_of, variants
from knowledge.content_type import CONTENT_TYPES
from knowledge.content_view import ContentView
from knowledge.diagnostic_kinds import DiagnosticKind
from knowledge.diagnostics import Diagnostic, Severity
from knowledge.errors import MajlisError
from knowledge.layer_resolution import Entry
from knowledge.left_out import unshowable
from knowledge.locale import Language
from knowledge.page_type import PAGE_TYPES
from knowledge.resources.blog import BLOG_PAGE
from knowledge.resources.catalogue import CatalogueQuery, catalogue
from knowledge.resources.queries import PageQuery
from knowledge.resources.site_page import site_page
from knowledge.snapshot import Snapshot
from renderers import feed
from renderers.html import renderer as html
from renderers.markdown import renderer as markdown

MAX_PAGES = 4_000
"""Maximum number of pages to render, as each takes some milliseconds."""

_BASE_URL = "http://localhost"


def rendering_diagnostics(snapshot: Snapshot, now: datetime) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each document that cannot be rendered on some page."""
    pages = _pages(snapshot, now)
    for view, address in islice(pages, MAX_PAGES):
        yield from _page_diagnostic(view, address)
    if next(pages, None) is not None:
        message = f"The check has rendered only the first {MAX_PAGES} pages."
        suggestion = "Split the content into several folders and check each of them."
        yield Diagnostic(
            ".", message, suggestion, severity=Severity.NOTICE, kind=DiagnosticKind.NOT_RENDERED
        )
    catalogue(ContentView(snapshot, snapshot.locales.default, now, _BASE_URL), CatalogueQuery())
    yield from snapshot.left_out.diagnostics


def _page_diagnostic(view: ContentView, address: Address) -> Iterator[Diagnostic]:
    try:
        page = site_page(view, address, PageQuery())
        html.render(page)
        markdown.render(page)
        if address.page is BLOG_PAGE:
            feed.render(view)
    except MajlisError:
        return  # a document without its own page
    except Exception as error:  # the check reports it and continues
        reason = f"{type(error).__name__}: {error}"
        yield unshowable(file_at(view.snapshot, address), reason)


def _pages(snapshot: Snapshot, now: datetime) -> Iterator[tuple[ContentView, Address]]:
    """Yield every page once per language, lists first; future documents as of publication."""
    for page in PAGE_TYPES.listed:
        if page.is_list:
            yield from _views(snapshot, Address(page), (now,))
    for content_type in CONTENT_TYPES:
        for entry in snapshot.all(content_type):
            address = route_of(entry)
            if address is not None:
                yield from _views(snapshot, address, (now, *_publication_times(entry, now)))


def _publication_times(entry: Entry, now: datetime) -> Iterator[datetime]:
    for document in entry.documents:
        published_at = document.fields.published_at
        if published_at is not None and published_at > now:
            yield published_at


def _views(
    snapshot: Snapshot, address: Address, instants: tuple[datetime, ...]
) -> Iterator[tuple[ContentView, Address]]:
    for now in instants:
        locales = variants(snapshot, address, now).locales
        for language in Language:
            matches = (locale for locale in locales if locale.language is language)
            for locale in islice(matches, 1):
                yield ContentView(snapshot, locale, now, _BASE_URL), address

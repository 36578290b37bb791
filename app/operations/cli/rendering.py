"""Rendering for `majlis check`: each page in each language, and each image, to find errors."""

import os
from collections import defaultdict, deque
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from datetime import datetime
from itertools import chain, islice, repeat
from multiprocessing import get_context
from pathlib import Path

from app.platform import memory
from knowledge.addresses.addresses import Address, file_at, page_of, route_of, variants
from knowledge.diagnostics.diagnostic import (
    ContentFileError,
    Diagnostic,
    DiagnosticKind,
    Severity,
    unshowable,
)
from knowledge.diagnostics.messages import Text
from knowledge.documents.images import Images, open_image
from knowledge.fields.content_types import REGISTRY
from knowledge.fields.page_type import PageType
from knowledge.locales.locale import Language
from knowledge.resources.base import Resource
from knowledge.resources.blog import BLOG_PAGE
from knowledge.resources.catalogue import CatalogueQuery, catalogue
from knowledge.resources.document_page import section_forms
from knowledge.resources.errors import MajlisError
from knowledge.resources.forms import CONTACT_NAME
from knowledge.resources.queries import PageQuery
from knowledge.resources.site_map import DEVELOPERS
from knowledge.resources.site_page import DocumentationPage, PageModel, site_page
from knowledge.snapshot.snapshot import NO_DOCUMENTS, Snapshot
from knowledge.views.content_view import ContentView
from renderers.feeds import post_feeds as feed
from renderers.html import renderer as html
from renderers.html.renderer import FormState
from renderers.html.site_templates import template_diagnostics
from renderers.images.variants import PictureBroken, check_decoding
from renderers.markdown import renderer as markdown
from renderers.markdown.errors import ErrorPage

Page = tuple[ContentView, Address]

MAX_PAGES = 4_000
"""Maximum number of pages to render, as each takes some milliseconds."""

_PAGES_FOR_A_PROCESS = 500
"""How many pages are worth another process."""

_EXAMPLES = 3
_BASE_URL = "http://localhost"


@contextmanager
def rendering(
    snapshot: Snapshot, now: datetime, paths: Container[str] | None = None
) -> Iterator[Iterator[Diagnostic]]:
    """Render pages, or those of some files, and provide a diagnostic for each that fails.

    Processes that render many begin at once, beside what is done before the result is read.
    """
    pages = list(islice(_pages(snapshot, now, paths), MAX_PAGES + 1))
    not_rendered = Diagnostic(
        ".",
        Text("The check has rendered only the first {} pages.", MAX_PAGES),
        Text("Split the content into several folders and check each of them."),
        severity=Severity.NOTICE,
        kind=DiagnosticKind.NOT_RENDERED,
    )
    with _rendered(snapshot, pages[:MAX_PAGES]) as found:
        others = _others(snapshot, now) if paths is None else ()
        yield chain(found, [not_rendered] if len(pages) > MAX_PAGES else (), others)


def render_examples(snapshot: Snapshot, now: datetime) -> None:
    """Render some pages of each type in English, and what is outside of pages."""
    by_type: defaultdict[PageType, list[Page]] = defaultdict(list)
    for view, address in _pages(snapshot, now):
        if view.locale.language is Language.EN:
            by_type[address.page].append((view, address))
    examples = (each for pages in by_type.values() for each in pages[:_EXAMPLES])
    deque(chain(_render(snapshot, examples), _others(snapshot, now)), maxlen=0)


def _others(snapshot: Snapshot, now: datetime) -> Iterator[Diagnostic]:
    """Yield what is found outside of pages: in the catalogue, and in templates of the site."""
    view = ContentView(snapshot, snapshot.default_locale, now, _BASE_URL)
    catalogue(view.for_locale(snapshot.locales.default), CatalogueQuery())
    # What no document has, so that templates of the site are tried in all places.
    html.render_error(ErrorPage(404, view.locale, _BASE_URL, (), view))
    html.render_document(DocumentationPage(view, DEVELOPERS, "Text"))
    yield from template_diagnostics(snapshot)
    yield from snapshot.left_out.diagnostics
    yield from snapshot.templates.faults.diagnostics


def _render(snapshot: Snapshot, pages: Iterable[Page]) -> Iterator[Diagnostic]:
    """Render pages one after the other; also yield what their lists leave out."""
    tried: set[tuple[Language, str]] = set()
    for view, address in pages:
        yield from _page_diagnostic(view, address, tried)
    yield from snapshot.left_out.diagnostics
    yield from snapshot.templates.faults.diagnostics


_shared: list[tuple[Snapshot, Sequence[Page]]] = []
"""In a process that renders: the snapshot, and all pages of the check."""


@contextmanager
def _rendered(snapshot: Snapshot, pages: Sequence[Page]) -> Iterator[Iterator[Diagnostic]]:
    """Render pages in several processes, which have the memory of this one; few when asked."""
    count = min(os.cpu_count() or 1, len(pages) // _PAGES_FOR_A_PROCESS)
    if count <= 1:
        yield _render(snapshot, pages)
        return
    shared = ((snapshot, pages),)
    with ProcessPoolExecutor(count, get_context("fork"), _shared.append, shared) as processes:
        yield chain.from_iterable(processes.map(_render_share, range(count), repeat(count)))


def _render_share(first: int, step: int) -> list[Diagnostic]:
    """Render every so many pages; runs in a process that ends before its garbage counts."""
    ((snapshot, pages),) = _shared
    with memory.gc_frozen():
        return list(_render(snapshot, pages[first::step]))


def _page_diagnostic(
    view: ContentView, address: Address, tried: set[tuple[Language, str]]
) -> Iterator[Diagnostic]:
    try:
        page = site_page(view, address, PageQuery())
        for states in _forms(page, tried):
            html.render(page, states)
        markdown.render(page)
        if address.page == BLOG_PAGE:
            feed.render_atom(view)
    except MajlisError:
        return  # a document without its own page
    except Exception as error:  # the check reports it and continues
        reason = f"{type(error).__name__}: {error}"
        yield unshowable(file_at(view.snapshot, address), reason)


def _forms(
    page: PageModel[Resource], tried: set[tuple[Language, str]]
) -> Iterator[Mapping[str, FormState]]:
    """Yield the states of the forms on a page: all of a form that was not tried in its language."""
    names = [each.name for each in section_forms(page.answer.resource)]
    if page.address == page_of(REGISTRY, CONTACT_NAME, NO_DOCUMENTS):
        names.append(CONTACT_NAME)
    errors = {"email": "missing"}
    states = (FormState("/"), FormState("/", errors=errors), FormState("/", sent=True))
    new = {(page.locale.language, each) for each in names} - tried
    tried |= new
    for state in states if new else states[:1]:
        yield dict.fromkeys(names, state)


def _pages(
    snapshot: Snapshot, now: datetime, paths: Container[str] | None = None
) -> Iterator[tuple[ContentView, Address]]:
    """Yield every page once per language, lists first; future documents as of publication."""
    for page in snapshot.page_types.listed if paths is None else ():
        if page.is_list:
            yield from _views(snapshot, Address(page), (now,))
    for content_type in snapshot.content_types:
        for entry in snapshot.all(content_type):
            is_asked = paths is None or any(each.path in paths for each in entry.documents)
            address = route_of(snapshot, entry) if is_asked else None
            if address is not None:
                moments = (document.fields.published_at for document in entry.documents)
                later = (moment for moment in moments if moment is not None and moment > now)
                yield from _views(snapshot, address, (now, *later))


def _views(
    snapshot: Snapshot, address: Address, instants: tuple[datetime, ...]
) -> Iterator[tuple[ContentView, Address]]:
    for now in instants:
        locales = variants(snapshot, address, now).locales
        for language in Language:
            matches = (locale for locale in locales if locale.language is language)
            for locale in islice(matches, 1):
                yield ContentView(snapshot, locale, now, _BASE_URL), address


def image_diagnostics(root: Path, images: Images) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each picture of which no smaller variant can be made."""
    for image in images.by_digest.values():
        try:
            with open_image(root, image.path) as file:
                check_decoding(file)
        except (PictureBroken, ContentFileError, OSError):
            message = Text(
                "The picture is cut off or damaged, so browsers may show only a part of it."
            )
            suggestion = Text("Save it again, or copy the whole file again.")
            kind, severity = DiagnosticKind.UNREADABLE_IMAGE, Severity.WARNING
            yield Diagnostic(image.path, message, suggestion, severity=severity, kind=kind)

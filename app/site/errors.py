"""Errors on site paths: in the form asked for, with ways on for readers and agents."""

from __future__ import annotations

from functools import partial

from quart import Response, request

from app.asgi.caching import Caching
from app.concurrency.capacity import Overloaded
from app.http import parameters
from app.http.responses import represent
from app.http.search_requests import nearest_pages
from app.http.workloads import in_executor, in_search_executor
from app.services import services
from knowledge.addresses import split_locale
from knowledge.content_view import ContentView
from knowledge.errors import MajlisError
from knowledge.locale import DEFAULT_LOCALE
from knowledge.resources.missing import Fallback, Missing
from renderers import html, markdown
from renderers.error_page import ErrorPage
from renderers.media_types import PAGE_MEDIA_TYPES, MediaType
from renderers.negotiation import choose, names_a_media_type

_REFUSALS = (429, 503)


class NotAcceptable(MajlisError):
    """The client accepts none of the forms a page has."""

    def __init__(self) -> None:
        forms = ", ".join(PAGE_MEDIA_TYPES)
        super().__init__("This page has no form that you accept.", f"Accept one of {forms}.")


def error_media_type() -> MediaType:
    """The form of an error: HTML for those who name it, the short markdown for wildcards."""
    accept = request.headers.get("Accept")
    if not names_a_media_type(accept):
        return MediaType.MARKDOWN
    return choose(accept, PAGE_MEDIA_TYPES) or MediaType.MARKDOWN


async def error_response(status: int, form: MediaType, missing: Missing | None) -> Response:
    """An error page in HTML or markdown, in the language of the path.

    A refusal is short: whoever asks too often, or while there is too much to do, shall cause no
    more work. So is any other error while there is too much to do.
    """
    fallback = missing.fallback if missing else None
    short = partial(_represented, status, form, None, fallback)
    if status in _REFUSALS:
        return short()
    whole = partial(_whole_page, status, form, fallback)
    try:
        return await (in_search_executor(whole) if status == 404 else in_executor(whole))
    except Overloaded:
        return short()


def _whole_page(status: int, form: MediaType, fallback: Fallback | None) -> Response:
    return _represented(status, form, _view(), fallback)


def _represented(
    status: int, form: MediaType, view: ContentView | None, fallback: Fallback | None
) -> Response:
    page = _error_page(status, view)
    if form is MediaType.HTML:
        return represent(html.render_error(page, view, fallback), Caching.NEVER, status)
    return represent(markdown.render_error(page, fallback), Caching.NEVER, status)


def _view() -> ContentView | None:
    """The view of the readers that the path is for, if it is for any."""
    if not services().content_store.loaded:
        return None
    main, locale = parameters.main_view(), split_locale(request.path)[0]
    return main.for_locale(locale) if locale in main.snapshot.open_locales else main


def _error_page(status: int, view: ContentView | None) -> ErrorPage:
    base_url = services().settings.public_url
    locale = view.locale if view else split_locale(request.path)[0] or DEFAULT_LOCALE
    if view is None or status != 404:
        return ErrorPage(status, locale, base_url, ())
    return ErrorPage(status, locale, base_url, tuple(nearest_pages(view, request.path)))

"""Error pages of the site, in HTML, markdown or plain text, with links for readers and agents."""

from __future__ import annotations

from functools import partial
from typing import TypeVar

from quart import Response

from app.platform.asgi.caching import Caching
from app.platform.concurrency.executors import Overloaded
from app.publishing.content.passage_finder import nearest_pages
from app.services import edition, services
from app.web.http import parameters
from app.web.http.error_envelope import EXPLANATIONS
from app.web.http.request_context import current_request
from app.web.http.responses import represent
from app.web.http.workloads import in_executor
from knowledge.addresses.addresses import split_locale
from knowledge.locales.locale import ENGLISH
from knowledge.resources.errors import MajlisError, NotFound
from knowledge.resources.missing import Fallback, Missing
from knowledge.views.content_view import ContentView
from renderers.html import renderer as html
from renderers.markdown import renderer as markdown
from renderers.markdown.renderer import as_plain_text
from renderers.markdown.service_pages import ErrorPage
from renderers.representation import PAGE_MEDIA_TYPES, MediaType

T = TypeVar("T")
_REFUSALS = (405, 429, 503)


class NotAcceptable(MajlisError):
    """The client accepts none of the media types of a page."""

    status = 406

    def __init__(self) -> None:
        available = ", ".join(PAGE_MEDIA_TYPES)
        super().__init__(
            "None of the acceptable media types is available.", f"Accept one of {available}."
        )


def or_404(value: T | None) -> T:
    """Return a value; raises NotFound if there is none."""
    if value is None:
        raise NotFound(*EXPLANATIONS[404])
    return value


async def error_response(status: int, missing: Missing | None) -> Response:
    """An error page in HTML, markdown or plain text, in the language of the path.

    Responses with 429 and 503 are short, so that a client over its limit, or a service under
    load, causes little further work; those with 405 too, which no reader of a page gets. Other
    errors are short while the service is overloaded.
    """
    fallback = missing.fallback if missing else None
    short = partial(_render, status, None, fallback)
    if status in _REFUSALS:
        return short()
    full = partial(_render_full, status, fallback)
    try:
        if status != 404:
            return await in_executor(full)
        searches = services().executors.searches  # its nearest pages are a search
        if searches.is_crowded:
            return short()
        return await searches.run(full, current_request.get().client)
    except Overloaded:
        return short()


def _render_full(status: int, fallback: Fallback | None) -> Response:
    return _render(status, _view(), fallback)


def _render(status: int, view: ContentView | None, fallback: Fallback | None) -> Response:
    page, media_type = _error_page(status, view), current_request.get().error_media_type
    if media_type is MediaType.HTML:
        return represent(html.render_error(page, view, fallback), Caching.NEVER, status)
    text = markdown.render_error(page, fallback)
    shown = as_plain_text(text) if media_type is MediaType.PLAIN else text
    return represent(shown, Caching.NEVER, status)


def _view() -> ContentView | None:
    """Return the view for the locale in the path, the default view without one."""
    if not services().content_store.loaded:
        return None
    main, locale = parameters.main_view(), split_locale(current_request.get().path)[0]
    return main.for_locale(locale) if locale in main.snapshot.open_locales else main


def _error_page(status: int, view: ContentView | None) -> ErrorPage:
    base_url = services().settings.public_url
    locale = view.locale if view else split_locale(current_request.get().path)[0] or ENGLISH
    if view is None or status != 404:
        return ErrorPage(status, locale, base_url, ())
    nearest = nearest_pages(edition().nearest, view, current_request.get().path)
    return ErrorPage(status, locale, base_url, tuple(nearest))

"""Errors: each exception becomes an error response or a redirect, also one that a layer raises.

Errors under `/api/` are JSON. Others are pages in HTML, markdown or plain text, with links for
readers and agents.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from functools import partial

from hypercorn.typing import HTTPResponseBodyEvent, HTTPResponseStartEvent
from quart import Quart, Response, has_request_context, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from app.platform.asgi.caching import Caching
from app.platform.asgi.scope import HTTPApp, HTTPScope, Receive, Send
from app.platform.concurrency.eager_start import in_task
from app.platform.concurrency.executors import REJECTION_SECONDS, Overloaded
from app.platform.limits.rate_limits import RateLimited
from app.publishing.content.passage_finder import nearest_pages
from app.services import edition, services
from app.web.http import parameters
from app.web.http.error_envelope import EXPLANATIONS, error_body
from app.web.http.request_context import RequestContext, current_request
from app.web.http.response_headers import link
from app.web.http.responses import URLTooLong, represent
from app.web.http.workloads import in_executor
from app.web.pipeline import PipelineLayer
from app.web.site.paths import canonical_path_response, former_address_response
from knowledge.addresses.addresses import meant_locale, split_locale
from knowledge.diagnostics.messages import Text, translated
from knowledge.fields.interface_texts import catalog
from knowledge.locales.locale import ENGLISH, Language
from knowledge.resources.base import LocalizedResource
from knowledge.resources.document_page import Fallback, Missing, NotPublishedHere
from knowledge.resources.errors import Gone, MajlisError, NotFound
from knowledge.views.content_view import ContentView, absolute
from llms.phrases import guide_path
from renderers import json
from renderers.html import renderer as html
from renderers.l10n.translation import site_texts
from renderers.markdown.errors import ErrorPage, render_error
from renderers.markdown.renderer import as_plain_text
from renderers.representation import MediaType

log = logging.getLogger(__name__)


def install(app: Quart) -> None:
    """Register a handler for every exception of the application."""
    app.register_error_handler(MajlisError, majlis_error)
    app.register_error_handler(NotFound, _not_found)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, unexpected)


async def error_response_for(
    status: int, message: str, resolution: str, missing: Missing | None = None
) -> Response:
    """Return an error response: JSON under `/api/`, else the media type the client accepts.

    `missing` lists the locales in which a missing page is published.
    """
    context = current_request.get()
    if context.error_media_type is not MediaType.JSON:
        return await error_response(status, missing)
    if status == 404 and missing is None and not context.route.is_api:
        resolution = await _with_nearest(resolution)
    body = error_body(status, message, _in_language(resolution, context), missing)
    return represent(json.render(LocalizedResource(body)), Caching.NEVER, status)


ERRORS_DOMAIN = "errors"
"""What to do about an error of the API, which only languages other than English have."""


def _in_language(resolution: str, context: RequestContext) -> str:
    """Return a resolution in the language of the request: of its parameter `lang`, or its path."""
    locale, _ = split_locale(context.path)
    query = request.query_string if has_request_context() else context.query
    is_arabic = b"lang=ar" in query.lower().split(b"&")
    language = Language.AR if is_arabic else locale.language if locale else Language.EN
    if language is Language.EN:
        return resolution
    return translated(resolution, catalog(language, ERRORS_DOMAIN).gettext)


async def _with_nearest(resolution: str) -> str:
    """Return what to do about a page that does not exist, with the URLs of similar pages."""

    def nearest() -> Sequence[tuple[str, str]]:
        view = _view()
        return _nearest(view) if view else ()

    searches = services().executors.searches
    if searches.is_crowded:
        return resolution
    try:
        found = await searches.run(nearest, current_request.get().client)
    except Overloaded:
        return resolution
    base_url = services().settings.public_url
    urls = ", ".join(absolute(base_url, path) for _, path in found)
    return Text("Similar pages: {}. {}", urls, resolution) if urls else resolution


async def majlis_error(error: MajlisError) -> Response:
    """Return the response to an error of the current request."""
    missing = error.missing if isinstance(error, NotPublishedHere) else None
    response = await error_response_for(error.status, error.message, error.resolution, missing)
    response.headers.update(error.headers)
    return response


async def _not_found(error: NotFound) -> Response:
    """Redirect from the former address of a page or another spelling; else return the error."""
    if current_request.get().method in ("GET", "HEAD") and services().content_store.loaded:
        try:
            found = former_address_response() or canonical_path_response()
        except (Gone, URLTooLong) as refusal:
            return await majlis_error(refusal)
        return found or await majlis_error(error)
    return await majlis_error(error)


async def _http(error: HTTPException) -> Response:
    status = error.code or 500
    message, resolution = EXPLANATIONS.get(status, EXPLANATIONS[400])
    response = await error_response_for(status, message, resolution)
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        response.headers["Allow"] = ", ".join(sorted(error.valid_methods))
    return response


async def unexpected(error: Exception) -> Response:
    """Return the response to an error that nobody expects, and log it."""
    context = current_request.get()
    log.error("%s %s failed", context.method, context.path, exc_info=error)
    return await error_response_for(500, *EXPLANATIONS[500])


class Refusals(PipelineLayer):
    """ASGI middleware that answers the errors that the layers inside it raise.

    The response is the same as if the handler had raised the error.
    """

    def __init__(self, app: HTTPApp, quart: Quart) -> None:
        super().__init__(app, quart)
        self._quart = quart

    async def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> None:
        """Pass a request on, or respond with the error that refuses it."""
        try:
            await self._app(scope, receive, send)
        except MajlisError as error:
            await in_task()
            log.debug("Request refused: %s", error.message)
            if isinstance(error, RateLimited):
                await asyncio.sleep(REJECTION_SECONDS)
            await self._answer(error, send)

    async def _answer(self, error: MajlisError, send: Send) -> None:
        async with self._quart.app_context():
            try:
                response = await majlis_error(error)
            except Exception as failure:  # as Quart does with its error handlers
                response = await unexpected(failure)
        headers = [(name.lower().encode(), text.encode()) for name, text in response.headers]
        body = await response.get_data(as_text=False)
        await send(
            HTTPResponseStartEvent(
                type="http.response.start", status=response.status_code, headers=headers
            )
        )
        await send(HTTPResponseBodyEvent(type="http.response.body", body=body, more_body=False))


_REFUSALS = (405, 429, 503)


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

    def full() -> Response:
        return _render(status, _view(), fallback)

    try:
        if status != 404:
            return await in_executor(full)
        searches = services().executors.searches  # its nearest pages are a search
        if searches.is_crowded:
            return short()
        return await searches.run(full, current_request.get().client)
    except Overloaded:
        return short()


def _render(status: int, view: ContentView | None, fallback: Fallback | None) -> Response:
    context = current_request.get()
    locale = view.locale if view else split_locale(context.path)[0] or ENGLISH
    nearest = tuple(_nearest(view)) if view and status == 404 else ()
    page = ErrorPage(status, locale, services().settings.public_url, nearest, view, fallback)
    headers = {}
    if view and split_locale(context.path)[0]:
        guide = f"{page.base_url}{guide_path(locale)}"
        headers["Link"] = link(guide, "describedby", type=MediaType.MARKDOWN)
    with site_texts(view):
        if context.error_media_type is MediaType.HTML:
            return represent(html.render_error(page), Caching.NEVER, status, headers)
        text = render_error(page)
    shown = as_plain_text(text) if context.error_media_type is MediaType.PLAIN else text
    return represent(shown, Caching.NEVER, status, headers)


def _nearest(view: ContentView) -> Sequence[tuple[str, str]]:
    return nearest_pages(edition().nearest, view, current_request.get().path)


def _view() -> ContentView | None:
    """Return the view for the locale that the path means, the default view without one."""
    if not services().content_store.loaded:
        return None
    main, path = parameters.main_view(), current_request.get().path
    return main.for_locale(meant_locale(path, main.locale, main.snapshot.open_locales)[0])

"""Error handlers: turn each exception into an error response or a redirect.

The canonical spelling of a path has lower-case letters and no slash at its end; a country alone is
the home page of its first language. Paths of the API have one spelling only, as the contract says.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from quart import Quart, Response, current_app
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from app.platform.asgi.caching import Caching
from app.services import edition, services
from app.web.http.error_envelope import EXPLANATIONS, error_body
from app.web.http.request_context import current_request
from app.web.http.responses import URLTooLong, redirect, represent, with_query
from app.web.site.errors import error_response
from app.web.site.former_addresses import former_address_response
from app.web.site.pages import SitePath
from knowledge.addresses.addresses import is_visible
from knowledge.resources.base import LocalizedResource
from knowledge.resources.document_page import Missing, NotPublishedHere
from knowledge.resources.errors import Gone, MajlisError, NotFound
from knowledge.snapshot.snapshot import Snapshot
from renderers import json
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
    if current_request.get().error_media_type is not MediaType.JSON:
        return await error_response(status, missing)
    body = error_body(status, message, resolution, missing)
    return represent(json.render(LocalizedResource(body)), Caching.NEVER, status)


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


def canonical_path_response() -> Response | None:
    """Return the redirect from the path of the request to its canonical one, or None."""
    path = current_request.get().path
    if path.startswith("//"):
        return None
    folded = path.rstrip("/").lower()  # as slugs are, which are made of file names
    candidates = (folded, *_homes(edition().snapshot, folded))
    found = next((each for each in candidates if each != path and _is_there(each)), None)
    return redirect(with_query(found), 308) if found else None


def _homes(snapshot: Snapshot, path: str) -> Iterator[str]:
    """Yield the home pages of the country that a path consists of."""
    for locale in snapshot.open_locales:
        if locale.country and path == f"/{locale.country.slug}":
            yield locale.path


def _is_there(path: str) -> bool:
    """Return whether a path outside the API shows something."""
    site_path = SitePath.parse(path)
    locale, address = site_path.locale, site_path.address
    if locale and locale not in edition().snapshot.open_locales:
        return False
    if locale and address and is_visible(edition().snapshot, address, locale, services().clock()):
        return True
    return not path.startswith("/api/") and _has_route(path, {"locale"} if locale else set())


def _has_route(path: str, variables: AbstractSet[str]) -> bool:
    """Return whether a route reads a path, such as that of `/developers`, with these variables."""
    try:
        rule, _ = current_app.url_map.bind("").match(path, "GET", return_rule=True)
    except HTTPException:
        return False
    return rule.arguments == variables

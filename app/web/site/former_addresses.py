"""Redirects from former addresses, when there is nothing at the path of a request."""

from __future__ import annotations

from urllib.parse import quote

from quart import Response, request

from app.platform.asgi.caching import Caching
from app.services import edition, services
from app.web.http import request_context
from app.web.http.error_envelope import EXPLANATIONS
from app.web.http.request_context import current_request
from app.web.http.responses import redirect_to
from knowledge.addresses.addresses import split_locale
from knowledge.addresses.former_addresses import Redirect, former_address
from knowledge.resources.errors import Gone
from knowledge.resources.places import reader_locale
from knowledge.snapshot.redirect_rules import GONE
from renderers.representation import split_suffix, suffixed_path

_QUERY_SAFE = "/?:@!$&'()*+,;=%-._~"


def former_address_response() -> Response | None:
    """Return the redirect from the path of the request, or None; raises Gone."""
    found = _found(current_request.get().path)
    if found is None:
        return None
    if found.status == GONE:
        raise Gone(*EXPLANATIONS[GONE])
    return redirect_to(_with_query(found.location), found.status, _caching())


def _found(path: str) -> Redirect | None:
    """Return the redirect from a path, or from that of the page without suffix of a format."""
    found = _former(path)
    canonical, media_type = split_suffix(path)
    if found or media_type is None:
        return found
    page = _former(canonical)
    if page is None or not page.is_page:
        return page
    return page.moved(suffixed_path(page.location, media_type))


def _former(path: str) -> Redirect | None:
    snapshot = edition().snapshot
    reader = reader_locale(
        snapshot, request_context.hinted_country(), request_context.accepted_languages()
    )
    return former_address(snapshot, path, reader, services().clock())


def _caching() -> Caching:
    """Return the caching of a redirect: without a locale, the target depends on the reader."""
    locale, _ = split_locale(current_request.get().path)
    is_shared = locale is not None or current_request.get().route.is_api
    return Caching.PUBLIC if is_shared else Caching.PERSONAL


def _with_query(location: str) -> str:
    """Return a location with the query of the request, which stands before a fragment."""
    query = quote(request.query_string.decode("ascii", "replace"), safe=_QUERY_SAFE)
    if not query:
        return location
    url, hash_sign, fragment = location.partition("#")
    return f"{url}{'&' if '?' in url else '?'}{query}{hash_sign}{fragment}"

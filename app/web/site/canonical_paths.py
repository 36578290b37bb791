"""Redirects to the canonical spelling of a path, when there is nothing at the path of a request.

It has lower-case letters and no slash at its end; a country alone is the home page of its first
language. Paths of the API have one spelling only, as their contract says.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from quart import Response, current_app
from werkzeug.exceptions import HTTPException

from app.services import edition, services
from app.web.http.request_context import current_request
from app.web.http.responses import redirect, with_query
from app.web.site.pages import SitePath
from knowledge.addresses.addresses import is_visible
from knowledge.snapshot.snapshot import Snapshot


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

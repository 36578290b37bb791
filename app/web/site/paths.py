"""Paths of the site: what they name, and redirects from former addresses and other spellings.

The canonical spelling of a path has lower-case letters and no slash at its end; a country alone is
the home page of its first language. Paths of the API have one spelling only, as the contract says.
"""

from collections.abc import Set as AbstractSet
from typing import NamedTuple, Self
from urllib.parse import quote, unquote_plus

from quart import Response, current_app, request
from werkzeug.exceptions import HTTPException
from werkzeug.routing import BaseConverter, PathConverter

from app.platform.asgi.caching import Caching
from app.services import edition, services
from app.web.http import request_context
from app.web.http.error_envelope import EXPLANATIONS
from app.web.http.request_context import current_request
from app.web.http.responses import redirect, redirect_to, with_query
from knowledge.addresses.addresses import Address, address_at, is_visible, split_locale
from knowledge.addresses.former_addresses import AddressSearch, Redirect, former_address
from knowledge.fields.file_types import HASHED_NAME
from knowledge.fields.page_type import PAGE_TYPES, PageTypes
from knowledge.locales.locale import Locale
from knowledge.resources.errors import Gone, NotFound
from knowledge.resources.places import visitor_locale
from knowledge.snapshot.redirect_rules import GONE
from renderers.representation import MediaType, split_suffix, suffixed_path


class SitePath(NamedTuple):
    """A path outside `/api/`; only pages are served below a locale.

    `canonical` has no suffix of a format; `media_type` is that of the suffix. `rest` is the part
    below the locale, and `address` the page that it names.
    """

    text: str
    canonical: str
    media_type: MediaType | None
    locale: Locale | None
    rest: str
    address: Address | None

    @classmethod
    def parse(cls, text: str, pages: PageTypes) -> Self:
        """Parse a path of a site with pages of these types."""
        canonical, media_type = split_suffix(text)
        locale, rest = split_locale(canonical)
        address = address_at(rest, pages) if locale else None
        return cls(text, canonical, media_type, locale, rest, address)

    def among(self, pages: PageTypes) -> Self:
        """Return the path on a site with pages of these types."""
        return self if pages is PAGE_TYPES else self.parse(self.text, pages)


class SitePathConverter(PathConverter):
    """Matches any path outside `/api/`; unknown API paths must give 404 to every method."""

    regex = r"(?!api/)[^/].*?"

    def to_python(self, value: str) -> SitePath:
        """Parse the path; the route table looks for pages of the site's own types as well."""
        return SitePath.parse(f"/{value}", PAGE_TYPES)


class HashedNameConverter(BaseConverter):
    """Matches the names of the service's own files; others may be files of the content folder."""

    regex = HASHED_NAME


class LocaleConverter(BaseConverter):
    """Matches one or two segments at the beginning of a path."""

    regex = r"[^/]+/[^/]+|[a-z]{2}"
    part_isolating = False

    def to_python(self, value: str) -> Locale | None:
        """Return the locale, or None if no site has it."""
        locale, rest = split_locale(f"/{value}")
        return None if rest else locale


def open_locale(locale: Locale | None) -> Locale:
    """Return a locale that the site has and that is open; raises NotFound for others."""
    if locale is None or locale not in edition().snapshot.open_locales:
        raise NotFound("There is no such locale.", "See /llms.txt for what there is.")
    return locale


_QUERY_SAFE = "/?:@!$&'()*+,;=%-._~"


def former_address_response() -> Response | None:
    """Return the redirect from the path of the request, or None; raises Gone."""
    return _response(_found(current_request.get().path))


def _response(found: Redirect | None) -> Response | None:
    if found is None:
        return None
    if found.status == GONE:
        raise Gone(*EXPLANATIONS[GONE])
    # Without a locale, the target depends on the visitor.
    has_locale = split_locale(current_request.get().path)[0] is not None
    is_shared = has_locale or current_request.get().route.is_api
    caching = Caching.PUBLIC if is_shared else Caching.PERSONAL
    return redirect_to(_with_query(found), found.status, caching)


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


def _query() -> str:
    return request.query_string.decode("ascii", "replace")


def _visitor() -> Locale:
    country, languages = request_context.hinted_country(), request_context.accepted_languages()
    return visitor_locale(edition().snapshot, country, languages)


def _former(path: str) -> Redirect | None:
    now = services().clock()
    return former_address(edition().snapshot, path, _visitor(), now, _query())


def queried_address_response() -> Response | None:
    """Return where a rule leads that names parameters of the query, also of a page, or None."""
    snapshot = edition().snapshot
    if not (request.query_string and snapshot.redirects.queries):
        return None
    search = AddressSearch(snapshot, _visitor(), services().clock(), _query())
    return _response(search.queried(current_request.get().path))


def _with_query(found: Redirect) -> str:
    """Return a location with the query of the request, which stands before a fragment."""
    kept = (
        each
        for each in _query().split("&")
        if unquote_plus(each.partition("=")[0]) not in found.parameters
    )
    query = quote("&".join(kept), safe=_QUERY_SAFE)
    if not query:
        return found.location
    url, hash_sign, fragment = found.location.partition("#")
    return f"{url}{'&' if '?' in url else '?'}{query}{hash_sign}{fragment}"


def canonical_path_response() -> Response | None:
    """Return the redirect from the path of the request to its canonical one, or None."""
    path = current_request.get().path
    if path.startswith("//"):
        return None
    folded = path.rstrip("/").lower()  # as slugs are, which are made of file names
    homes = (
        locale.path
        for locale in edition().snapshot.open_locales
        if locale.country and folded == f"/{locale.country.slug}"
    )
    candidates = (folded, *homes)
    found = next((each for each in candidates if each != path and _is_there(each)), None)
    return redirect(with_query(found), 308) if found else None


def _is_there(path: str) -> bool:
    """Return whether a path outside the API shows something."""
    site_path = SitePath.parse(path, edition().snapshot.page_types)
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

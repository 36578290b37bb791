"""The context of the current request, and the country and languages that it tells of."""

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from quart import request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header
from werkzeug.routing import Rule

from app.platform.asgi.scope import HeaderBlock, HeaderBlocks, HTTPApp, RequestHeaders
from app.services import Services, services
from app.web.http.route_policy import RoutePolicy
from knowledge.addresses.addresses import Address
from knowledge.locales.locale import Country, Language, Locale
from knowledge.resources.errors import MajlisError
from renderers.representation import MediaType, Representation

_VARY = "Accept, Accept-Encoding"
_VARY_BY_CODING = "Accept-Encoding"


@dataclass(frozen=True, slots=True)
class Route:
    """What follows from the method and the path of a request.

    `rule` is None if no route matches; then `methods` are those that the path supports. `app`
    handles valid requests, and `refusing_app` the others. `page` is the page that it shows, if it
    may suggest another locale to its visitor. `query` has the names of the parameters on which the
    response depends; with `reads_referer`, it also depends on a campaign in `Referer`. A route
    that `admits` waits for a permit of its executor. The form of the response of one that
    `negotiates` depends on Accept. `headers` are those of every response.
    """

    rule: Rule | None
    arguments: Mapping[str, Any]
    methods: tuple[str, ...]
    policy: RoutePolicy
    page: tuple[Locale, Address] | None
    app: HTTPApp
    refusing_app: HTTPApp
    query: tuple[str, ...]
    repeated: tuple[str, ...]
    is_read: bool
    reads_referer: bool
    admits: bool
    is_api: bool
    negotiates: bool
    is_well_formed: bool
    headers: HeaderBlock

    @property
    def label(self) -> str:
        """The label in metrics; one for each unmatched path would be unbounded."""
        return self.rule.rule if self.rule else "none"


class RequestContext(NamedTuple):
    """A request as the pipeline understands it.

    `query` has only the parameters that the route reads. `media_type` is the one that the client
    prefers, None if it accepts none that is offered; `error_media_type` is that of an error.
    `coding` is the content coding. `error` refuses the request. `response_blocks` are added to
    the response, as are those of the route. `suggested` is the locale in which the visitor had
    rather read the page; then, and if the route reads it, the response depends on
    `visitor_headers`.
    """

    method: str
    path: str
    raw_path: bytes
    headers: RequestHeaders
    client: str
    route: Route
    query: bytes
    media_type: MediaType | None
    error_media_type: MediaType
    coding: str
    is_readable: bool
    """Whether scripts of the origin that sent the request may read its response."""

    is_file: bool
    """Whether the path is a file of the content folder."""

    is_cacheable: bool
    error: MajlisError | None
    response_blocks: list[HeaderBlock]
    suggested: Locale | None
    visitor_headers: str
    body_bytes: int
    """The most bytes of its body."""

    filled: list[Representation]
    """What each visitor gets with something of his own, as the response cache keeps it."""

    def vary(self, *, has_one_form: bool = False) -> str:
        """Return the request headers on which the response depends.

        Of a page without suggestion those of the visitor are left out, as shared caches are to
        store one response for all visitors.
        """
        names = _VARY_BY_CODING if has_one_form else _VARY
        if self.route.policy.cors.depends_on_origin:
            return f"{names}, Origin"
        if self.suggested or self.route.policy.depends_on_visitor:
            return f"{names}, {self.visitor_headers}"
        return names

    @property
    def negotiates(self) -> bool:
        """Whether the form of the response depends on Accept, unlike that of a file."""
        return self.route.negotiates and not self.is_file

    @property
    def retry_after(self) -> int | None:
        """The seconds to wait, if the request is over a rate limit but is responded to."""
        headers = dict(HeaderBlocks(*self.response_blocks))
        return int(headers[b"retry-after"]) if b"retry-after" in headers else None

    def header(self, name: bytes) -> str | None:
        """Return a request header by its lower-case name."""
        value = self.headers.get(name)
        return None if value is None else value.decode("latin-1")


current_request: ContextVar[RequestContext] = ContextVar("current_request")
"""The context of the current request; set by the outermost layer of the pipeline."""


def has_campaign(referer: bytes) -> bool:
    """Return whether the address of the page before has campaign parameters."""
    return b"utm_" in referer


ACCEPT_LANGUAGE = b"accept-language"

_CACHE_SIZE = 1_024
_MAX_CACHED_LENGTH = 512
"""Longer headers are parsed each time, to limit the memory of that cache."""


def hinted_country() -> Country | None:
    """Return the country of the visitor who sent the current request, if it is known."""
    return country_of(services(), request.remote_addr, current_request.get().headers)


def accepted_languages() -> tuple[str, ...]:
    """Return the language tags that the visitor accepts, preferred ones first."""
    return languages_of(current_request.get().headers)


def country_of(services: Services, peer: str | None, headers: RequestHeaders) -> Country | None:
    """Return the country sent by a trusted proxy; None if it is absent or malformed."""
    if not services.proxies.trusts(peer):
        return None
    name = services.settings.country_header.lower().encode("latin-1")
    return Country.parse(headers.get(name, b"").decode("latin-1"))


def languages_of(headers: RequestHeaders) -> tuple[str, ...]:
    """Return the language tags of Accept-Language, preferred ones first."""
    header = headers.get(ACCEPT_LANGUAGE, b"")
    return _parse(header) if len(header) <= _MAX_CACHED_LENGTH else _parse.__wrapped__(header)


@lru_cache(_CACHE_SIZE)
def _parse(header: bytes) -> tuple[str, ...]:
    """Parse Accept-Language; malformed ranges and those with `q=0` are left out.

    `*` tells no preference, unless it stands beside a language that is refused.

    >>> _parse(b"en;q=0.5, ar-SA, fr;q=0"), _parse(b"en;q=0, *"), _parse(b"*, en;q=x")
    (('ar-SA', 'en'), (<Language.AR: 'ar'>,), ())
    """
    ranges = parse_accept_header(header.decode("latin-1"), LanguageAccept)
    accepted = tuple(tag for tag, quality in ranges if quality > 0)
    named = tuple(tag for tag in accepted if tag != "*")
    refused = {Language.parse(tag) for tag, quality in ranges if quality == 0} - {None}
    if len(named) == len(accepted) or not refused:
        return named
    return (*named, *(language for language in Language if language not in refused))

"""Surfaces: the page and the form of a response, as readers are counted and requests are logged."""

import re
from contextvars import ContextVar
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from hypercorn.typing import HTTPResponseStartEvent

from app.platform.asgi.scope import HTTPScope, response_header
from app.platform.observability.retained_texts import NOT_RETAINED, retained_path
from app.web.http.request_context import RequestContext, Route
from app.web.http.route_policy import FEED, LLMS, Cors, RoutePolicy, Workload
from renderers.representation import OTHER, MediaType, split_suffix

visitor_name: ContextVar[str | None] = ContextVar("visitor_name", default=None)
"""The name that the client of the current request gives, if it sends a message of a protocol."""

page_read: ContextVar[str | None] = ContextVar("page_read", default=None)
"""The path of the page that such a message reads; the path of all messages is the same."""


_FORMS: dict[str | None, str] = {each: each.form for each in MediaType}


class Surface(NamedTuple):
    """A page, and its form if that follows from the path."""

    page: str
    form: str | None

    def form_of(self, context: RequestContext, start: HTTPResponseStartEvent) -> str:
        """Return the form of a response; a 304 has the one that was negotiated."""
        if self.form is not None:
            return self.form
        if context.is_file:
            return OTHER
        if 300 <= start["status"] < 400:
            return _FORMS.get(context.media_type, OTHER)
        return _form_of_type(response_header(start["headers"], b"content-type") or b"")


_MAX_CACHED = 4_096
_MAX_CACHED_LENGTH = 512
_STATIC = "/static/"
_PER_FORMAT = ("/<site_path:", "/developers")
"""The beginnings of rules whose paths may end with the suffix of a form."""


class Surfaces:
    """The surfaces of paths; those of recent ones are remembered."""

    def __init__(self) -> None:
        self._cached: dict[str, Surface] = {}

    def of(self, context: RequestContext) -> Surface:
        """Return the surface of a request."""
        path = context.path
        surface = self._cached.get(path)
        if surface is None:
            surface = _surface(path, context.route)
            if len(path) <= _MAX_CACHED_LENGTH:
                if len(self._cached) >= _MAX_CACHED:
                    self._cached.clear()
                self._cached[path] = surface
        return surface


OTHERS = "(other)"
"""Stands for all that has no place of its own: above a bound, or no page."""

_FORMS_OF_PATHS = (
    (re.compile(r"\A.*/llms(-full|-\d+)?\.txt"), LLMS),
    (re.compile(r"\A.*/(feed\.(xml|json)|calendar\.ics)"), FEED),
    (re.compile(r"\A.*\.txt"), OTHER),
)


def _surface(path: str, route: Route) -> Surface:
    """Return the surface of a path; that of a route without pages is its rule."""
    rule = route.rule.rule if route.rule else ""
    if route.policy.message_form is not None:
        return Surface(rule, route.policy.message_form)
    if rule.startswith(_STATIC):
        return Surface(rule, OTHER)
    if not names_pages(route.policy):
        return Surface(rule or OTHERS, None)
    form = next((form for pattern, form in _FORMS_OF_PATHS if pattern.fullmatch(path)), None)
    if form is not None or not rule.startswith(_PER_FORMAT):
        return Surface(retained_path(path), form)
    canonical, media_type = split_suffix(path)
    form = media_type.form if media_type else None
    return Surface(retained_path(canonical), form)


def names_pages(policy: RoutePolicy) -> bool:
    """Return whether the paths of a route are pages: no secrets, and none made of hashes."""
    is_public = policy.cacheable and policy.cors is not Cors.NOBODY
    return is_public and policy.workload is not Workload.IMAGES


@lru_cache(maxsize=64)
def _form_of_type(content_type: bytes) -> str:
    media_type = content_type.partition(b";")[0].decode("latin-1")
    return _FORMS.get(media_type, OTHER)


_MAX_LENGTH = 1_024


def shown_path(scope: HTTPScope, context: RequestContext) -> str:
    """Return a path as it was sent, or its route if it may hold something personal or a secret."""
    rule = context.route.rule
    is_public = rule is None or names_pages(context.route.policy)
    shown = _public_path((scope["raw_path"] or b"")[: _MAX_LENGTH + 1]) if is_public else None
    return shown or (rule.rule if rule else NOT_RETAINED)


@lru_cache(maxsize=_MAX_CACHED)
def _public_path(raw_path: bytes) -> str | None:
    path = raw_path.decode("latin-1")
    return None if retained_path(unquote(path)) == NOT_RETAINED else path[:_MAX_LENGTH]

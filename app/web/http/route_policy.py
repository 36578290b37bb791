"""Route policies: what a route is to the pipeline, declared on its handler.

A route that declares nothing is counted, admitted to the executor for pages, and readable by
scripts of every origin. The response cache stores what its Cache-Control allows.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum, StrEnum
from typing import Any, TypeVar, cast

from app.platform.asgi.scope import RequestHeaders
from app.platform.limits.rate_limits import HEALTH, READS, UNCACHED, Bucket
from app.services import Services
from app.web.http.parameters import AnyParameter
from knowledge.addresses.addresses import Address
from knowledge.locales.locale import Locale
from renderers.representation import OTHER, MediaType

Handler = TypeVar("Handler", bound=Callable[..., Any])
_ATTRIBUTE = "__policy__"


class Cors(Enum):
    """Scripts of which origins may read the responses of a route."""

    ANYONE = "anyone"
    ALLOWED = "those that the policy allows"
    ALLOWED_IF_SENT = "the same; a response to a request without an origin does not say so"
    NOBODY = "nobody"

    @property
    def depends_on_origin(self) -> bool:
        """Whether the origin of a request decides."""
        return self in (Cors.ALLOWED, Cors.ALLOWED_IF_SENT)


MCP_FORM, LLMS, FEED = "mcp", "llms.txt", "feed"
FORMS = (
    *dict.fromkeys(each.form for each in MediaType if each.form != OTHER),
    MCP_FORM,
    LLMS,
    FEED,
    OTHER,
)
"""The forms of responses: of pages those of their media types, then those of other routes."""


class Workload(StrEnum):
    """The name of the executor that does the work of a route; a search replaces PAGES."""

    PAGES = "pages"
    SEARCHES = "searches"
    MAPS = "maps"
    PARTNERS = "partners"
    IMAGES = "images"


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutePolicy:
    """The policy of a route.

    Requests count in `bucket`, by client address. `allows_origin` tells of the services and the
    headers of a request whether scripts of the page that sent it may read the response.
    `parameters_of` returns the query parameters of a handler without an operation, from its
    arguments. With `serves_files`, a path may be a file of the content folder. `page_of` returns,
    from the same arguments, the page that a handler shows, for which it may suggest another
    locale. A route that `depends_on_visitor` reads the country and the languages of the client. A
    secured route requires a partner token. `reads_referer` tells from the arguments of a handler
    whether its response depends on the campaign that led to the page before. A route that
    `keeps_input` responds itself to browsers over the rate limit, with what they sent. A route
    with a `message_form` takes messages of a protocol, which a layer answers; its responses are
    no documents. `body_bytes` tells from the arguments of a handler how large a body may be.
    `negotiates` tells from them whether the form of the response depends on Accept; without it,
    that of the API does, and that of a path that does not name its form by a suffix.
    """

    bucket: Bucket | None = READS
    cors: Cors = Cors.ANYONE
    allows_origin: Callable[[Services, RequestHeaders], bool] | None = None
    cacheable: bool = True
    workload: Workload = Workload.PAGES
    secured: bool = False
    serves_files: bool = False
    parameters_of: Callable[..., tuple[AnyParameter, ...]] | None = None
    page_of: Callable[..., tuple[Locale, Address] | None] | None = None
    depends_on_visitor: bool = False
    reads_referer: Callable[..., bool] | None = None
    keeps_input: bool = False
    message_form: str | None = None
    body_bytes: Callable[[Services, Mapping[str, Any]], int] | None = None
    negotiates: Callable[..., bool] | None = None


API = RoutePolicy()
PAGE = RoutePolicy(bucket=UNCACHED)
SEARCH = RoutePolicy(workload=Workload.SEARCHES)
MAP = RoutePolicy(bucket=UNCACHED, workload=Workload.MAPS)
"""Responses that cover all content, or the whole API contract."""
NEGOTIATED_MAP = replace(MAP, negotiates=lambda **_: True)
IMAGE = RoutePolicy(bucket=UNCACHED, workload=Workload.IMAGES)
"""Pictures that take long to make, once each."""
HEALTH_CHECK = RoutePolicy(bucket=HEALTH)
UNSECURED = RoutePolicy(cors=Cors.NOBODY, cacheable=False, workload=Workload.PARTNERS)
"""Of paths beside secured ones: public routes, and paths that match no route."""
SECURED = RoutePolicy(
    bucket=None, cors=Cors.NOBODY, cacheable=False, workload=Workload.PARTNERS, secured=True
)
"""Counted by token instead of by address."""


def policy(declared: RoutePolicy) -> Callable[[Handler], Handler]:
    """Declare the policy of a handler; returns the handler unchanged."""

    def mark(handler: Handler) -> Handler:
        setattr(handler, _ATTRIBUTE, declared)
        return handler

    return mark


def declared_policy(handler: Callable[..., Any]) -> RoutePolicy | None:
    """Return the policy declared on a handler, or None."""
    return cast(RoutePolicy | None, getattr(handler, _ATTRIBUTE, None))


def default_policy(path: str) -> RoutePolicy:
    """Return the policy of a path whose route declares none, or that no route matches."""
    return API if path.startswith("/api/") else PAGE

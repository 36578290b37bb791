"""The endpoint: answers all requests to `/mcp`, without entering Quart.

It answers each message by itself, from the cache if the same has been asked before.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from typing import TypeVar
from urllib.parse import parse_qsl

from hypercorn.typing import HTTPResponseBodyEvent, HTTPResponseStartEvent
from pydantic_core import to_json
from quart import Quart
from werkzeug.http import parse_options_header

from app.features.mcp import messages
from app.features.mcp.methods import Methods, Work
from app.features.mcp.resources import UnknownResource
from app.features.mcp.server import SCHEMAS, SERVER_NAME, SERVER_VERSION, TAG, mcp_paths
from app.features.mcp.settings import McpSettings
from app.features.mcp.tool import Manual, Result, ToolContext, told
from app.features.mcp.tools import TOOLS, server_at
from app.platform.asgi.caching import Caching
from app.platform.asgi.scope import Headers, HTTPApp, HTTPScope, Receive, Send, peer
from app.platform.concurrency.executors import Overloaded
from app.platform.limits.rate_limits import SEARCHES
from app.platform.submitted_fields import is_absent
from app.publishing.content.assumed_locale import CountrySource, named_countries
from app.publishing.content.store import made_of
from app.publishing.response_cache import CachedResponse, CacheKey
from app.services import Services, services_of
from app.web.extensions import AddedLayer, Channel, ContractPart, SearchCounter
from app.web.http.bodies import MAX_BYTES, TIMEOUT_SECONDS, BodyTooLarge, UnsupportedBody
from app.web.http.error_envelope import EXPLANATIONS
from app.web.http.origins import CallerRules
from app.web.http.parameters import COUNTRY, LANG, SiteParameter
from app.web.http.request_context import RequestContext, current_request
from app.web.http.response_headers import ALLOWED_HEADERS, security_headers
from app.web.http.route_policy import MCP_FORM, Cors, RoutePolicy
from app.web.pipeline import PipelineLayer
from app.web.pipeline.rate_limits import Limits, count_request
from app.web.pipeline.surfaces import page_read, visitor_name
from app.web.site.developers import manual
from indexes.text.places import NamedCountries
from knowledge.locales.locale import Country, Locale, Locales
from knowledge.resources.errors import InvalidArgument, MajlisError
from knowledge.views.content_view import ContentView

log = logging.getLogger(__name__)


class OnlyPosted(MajlisError):
    """The request has another method than POST."""

    status = 405


class CallerNotAllowed(MajlisError):
    """A page of another site made the browser call MCP, or the host is not this one."""

    status = 403


class BodyTooSlow(MajlisError):
    """The message takes too long to arrive."""

    status = 408


_JSON = "application/json"
_CONTENT_TYPE = (b"content-type", _JSON.encode())
_NOT_STORED = (b"cache-control", Caching.NEVER.encode())
_POLICIES: Headers = [
    (name.lower().encode(), value.encode())
    for name, value in security_headers(_JSON, Cors.ALLOWED_IF_SENT).items()
]

_METHODS = "OPTIONS, POST"
_PREFLIGHT: Headers = [
    (b"access-control-allow-methods", b"POST"),
    (b"access-control-allow-headers", ALLOWED_HEADERS.encode()),
    (b"access-control-max-age", b"86400"),
]


class MCPMessages(PipelineLayer):
    """ASGI middleware that answers messages to MCP."""

    def __init__(self, app: HTTPApp, quart: Quart) -> None:
        super().__init__(app, quart)
        services = services_of(quart)
        self._proxies = services.proxies
        self._rules = services.part(CallerRules)
        count_search = partial(count_request, services.limiter, SEARCHES)
        self._endpoint = McpEndpoint(services, Methods(TOOLS), count_search, partial(manual, quart))

    @classmethod
    def concerns(cls, policy: RoutePolicy, *, is_valid: bool) -> bool:
        """Return whether the policy is that of MCP."""
        return policy.message_form == MCP_FORM and is_valid

    def __call__(self, scope: HTTPScope, receive: Receive, send: Send) -> Awaitable[None]:
        """Answer a message; raises the MajlisError that refuses its request."""
        context = current_request.get()
        if context.method == "OPTIONS":
            return _answer_options(context, send)
        if context.method != "POST":
            raise OnlyPosted(
                "MCP has no streams and no sessions; it answers POST only.",
                "Send each JSON-RPC message as the body of a POST request.",
                {"Allow": _METHODS},
            )
        self._check(scope, context)
        return self._answer(context, receive, send)

    def _check(self, scope: HTTPScope, context: RequestContext) -> None:
        """Refuse a request by its headers; a trusted proxy may send a host name of its own."""
        if not context.is_readable:
            raise CallerNotAllowed(
                "Browsers may not call MCP from pages of this origin.",
                "Ask the operator to add the origin to MCP_ORIGINS.",
            )
        if not self._rules.allow_host(context.headers) and not self._proxies.trusts(peer(scope)):
            raise CallerNotAllowed(
                "MCP is not served under this host name.",
                "Use the public address of the service, which the operator sets with BASE_URL.",
            )
        if context.headers.get(b"content-encoding", b"identity").lower() != b"identity":
            raise UnsupportedBody(
                "Compressed request bodies are not accepted.",
                "Send the body without Content-Encoding.",
            )
        if not _is_json(context.headers.get(b"content-type", b"")):
            raise UnsupportedBody.of_type(_JSON)
        announced = context.headers.get(b"content-length", b"0")
        if announced.isdigit() and len(announced) < 20 and int(announced) > MAX_BYTES:
            raise BodyTooLarge

    async def _answer(self, context: RequestContext, receive: Receive, send: Send) -> None:
        body = await read_body(receive)
        if body is not None:
            await _send(await self._endpoint.answer(context, body), send)


async def read_body(receive: Receive, seconds: float = TIMEOUT_SECONDS) -> bytes | None:
    """Return a body, None if the client has gone; raises BodyTooLarge and BodyTooSlow."""
    parts: list[bytes] = []
    size, more = 0, True
    try:
        async with asyncio.timeout(seconds):
            while more:
                event = await receive()
                if event["type"] != "http.request":
                    return None
                parts.append(event.get("body", b""))
                size += len(parts[-1])
                more = event.get("more_body", False)
                if size > MAX_BYTES:
                    raise BodyTooLarge
    except TimeoutError:
        raise BodyTooSlow(*EXPLANATIONS[408]) from None
    return b"".join(parts)


async def _answer_options(context: RequestContext, send: Send) -> None:
    """Tell the methods, and a browser whether a page may call."""
    headers = [(b"allow", _METHODS.encode()), (b"vary", b"Origin"), _NOT_STORED]
    await _respond(send, 204, headers + (_PREFLIGHT if context.is_readable else []))


async def _send(answer: messages.RpcAnswer, send: Send) -> None:
    headers = [(b"content-length", b"%d" % len(answer.body)), _NOT_STORED]
    if answer.body:
        headers += [_CONTENT_TYPE, *_POLICIES]
    await _respond(send, answer.status, headers, answer.body)


async def _respond(send: Send, status: int, headers: Headers, body: bytes = b"") -> None:
    await send(HTTPResponseStartEvent(type="http.response.start", status=status, headers=headers))
    await send(HTTPResponseBodyEvent(type="http.response.body", body=body, more_body=False))


@lru_cache(maxsize=64)
def _is_json(content_type: bytes) -> bool:
    media_type, parameters = parse_options_header(content_type.decode("latin-1"))
    charset = parameters.get("charset", "utf-8").lower().replace("-", "")
    return media_type.lower() == _JSON and charset == "utf8"


def open_parts(services: Services) -> Iterable[object]:
    """Return the facts of the server, who may call it, what answers, and its contract."""
    yield CallerRules.of(
        services.settings.public_url, services.settings.of(McpSettings).other_mcp_origins
    )
    yield AddedLayer(MCPMessages, inside=Limits)
    yield ContractPart(tag=TAG, paths=mcp_paths, schemas=SCHEMAS)


Chosen = TypeVar("Chosen")

CountSearch = Callable[[RequestContext], Awaitable[None]]
"""Counts a search of the client; raises RateLimited."""

_TTL_MILLISECONDS = 300_000
"""How long clients may keep a list or a resource: as long as the markdown of a page."""
_SERVER = to_json({messages.SERVER_KEY: {"name": SERVER_NAME, "version": SERVER_VERSION}})
_COMPLETE = b',"resultType":"complete","_meta":%b}' % _SERVER
_CACHEABLE = b',"ttlMs":%d,"cacheScope":"public"%b' % (_TTL_MILLISECONDS, _COMPLETE)

_CODING = "mcp"
"""Stands for the content coding in keys of the response cache, so that no page has the same."""
_HITS, _PAGE = b"hits", b"page"
"""The headers in which an entry of the cache has what is told to the audience."""
_OVERHEAD_BYTES = 1_024
"""Estimated memory of an entry of the cache besides its key and its result."""


class McpEndpoint:
    """Answers messages, each by itself."""

    def __init__(
        self, services: Services, methods: Methods, count_search: CountSearch, manual: Manual
    ) -> None:
        self._services = services
        self._counter = services.find(SearchCounter)
        self._manual = manual
        self._methods = methods
        self._count_search = count_search

    async def answer(self, context: RequestContext, body: bytes) -> messages.RpcAnswer:
        """Return the answer to a message; raises a MajlisError if there is none at the moment."""
        sent_id = None
        if self._counter is not None:  # one task may answer several messages
            visitor_name.set(None)
            page_read.set(None)
        try:
            value = messages.parse_object(body)
            sent_id = messages.readable_id(value)
            return await self._answer(context, messages.read_message(value), sent_id)
        except messages.ProtocolError as error:
            return messages.error_answer(error, sent_id)
        except MajlisError:
            raise
        except Exception as error:
            log.error("A message to MCP failed", exc_info=error)
            explained = " ".join(EXPLANATIONS[500])
            return messages.error_answer(
                messages.ProtocolError(messages.INTERNAL_ERROR, explained, 500), sent_id
            )

    async def _answer(
        self, context: RequestContext, message: messages.RpcMessage, sent_id: bytes | None
    ) -> messages.RpcAnswer:
        if sent_id is None:
            messages.check_notification(context.headers)
            return messages.ACCEPTED
        modern = messages.is_modern(message, context.headers)
        if self._counter is not None:
            visitor_name.set(messages.client_name(message))
        method = self._methods.find(message.method, modern=modern)
        work = method.prepare(message.params)
        try:
            result = await self._result(context, work, messages.user_country(message))
        except UnknownResource as error:
            code = messages.INVALID_PARAMS if modern else messages.RESOURCE_NOT_FOUND
            data = {"uri": message.params["uri"]}
            raise messages.ProtocolError(code, str(error), data=data) from None
        if not modern:
            return messages.result_answer(sent_id, result + b"}")
        return messages.result_answer(
            sent_id, result + (_CACHEABLE if method.cacheable else _COMPLETE)
        )

    async def _result(self, context: RequestContext, work: Work, user: Country | None) -> bytes:
        """Return a result as JSON without its closing brace, that of an equal request if any.

        A search without a country is made for the country of the user, if the site is open there.
        """
        snapshot = self._services.content_store.current.snapshot
        now, base_url = self._services.clock(), self._services.settings.public_url
        places = named_countries(ContentView(snapshot, snapshot.default_locale, now, base_url))
        locale, source = _locale(context.query, snapshot.locales, places)
        if work.searches:
            await self._count_search(context)
            if source is CountrySource.DEFAULT and user in snapshot.open.countries:
                locale, source = Locale(user, locale.language), CountrySource.USER
        cache = self._services.cache
        place = f"{locale.path} {source}" if work.searches else locale.path
        key = (context.raw_path, work.key, None, _CODING, place)
        cached = cache.find_cached(key) or await cache.find_pending(key)
        if cached is not None:
            self._tell_audience(work, dict(cached.start["headers"]))
            return cached.body["body"]
        if cache.is_pending(key):
            return (await self._compute(context, work, locale, source)).open_json
        with cache.filling(key) as resolve:
            try:
                result = await self._compute(context, work, locale, source)
            except Overloaded:
                resolve(None)  # else the requests that wait would try one after the other
                raise
            resolve(_entry(key, result) if result.final else None)
        return result.open_json

    def _tell_audience(self, work: Work, facts: Mapping[bytes, bytes]) -> None:
        """Tell what a search found and which page was read, if the audience is counted."""
        if self._counter is None:
            return
        if _PAGE in facts:
            page_read.set(facts[_PAGE].decode())
        if _HITS in facts:
            self._counter.count_search(Channel.MCP, work.query, int(facts[_HITS]))

    async def _compute(
        self, context: RequestContext, work: Work, locale: Locale, source: CountrySource
    ) -> Result:
        services = self._services
        edition, now = services.content_store.current, services.clock()
        made_of.get().append(edition)
        base_url = services.settings.public_url
        server = server_at(base_url)
        tool_context = ToolContext(edition, locale, now, base_url, server, self._manual, source)
        executors = services.executors
        executor = executors.searches if work.searches else executors.pages
        result = await executor.run(partial(work.call, tool_context), context.client)
        self._tell_audience(work, dict(_facts(result)))
        return result


def _entry(key: CacheKey, result: Result) -> CachedResponse:
    body = HTTPResponseBodyEvent(type="http.response.body", body=result.open_json, more_body=False)
    size = len(result.open_json) + len(key[1]) + _OVERHEAD_BYTES
    start = HTTPResponseStartEvent(
        type="http.response.start", status=200, headers=list(_facts(result))
    )
    return CachedResponse(start, body, is_shareable=True, size=size)


def _facts(result: Result) -> Iterator[tuple[bytes, bytes]]:
    """Yield what is told to the audience."""
    if result.hits is not None:
        yield _HITS, b"%d" % result.hits
    if result.page is not None:
        yield _PAGE, result.page.encode()


@lru_cache(maxsize=256)
def _locale(query: bytes, locales: Locales, places: NamedCountries) -> tuple[Locale, CountrySource]:
    """Return the locale of the address; raises ProtocolError for one that the site has not."""
    values = dict(parse_qsl(query.decode()))
    default = locales.default
    named = values.get("country")
    country = places.meant_by(named or "") or _chosen(COUNTRY, named, locales)
    language = _chosen(LANG, values.get("lang"), locales)
    source = CountrySource.DEFAULT if is_absent(named) else CountrySource.GIVEN
    return Locale(country or default.country, language or default.language), source


def _chosen(parameter: SiteParameter[Chosen], value: str | None, locales: Locales) -> Chosen | None:
    try:
        return parameter.value_of(value, locales)
    except InvalidArgument as error:
        raise messages.ProtocolError(messages.INVALID_PARAMS, told(error), 400) from None

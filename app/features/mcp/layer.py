"""MCP messages: answers all requests to `/mcp` without entering Quart."""

import asyncio
from collections.abc import Awaitable, Iterable
from functools import lru_cache, partial

from hypercorn.typing import HTTPResponseBodyEvent, HTTPResponseStartEvent
from quart import Quart
from werkzeug.http import parse_options_header

from app.features.mcp.endpoint import McpEndpoint
from app.features.mcp.messages import RpcAnswer
from app.features.mcp.methods import Methods
from app.features.mcp.server import SCHEMAS, TAG, mcp_paths
from app.features.mcp.settings import McpSettings
from app.features.mcp.tools import TOOLS
from app.platform.asgi.caching import Caching
from app.platform.asgi.scope import Headers, HTTPApp, HTTPScope, Receive, Send, peer
from app.platform.limits.rate_limits import SEARCHES
from app.services import Services, services_of
from app.web.extensions import AddedLayer, ContractPart
from app.web.http.bodies import MAX_BYTES, TIMEOUT_SECONDS, BodyTooLarge, UnsupportedBody
from app.web.http.error_envelope import EXPLANATIONS
from app.web.http.origins import CallerRules
from app.web.http.request_context import RequestContext, current_request
from app.web.http.response_headers import ALLOWED_HEADERS, security_headers
from app.web.http.route_policy import MCP_FORM, Cors, RoutePolicy
from app.web.pipeline import PipelineLayer
from app.web.pipeline.rate_limits import Limits, count_request
from app.web.site.developers import manual
from knowledge.resources.errors import MajlisError


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


async def _send(answer: RpcAnswer, send: Send) -> None:
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

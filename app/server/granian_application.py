"""The application as Granian calls it: with refusals and headers that Granian does not know."""

from __future__ import annotations

from typing import Any

from hypercorn.typing import ASGIFramework, ASGIReceiveCallable, ASGISendCallable, Scope

from app.server.config import ServerConfig
from app.server.framing import is_ambiguous

_SERVER = (b"server", b"")
"""Granian names itself in this header, unless the response has it."""

_CLOSE = (b"connection", b"close")
_FRAMING = {b"content-length", b"transfer-encoding"}


class GranianApplication:
    """Calls an application, and completes the head of each response."""

    def __init__(self, app: ASGIFramework, config: ServerConfig) -> None:
        self._app = app
        self._config = config

    async def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        """Answer a request; refuse what is ambiguous before the application is called."""
        if scope["type"] != "http":
            raise RuntimeError(f"Granian asked for {scope['type']}.")
        exchange = _Exchange(scope, receive, send, self._config)
        if scope["http_version"] in {"1", "1.0", "1.1"} and _is_ambiguous(scope):
            await exchange.refuse()
        else:
            await self._app(scope, exchange.receive, exchange.send)


class _Exchange:
    """One request and its response."""

    def __init__(
        self,
        scope: Any,
        receive: ASGIReceiveCallable,
        send: ASGISendCallable,
        config: ServerConfig,
    ) -> None:
        self._scope = scope
        self._receive = receive
        self._send = send
        self._config = config
        self._is_unread = any(
            name in _FRAMING and value != b"0" for name, value in scope["headers"]
        )

    async def receive(self) -> Any:
        """Return the next message, and note the end of the body."""
        message: Any = await self._receive()
        if not message.get("more_body"):
            self._is_unread = False
        return message

    async def send(self, message: Any) -> None:
        """Send a message; the head with its last headers."""
        if message["type"] == "http.response.start":
            headers = [*message.get("headers", ()), _SERVER]
            if self._closes and all(name.lower() != b"connection" for name, _ in headers):
                headers.append(_CLOSE)
            message = {**message, "headers": headers}
        await self._send(message)

    async def refuse(self) -> None:
        """Answer 400, without a body, and close."""
        if self._config.log_refusal is not None:
            self._config.log_refusal(self._scope["client"][0], 400)
        headers = [(b"content-length", b"0"), _SERVER, _CLOSE]
        await self._send({"type": "http.response.start", "status": 400, "headers": headers})
        await self._send({"type": "http.response.body", "body": b"", "more_body": False})

    @property
    def _closes(self) -> bool:
        """Whether no request can follow on the connection; HTTP/2 says it by itself."""
        is_http1 = self._scope["http_version"].startswith("1")
        return is_http1 and (self._config.draining or self._is_unread)


def _is_ambiguous(scope: Any) -> bool:
    """Return whether a request has not one host; Granian adds an empty one where it has none."""
    headers = [line for line in scope["headers"] if line != (b"host", b"")]
    return is_ambiguous(scope["http_version"], headers)

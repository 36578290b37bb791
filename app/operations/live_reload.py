"""Live reload: pages that load themselves again after an edit, for authors at their own machine.

`majlis serve --reload` puts this around the application. Each page then has a script, which the
policy of the page allows by its hash, and which waits for a server-sent event.
"""

import asyncio
from time import time_ns
from typing import Any, cast

from quart import Quart

from app.platform.asgi.scope import ASGIApp, Receive, Scope, Send
from app.platform.concurrency.eager_start import in_task
from app.services import services_of
from app.web.http.response_headers import policy_allowing
from renderers.html.styles import source_of

PATH = "/_majlis/reload"
_LOOK_SECONDS = 0.1


class LiveReload:
    """ASGI application that adds the script to pages, and tells them of the next edition.

    Its streams end when `stop` is set.
    """

    def __init__(self, app: Quart, stop: asyncio.Event) -> None:
        self._app = cast(ASGIApp, app)
        self._store = services_of(app).content_store
        self._stop = stop
        self._seen: object = None
        self._started, self._number = time_ns(), 0

    def _edition(self) -> str:
        """Return the name of the content as it is now, which no later start uses again."""
        content = self._store.current.content if self._store.loaded else None
        if content is not self._seen:
            self._seen, self._number = content, self._number + 1
        return f"{self._started}-{self._number}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the path of the events; add the script to any other response with a page."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
        elif scope["path"] == PATH:
            await in_task()
            await self._stream(scope["query_string"].decode("latin-1"), receive, cast(Any, send))
        else:
            kept = (each for each in scope["headers"] if each[0].lower() != b"accept-encoding")
            scope["headers"] = list(kept)  # the script is added to text, not to its compression
            await self._app(scope, receive, cast(Send, _Page(send, self._edition()).send))

    async def _stream(self, shown: str, receive: Receive, send: Any) -> None:
        """Send an event once the content is another one than a page shows."""
        headers = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b": waiting\n\n", "more_body": True})
        leaving = asyncio.ensure_future(_until_left(receive))
        while not leaving.done() and not self._stop.is_set() and self._edition() == shown:
            await asyncio.wait([leaving], timeout=_LOOK_SECONDS)
        body = b"" if leaving.done() or self._stop.is_set() else b"data: changed\n\n"
        leaving.cancel()
        await send({"type": "http.response.body", "body": body, "more_body": False})


async def _until_left(receive: Receive) -> None:
    """Wait until the client of a request disconnects."""
    while (await receive())["type"] != "http.disconnect":
        pass


_SCRIPT = (
    f"new EventSource('{PATH}?' + document.currentScript.dataset.edition)"
    ".onmessage = () => location.reload();"
)

_POLICY = b"content-security-policy"
_REPLACED = (b"content-length", b"etag", b"cache-control", b"last-modified")


class _Page:
    """Sends a response, with the script at the end of its body if that is HTML."""

    def __init__(self, send: Send, edition: str) -> None:
        self._send: Any = send
        self._script = f'<script data-edition="{edition}">{_SCRIPT}</script>'.encode()
        self._start: Any = None
        self._body = b""

    async def send(self, message: Any) -> None:
        """Send a message, or keep it until the page is complete."""
        if message["type"] == "http.response.start" and _is_page(message["headers"]):
            self._start = message
        elif self._start is None:
            await self._send(message)
        else:
            self._body += message.get("body", b"")
            if not message.get("more_body"):
                await self._send_page()

    async def _send_page(self) -> None:
        before, end, after = self._body.rpartition(b"</body>")
        body = before + self._script + end + after if end else self._body
        headers = [
            (name, _allowing(value) if name.lower() == _POLICY else value)
            for name, value in self._start["headers"]
            if name.lower() not in _REPLACED
        ]
        headers += [(b"cache-control", b"no-store"), (b"content-length", b"%d" % len(body))]
        await self._send({**self._start, "headers": headers})
        await self._send({"type": "http.response.body", "body": body, "more_body": False})


def _is_page(headers: Any) -> bool:
    found = (value for name, value in headers if name.lower() == b"content-type")
    return next(found, b"").startswith(b"text/html")


def _allowing(policy: bytes) -> bytes:
    """Return a policy that allows the script too."""
    return policy_allowing(policy.decode("latin-1"), [source_of(_SCRIPT)]).encode("latin-1")

"""A test client that runs an application in this process over ASGI, with a fake clock."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import (
    Awaitable,
    Callable,
    Coroutine,
    Iterator,
    Mapping,
    MutableMapping,
    Sequence,
)
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import sha256
from itertools import count
from pathlib import Path
from pkgutil import resolve_name
from tempfile import TemporaryDirectory
from typing import Any, Self, TypeVar, cast
from urllib.parse import unquote

from hypercorn.typing import HTTPScope
from stores.migrated import migrated_sqlite
from werkzeug.datastructures import Headers

from app.factory import create_app, open_content_store
from app.services import Services
from app.settings import Settings
from app.web.http.request_context import RequestContext
from app.web.pipeline import PipelineLayer
from app.web.pipeline.layers import wrap
from app.web.pipeline.request_contexts import RequestContexts

BASE_URL = "https://www.wahat.example"
NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
"""The default time of tests; most sample posts are published by then, one is not."""

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Application = Callable[
    [Scope, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]],
    Awaitable[None],
]


Result = TypeVar("Result")


class FakeClock:
    """A clock that changes only when the test moves it."""

    def __init__(self, now: datetime = NOW) -> None:
        self.now = now

    def __call__(self) -> datetime:
        """Return the current instant."""
        return self.now

    def move(self, by: timedelta) -> None:
        """Move the clock."""
        self.now += by


@dataclass(frozen=True)
class Reply:
    """One response as sent over the wire: not decoded, redirects not followed."""

    status: int
    headers: Headers
    body: bytes

    @property
    def json(self) -> Any:
        """The body as JSON."""
        return json.loads(self.body)

    @property
    def text(self) -> str:
        """The body as text."""
        return self.body.decode()

    @property
    def links(self) -> str:
        """All Link headers, joined."""
        return ", ".join(self.headers.getlist("Link"))


def _addresses() -> Iterator[str]:
    """Yield client addresses (RFC 2544), one per request, so that no rate limit applies."""
    for number in count():
        yield f"198.18.{number // 250 % 250}.{number % 250 + 1}"


_PEERS = _addresses()

SAMPLE_FOLDER = "MAJLIS_SAMPLE_FOLDER"
"""The variable of the folder that the test processes of a run share."""

_OWN = TemporaryDirectory(prefix="majlis-visitor-")
_SAMPLE = Path(os.environ.get(SAMPLE_FOLDER, _OWN.name))
"""Of all applications with the sample content."""


@cache
def indexed_sample() -> Path:
    """Return the folder with the search index and the parsed files, which take seconds to make."""
    store = open_content_store(
        Settings(_env_file=None, index_dir=_SAMPLE / "index", cache_dir=_SAMPLE / "cache"),
        FakeClock(),
    )
    store.reload()
    store.compact(lambda: None)
    return _SAMPLE


def _indexes_of(content: Path) -> Path:
    """Return the folder for the search indexes of equal content: its first application makes them.

    To make those of one page takes longer than the rest of a start, as each locale has its own.
    They do not depend on templates. A test of the time before there are indexes sets `index_dir`.
    """
    digest = sha256()
    for path in sorted(content.rglob("*")):
        if path.is_file() and path.parts[len(content.parts)] != "_templates":
            digest.update(repr((str(path.relative_to(content)), path.read_bytes())).encode())
    return _SAMPLE / "indexes" / digest.hexdigest()


def _feature(name: str) -> Any:
    """Import a part of a feature where it is used, as a test may remove its folder."""
    return resolve_name(f"app.features.{name}")


_LIFESPAN_SECONDS = 120


class Visitor:
    """Starts an application, sends requests to it, and stops it."""

    def __init__(self, clock: Callable[[], datetime] | None = None, **settings: Any) -> None:
        self.clock = clock or FakeClock()
        self._folder = TemporaryDirectory(prefix="majlis-visitor-")
        own_database = migrated_sqlite(Path(self._folder.name, "majlis.db"))
        has_sample = "content_dir" not in settings
        made = indexed_sample() if has_sample else Path(self._folder.name)
        indexes = made / "index" if has_sample else _indexes_of(Path(settings["content_dir"]))
        own_images = Path(self._folder.name, "images")
        own_key = _SAMPLE / "leads.key"  # equal requests get equal responses
        own = {
            "leads_key_file": own_key,
            "database_url": own_database,
            "index_dir": indexes,
            "image_dir": own_images,
            "cache_dir": made / "cache",
        }
        values = {"base_url": BASE_URL, **own, **settings}
        self.quart = create_app(
            Settings(_env_file=None, **values),
            self.clock,
            ticks=lambda: self.clock().timestamp(),
            # Real ids are random; a fixed one gives equal requests equal responses.
            new_id=lambda: "the-same-id",
        )
        self._app = cast(Application, self.quart)
        self._runner = asyncio.Runner()
        self._to_app: asyncio.Queue[Message] = asyncio.Queue()
        self._from_app: asyncio.Queue[Message] = asyncio.Queue()
        self._lifespan: asyncio.Future[None] | None = None

    def __enter__(self) -> Self:
        self._runner.run(self._start())
        return self

    def __exit__(self, *_: object) -> None:
        self._runner.run(self._stop())
        self._runner.close()
        self._folder.cleanup()

    async def _start(self) -> None:
        scope = {"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}
        self._lifespan = asyncio.ensure_future(
            self._app(scope, self._to_app.get, self._from_app.put)
        )
        await self._send_lifespan("startup")

    async def _stop(self) -> None:
        await self._send_lifespan("shutdown")
        if self._lifespan:
            await self._lifespan

    async def _send_lifespan(self, phase: str) -> None:
        await self._to_app.put({"type": f"lifespan.{phase}"})
        answer = await asyncio.wait_for(self._from_app.get(), timeout=_LIFESPAN_SECONDS)
        if answer["type"] != f"lifespan.{phase}.complete":
            raise AssertionError(answer)

    def get(self, target: str, headers: Mapping[str, str] | None = None) -> Reply:
        """Send GET for a path and query, percent-encoded as on the wire."""
        return self.ask("GET", target, headers)

    def ask(
        self,
        method: str,
        target: str,
        headers: Mapping[str, str] | None = None,
        peer: str | None = None,
        body: bytes = b"",
    ) -> Reply:
        """Send a request; each has a new client address unless `peer` is set."""
        return self._runner.run(
            self.exchange(method, target, headers or {}, peer or next(_PEERS), body)
        )

    def post(
        self,
        target: str,
        value: object,
        headers: Mapping[str, str] | None = None,
        peer: str | None = None,
    ) -> Reply:
        """Send POST with a value as JSON."""
        typed = {"Content-Type": "application/json", **(headers or {})}
        return self.ask("POST", target, typed, peer, json.dumps(value).encode())

    def wrap(self, layers: Sequence[type[PipelineLayer]]) -> None:
        """Put other layers around the handlers."""
        self._app = cast(Application, wrap(self.quart, layers))

    def context(
        self, method: str, target: str, headers: Mapping[str, str] | None = None
    ) -> RequestContext:
        """Return what the application decides about a request before it handles it."""
        contexts: RequestContexts = vars(self.quart)["asgi_app"]
        scope = scope_of(method, target, headers or {}, next(_PEERS))
        return contexts.read(cast(HTTPScope, scope))

    @property
    def _lead_store(self) -> Any:
        services: Services = self.quart.extensions["majlis"]
        return services.part(_feature("leads.service:Leads")).store

    def leads(self) -> list[Any]:
        """Return the leads that the application has stored, oldest first."""

        async def stored() -> list[Any]:
            return [lead async for lead in self._lead_store.all()]

        return self._runner.run(stored())

    def forget_leads(self) -> None:
        """Delete all leads that the application has stored."""
        self._runner.run(self._lead_store.purge(self.clock() + timedelta(days=1), 1_000))

    def run(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Run a coroutine in the event loop of the application, and return its result."""
        return self._runner.run(work)

    def record_changes(self) -> None:
        """Load the content folder, and record what has changed."""
        services: Services = self.quart.extensions["majlis"]
        store, edits = services.content_store, services.executors.edits
        recorder = _feature("changes.recorder:ChangeRecorder")(
            services.database, store, edits, services.clock
        )
        store.reload()
        self._runner.run(recorder.record())

    def together(self, *exchanges: Coroutine[Any, Any, Reply]) -> list[Reply]:
        """Run several requests concurrently and return their responses."""

        async def all_of_them() -> list[Reply]:
            return await asyncio.gather(*exchanges)

        return self._runner.run(all_of_them())

    async def exchange(
        self,
        method: str,
        target: str,
        headers: Mapping[str, str],
        peer: str,
        body: bytes = b"",
    ) -> Reply:
        """Send one request and return its response; for use with `together`."""
        scope = scope_of(method, target, headers, peer)
        answered = asyncio.Event()
        messages: list[Message] = []
        incoming: Iterator[Message] = iter(({"type": "http.request", "body": body},))

        async def receive() -> Message:
            for message in incoming:
                return message
            await answered.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            messages.append(message)
            if message["type"] == "http.response.body" and not message.get("more_body"):
                answered.set()

        await asyncio.wait_for(self._app(scope, receive, send), timeout=60)
        start, *rest = messages
        pairs = [
            (name.decode("latin-1"), value.decode("latin-1")) for name, value in start["headers"]
        ]
        # A server drops the body of a response to HEAD.
        content = (
            b"" if method == "HEAD" else b"".join(message.get("body", b"") for message in rest)
        )
        return Reply(start["status"], Headers(pairs), content)


def scope_of(method: str, target: str, headers: Mapping[str, str], peer: str) -> Scope:
    """Return the ASGI scope of a request for a path and query, percent-encoded."""
    path, _, query = target.encode().partition(b"?")
    sent = {"host": "testserver", **{name.lower(): value for name, value in headers.items()}}
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote(path.decode("utf-8", "replace")),
        "raw_path": path,
        "query_string": query,
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in sent.items()],
        "client": (peer, 50_000),
        "server": ("testserver", 80),
        "extensions": {},
        "state": {},
    }


def write_tree(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files by relative path below a folder, and return the folder."""
    root.mkdir(parents=True, exist_ok=True)
    for path, content in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
    return root

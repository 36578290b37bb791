"""A visitor: asks an application in this process over ASGI, as a server would, and has its time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self, cast
from urllib.parse import unquote

from werkzeug.datastructures import Headers

from app.factory import create_app
from app.leads.store import StoredLead
from app.services import Services
from app.settings import Settings

BASE_URL = "https://www.wahat.example"
NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
"""The instant at which the tests read: most of the sample's posts are out, one is to come."""

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Application = Callable[
    [Scope, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]],
    Awaitable[None],
]


class FakeClock:
    """A clock that stands until the test moves it."""

    def __init__(self, now: datetime = NOW) -> None:
        self.now = now

    def __call__(self) -> datetime:
        """The instant it shows."""
        return self.now

    def move(self, by: timedelta) -> None:
        """Let time pass."""
        self.now += by


@dataclass(frozen=True)
class Reply:
    """One answer, as it would go over the wire: nothing is decoded or followed."""

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
        """All Link headers as one."""
        return ", ".join(self.headers.getlist("Link"))


def _addresses() -> Iterator[str]:
    """Addresses for benchmarks (RFC 2544): one for each request, so that no limit is met."""
    for number in count():
        yield f"198.18.{number // 250 % 250}.{number % 250 + 1}"


_PEERS = _addresses()


class Visitor:
    """Starts an application over a content folder, asks it, and stops it."""

    def __init__(self, clock: Callable[[], datetime] | None = None, **settings: Any) -> None:
        self.clock = clock or FakeClock()
        self._folder = TemporaryDirectory(prefix="majlis-visitor-")
        own_database = f"sqlite:///{self._folder.name}/majlis.db"
        chosen = {"base_url": BASE_URL, "database_url": own_database, **settings}
        self.quart = create_app(
            Settings(_env_file=None, **chosen),
            self.clock,
            ticks=lambda: self.clock().timestamp(),
            # So that two equal requests have equal answers; real ids are random.
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
        await self._tell("startup")

    async def _stop(self) -> None:
        await self._tell("shutdown")
        if self._lifespan:
            await self._lifespan

    async def _tell(self, phase: str) -> None:
        await self._to_app.put({"type": f"lifespan.{phase}"})
        answer = await asyncio.wait_for(self._from_app.get(), timeout=10)
        if answer["type"] != f"lifespan.{phase}.complete":
            raise AssertionError(answer)

    def get(self, target: str, headers: Mapping[str, str] | None = None) -> Reply:
        """GET a path with its query, percent-encoded as on the wire."""
        return self.ask("GET", target, headers)

    def ask(
        self,
        method: str,
        target: str,
        headers: Mapping[str, str] | None = None,
        peer: str | None = None,
        body: bytes = b"",
    ) -> Reply:
        """Send any request; each comes from an address of its own unless `peer` names one."""
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
        """POST a value as JSON."""
        typed = {"Content-Type": "application/json", **(headers or {})}
        return self.ask("POST", target, typed, peer, json.dumps(value).encode())

    def leads(self) -> list[StoredLead]:
        """What the application has stored, oldest first."""
        services: Services = self.quart.extensions["majlis"]

        async def stored() -> list[StoredLead]:
            return [each async for each in services.leads.all()]

        return self._runner.run(stored())

    def forget_leads(self) -> None:
        """Delete what the application has stored."""
        services: Services = self.quart.extensions["majlis"]
        self._runner.run(services.leads.purge(self.clock() + timedelta(days=1), 1_000))

    def together(self, *exchanges: Coroutine[Any, Any, Reply]) -> list[Reply]:
        """The answers to several requests that are under way at the same time."""

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
        """One request and its answer, for `together`."""
        path, _, query = target.encode().partition(b"?")
        sent = {"host": "testserver", **{name.lower(): value for name, value in headers.items()}}
        scope: Scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": unquote(path.decode()),
            "raw_path": path,
            "query_string": query,
            "root_path": "",
            "headers": [(name.encode(), value.encode()) for name, value in sent.items()],
            "client": (peer, 50_000),
            "server": ("testserver", 80),
            "extensions": {},
            "state": {},
        }
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

        await asyncio.wait_for(self._app(scope, receive, send), timeout=10)
        start, *rest = messages
        found = [
            (name.decode("latin-1"), value.decode("latin-1")) for name, value in start["headers"]
        ]
        # A server sends no body after HEAD, whatever the application hands it.
        answer = b"" if method == "HEAD" else b"".join(each.get("body", b"") for each in rest)
        return Reply(start["status"], Headers(found), answer)


def write_tree(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """A content folder with these files, by path relative to it."""
    root.mkdir(parents=True, exist_ok=True)
    for path, content in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content.encode() if isinstance(content, str) else content)
    return root

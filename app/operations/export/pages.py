"""The pages of an export: every address that a static host can answer, and its response.

The application runs in this process, without rate limits and cache. It is asked for all pages that
the site map knows, in each form, for the files at fixed paths and the files of the content folder,
and for whatever HTML and stylesheets of the site load or link to.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from itertools import product
from tempfile import SpooledTemporaryFile
from typing import IO, Any, cast
from urllib.parse import quote, unquote, urljoin

from quart import Quart

from app.platform.asgi.scope import ASGIApp
from app.platform.concurrency.executors import Executors
from app.services import services_of
from app.settings import Settings
from app.web.errors import Refusals
from app.web.http.parameters import of_site
from app.web.openapi.document import documented_operations
from app.web.openapi.operation import READS_CONTENT
from app.web.pipeline.layers import wrap
from knowledge.addresses.addresses import is_visible, page_of, parse_address, split_locale
from knowledge.addresses.former_addresses import Redirect, former_address
from knowledge.resources.site_map import addresses_of
from knowledge.snapshot.snapshot import Snapshot
from llms.well_known import WELL_KNOWN_FILES
from renderers.representation import SUFFIXED_MEDIA_TYPES, suffixed_path


@dataclass(frozen=True, slots=True)
class SiteFile:
    """The response to one address; `path` is decoded. Its body is an open file."""

    path: str
    status: int
    headers: Mapping[str, str]
    body: IO[bytes]

    @property
    def media_type(self) -> str:
        """The media type with its parameters, `""` without a body."""
        return self.headers.get("content-type", "")


MISSING = "/404"
"""Where no page is: its error page is that of all missing ones."""
_OF_SERVICE = re.compile(
    r"/(?:api|mcp|developers|openapi)(?=[/.-]|\Z)|.*/(?:opensearch\.xml|search/titles)\Z|(?!{})/\.well-known/".format(
        "|".join(re.escape(file.path) for file in WELL_KNOWN_FILES if file.is_static)
    )
)
"""Paths that only a service can answer, and what describes them."""
_LINKING = ("text/html", "text/css", "application/xml")
_LINK = re.compile(
    r"""\b(?:href|src|srcset|poster|content)="([^"]*)"|url\(["']?([^"')]*)|<loc>([^<]*)"""
)
_LATER_PAGE = re.compile(r"(?P<list>/.*)/page/(?P<number>\d+)(?P<suffix>\.[a-z]+)?")
_CONCURRENT = 4
"""Requests at once: while one waits for a picture, the others use the processor."""
_GUIDE = re.compile(r"(?P<beginning>/.+/llms)(?:-(?P<number>\d+))?\.txt")
_IN_MEMORY = 1024 * 1024


class SiteFiles:
    """The responses of an application to all addresses of its site, and the links to none."""

    def __init__(self, app: Quart) -> None:
        self._app = app
        self._asgi = cast(ASGIApp, wrap(app, (Refusals,)))
        self._services = services_of(app)
        self._base_url = self._services.settings.public_url
        self.now = self._services.clock()
        self._seen: set[str] = set()
        self.broken: dict[str, str] = {}
        """The linked paths without a file, each with a page that links to it."""

    @property
    def settings(self) -> Settings:
        """The settings of the application."""
        return self._services.settings

    @property
    def snapshot(self) -> Snapshot:
        """The content of the site."""
        return self._services.content_store.current.snapshot

    async def each(self) -> AsyncIterator[SiteFile]:
        """Yield the response to each address, in any order, and at last the pages of errors."""
        waiting = dict.fromkeys(self._beginnings(), "")
        self._seen = {*waiting}
        running: dict[asyncio.Task[SiteFile], str] = {}
        async with self._services.executors:
            while waiting or running:
                while waiting and len(running) < _CONCURRENT:
                    path, source = waiting.popitem()
                    running[asyncio.create_task(self._answered(path))] = source
                done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    source, file = running.pop(task), task.result()
                    if source and file.status not in (200, 301, 302, 307, 308):
                        self.broken[file.path] = source
                    origin = "" if _GUIDE.fullmatch(file.path) else file.path
                    waiting |= dict.fromkeys(self._new_paths(file), origin)
                    yield file
            for root in ("", *(locale.path for locale in self.snapshot.open_locales)):
                page = await self._answered(root + MISSING)
                yield SiteFile(f"{page.path}.html", 404, page.headers, page.body)

    def redirects(self) -> Iterator[tuple[str, Redirect]]:
        """Yield the former addresses of the site, and where each leads."""
        for path in dict.fromkeys(self._former_paths()):
            if path not in self._seen:
                locale = split_locale(path)[0] or self.snapshot.default_locale
                found = former_address(self.snapshot, path, locale, self.now)
                if found:
                    yield path, found

    def _former_paths(self) -> Iterator[str]:
        snapshot = self.snapshot
        for old in (*snapshot.old_addresses, *snapshot.redirects.literal):
            yield from (old, *(locale.path + old for locale in snapshot.open_locales))
        yield from (each.path for each in addresses_of(snapshot, snapshot.page_types.listed))
        for slug, entry in snapshot.former_slugs.items():
            if entry.kind in snapshot.page_types.by_content_type:
                below = page_of(entry.kind, slug, snapshot).path
                yield from (locale.path + below for locale in snapshot.open_locales)

    def _beginnings(self) -> Iterator[str]:
        """Yield the paths from which the other ones are found."""
        snapshot = self.snapshot
        for rule in self._app.url_map.iter_rules():
            if "GET" in (rule.methods or ()) and not _OF_SERVICE.match(rule.rule):
                if not rule.arguments:
                    yield rule.rule
                elif rule.arguments == {"locale"}:
                    below = rule.rule.partition(">")[2]
                    yield from (locale.path + below for locale in snapshot.open_locales)
        yield from (f"/{path}" for path in snapshot.assets)
        countries = (locale.country for locale in snapshot.open_locales if locale.country)
        yield from (f"/{country.slug}" for country in dict.fromkeys(countries))
        for spec in documented_operations(self._app, snapshot):
            is_read = spec.method == "GET" and not spec.successor and not spec.variables
            queries = (of_site(each, snapshot.locales) for each in spec.operation.query)
            if is_read and spec.operation.errors == READS_CONTENT and not any(queries):
                yield spec.path
        pages = addresses_of(snapshot, snapshot.page_types.listed)
        for locale, address in product(snapshot.open_locales, pages):
            if is_visible(snapshot, address, locale, self.now):
                path = locale.path + address.path
                yield path
                yield from (suffixed_path(path, each) for each in SUFFIXED_MEDIA_TYPES)

    def _new_paths(self, file: SiteFile) -> Iterator[str]:
        """Yield the paths to which a file leads first; notes links to what needs the service."""
        guide = _GUIDE.fullmatch(file.path)
        found = set()
        if file.status == 200 and guide:
            found = {f"{guide['beginning']}-{int(guide['number'] or 1) + 1}.txt"}
        elif file.status == 200 and file.media_type.startswith(_LINKING):
            found = set(self._linked(file.body.read().decode(), file.path))
            file.body.seek(0)
        for path in found - self._seen:
            self._seen.add(path)
            if self._needs_service(path):
                self.broken[path] = file.path
            else:
                yield path

    def _linked(self, text: str, path: str) -> Iterator[str]:
        """Yield the decoded paths of the site that HTML, a stylesheet or a sitemap names."""
        for groups in _LINK.findall(text):
            for candidate in unescape("".join(groups)).split(","):  # as `srcset` has several
                url, _, _ = candidate.strip().partition(" ")
                target = url.removeprefix(self._base_url) or "/"
                if target.startswith("/") and not target.startswith("//"):
                    yield unquote(target.partition("#")[0].partition("?")[0])
                elif url.startswith(("./", "../")):
                    yield unquote(urljoin(path, url))

    def _needs_service(self, path: str) -> bool:
        """Return whether no file can answer for a path: an API, a search, a comparison."""
        address = parse_address(split_locale(path)[1], self.snapshot)
        return bool(_OF_SERVICE.match(path) or (address and not address.page.is_indexed))

    def running(self) -> Executors:
        """Return the context in which the application responds."""
        return self._services.executors

    async def response(self, url: str, language: str = "") -> SiteFile:
        """Return the response to one path with its query, for a visitor with a language."""
        target, _, query = url.partition("?")
        return await self._request(unquote(target), target, query, language)

    async def _answered(self, path: str) -> SiteFile:
        """Return the response to a path, also that of a later page of a list."""
        later = _LATER_PAGE.fullmatch(path)
        if later:
            listed = quote(later["list"] + (later["suffix"] or ""))
            file = await self._request(path, listed, f"page={later['number']}")
            if file.status == 200:
                return file
        return await self._request(path, quote(path), "")

    async def _request(self, path: str, target: str, query: str, language: str = "") -> SiteFile:
        accepted = {b"accept": b"text/html, */*;q=0.5", b"accept-language": language.encode()}
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "scheme": "https",
            "path": unquote(target),
            "raw_path": target.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(b"host", b"localhost"), *((k, v) for k, v in accepted.items() if v)],
            "client": ("127.0.0.1", 0),
            "server": ("localhost", 80),
            "extensions": {},
            "state": {},
        }
        started: dict[str, Any] = {}
        body = SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115  # its reader closes it
        is_complete = asyncio.Event()
        sent = iter(({"type": "http.request", "body": b"", "more_body": False},))

        async def receive() -> dict[str, Any]:
            for message in sent:
                return message
            await is_complete.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                started.update(message)
            else:
                body.write(message.get("body", b""))
                if not message.get("more_body"):
                    is_complete.set()

        await self._asgi(cast(Any, scope), cast(Any, receive), send)
        body.seek(0)
        headers = {name.decode().lower(): text.decode() for name, text in started["headers"]}
        return SiteFile(path, started["status"], headers, cast(IO[bytes], body))

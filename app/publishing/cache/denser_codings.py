"""Denser codings: bodies that are asked for again get a better coding, made in the background.

The first answer is compressed quickly. What is in demand is compressed once more, at a level that
takes fifty times as long and saves a tenth of the bytes, in a thread that yields to all others.
"""

from __future__ import annotations

import asyncio
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace

from hypercorn.typing import HTTPResponseBodyEvent, HTTPResponseStartEvent

from app.platform.asgi import content_encoding
from app.platform.asgi.header_blocks import HeaderBlock, HeaderBlocks
from app.platform.clock import Ticks
from app.platform.concurrency.wait_or_stop import wait_or_stop
from app.publishing.cache.response_cache import CachedResponse, ResponseCache

_PERIOD_SECONDS = 2.0
"""How long a body is in demand before it is compressed again; an edit may come before."""

_REST_SECONDS = 0.1
"""Between two bodies, so that a page of 30 kB takes a fifth of a processor at most."""

_MAX_BYTES = 256 * 1024
"""Larger bodies, of which there are few, would take seconds."""

_LOWEST_PRIORITY = 19


class DenserCodings:
    """Compresses again what the cache holds and several clients have asked for."""

    def __init__(self, cache: ResponseCache, ticks: Ticks) -> None:
        self._cache = cache
        self._ticks = ticks

    async def run(self, stop: asyncio.Event) -> None:
        """Compress what is in demand, one body after the other, until `stop` is set."""
        due_at = self._ticks() + _PERIOD_SECONDS
        with ThreadPoolExecutor(1, "majlis-codings", _yield_to_others) as executor:
            while not stop.is_set():
                if self._ticks() >= due_at:
                    await self.improve(stop, executor)
                    due_at = self._ticks() + _PERIOD_SECONDS
                await wait_or_stop(stop, _PERIOD_SECONDS)

    async def improve(self, stop: asyncio.Event, executor: ThreadPoolExecutor) -> None:
        """Compress once what is in demand now."""
        for key, response in self._cache.take_in_demand():
            if stop.is_set():
                return
            if not _is_worth_it(response):
                continue
            loop = asyncio.get_running_loop()
            denser = await loop.run_in_executor(executor, compressed_again, response)
            if denser.size < response.size:
                self._cache.replace(key, response, denser)
            await wait_or_stop(stop, _REST_SECONDS)


def _is_worth_it(response: CachedResponse) -> bool:
    is_small = len(response.body["body"]) <= _MAX_BYTES
    return is_small and content_encoding.has_denser_form(_tag(response))


def _tag(response: CachedResponse) -> str:
    return dict(response.start["headers"]).get(b"etag", b"").decode("ascii").strip('"')


def compressed_again(response: CachedResponse) -> CachedResponse:
    """Return a response with the denser coding of its body, and the entity tag of those bytes."""
    quick = response.body["body"]
    body = content_encoding.compress_again(quick)
    changed = {
        b"etag": f'"{content_encoding.other_form(_tag(response))}"'.encode(),
        b"content-length": str(len(body)).encode(),
    }
    return replace(
        response,
        start=HTTPResponseStartEvent(
            type="http.response.start",
            status=response.start["status"],
            headers=HeaderBlocks(
                HeaderBlock(
                    [(name, changed.get(name, text)) for name, text in response.start["headers"]]
                )
            ),
        ),
        body=HTTPResponseBodyEvent(type="http.response.body", body=body, more_body=False),
        size=response.size + len(body) - len(quick),
    )


def _yield_to_others() -> None:
    """Give the thread the lowest priority, where the system has one for threads."""
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _LOWEST_PRIORITY)

"""Downloads: large files of the content folder, streamed from the disk in chunks.

Each download has at most one chunk in memory, and is not compressed. The entity tag is strong:
it is a hash of the bytes. If the file is written to during a download, the response ends before
its Content-Length is reached, so that no client mistakes parts of two versions for one file.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path

from quart import Response
from quart.wrappers.response import ResponseBody

from app.asgi.caching import Caching, etag_matches
from app.http.request_context import current_request
from knowledge.assets import AssetChanged, OpenAsset, open_asset
from knowledge.errors import ContentUnavailable

log = logging.getLogger(__name__)

_STEP_SECONDS = 0.05
_MAX_STEPS = 20
_MIN_TIMEOUT_SECONDS = 60
_MIN_BYTES_PER_SECOND = 16 * 1024
"""A download that is slower than that on average is aborted."""


class _Incomplete(TimeoutError):
    """Ends the response early. Quart ends a response without an error page at a TimeoutError."""


class _FileBody(ResponseBody):
    """A response body that streams an open file in chunks and closes it."""

    def __init__(self, asset: OpenAsset, path: str) -> None:
        self._asset = asset
        self._path = path

    async def __aenter__(self) -> AsyncIterator[bytes]:
        return self._chunks()

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self._asset.close)

    async def _chunks(self) -> AsyncIterator[bytes]:
        start = 0
        while start < self._asset.size:
            try:
                chunk = await asyncio.to_thread(self._asset.piece, start)
            except (AssetChanged, OSError):
                log.warning("%s was written to during a download; response aborted", self._path)
                raise _Incomplete from None
            yield chunk
            start += len(chunk)


async def download(root: Path, path: str, media_type: str) -> Response:
    """Return the response for a file; raises ContentFileError or ContentUnavailable."""
    asset, digest = await _open(root, path)
    context = current_request.get()
    is_current = etag_matches(digest, context.header(b"if-none-match"))  # so it becomes a 304
    needs_body = context.method == "GET" and not is_current
    response = Response(_FileBody(asset, path) if needs_body else b"", content_type=media_type)
    if not needs_body:
        asset.close()
    response.timeout = _MIN_TIMEOUT_SECONDS + asset.size / _MIN_BYTES_PER_SECOND
    response.content_length = asset.size
    response.set_etag(digest)
    response.headers["Cache-Control"] = Caching.ASSET
    response.headers["Vary"] = context.vary
    return response


async def _open(root: Path, path: str) -> tuple[OpenAsset, str]:
    """Open a file and hash its bytes; waits up to a second for a file that is being written."""
    for _ in range(_MAX_STEPS):
        asset = await asyncio.to_thread(open_asset, root, path)
        if not asset.is_settling:
            try:
                return asset, await asyncio.to_thread(asset.digest)
            except (AssetChanged, OSError):
                pass
        asset.close()
        await asyncio.sleep(_STEP_SECONDS)
    raise ContentUnavailable("The file is being written.", "Try again in a few seconds.")

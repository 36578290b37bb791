"""Downloads: large files of the content folder, sent from the disk piece by piece.

No more than one piece of a file is in memory for each reader, and nothing is compressed. The
entity tag is strong: it is a hash of the bytes. Where the file is written to while it is sent,
the answer ends before the bytes that its Content-Length announces, so that no client takes parts
of two versions for one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path

from quart import Response, request
from quart.wrappers.response import ResponseBody

from app.asgi.caching import Caching
from app.asgi.conditional import etag_matches
from app.http.responses import VARY
from knowledge.assets import AssetChanged, OpenAsset, open_asset
from knowledge.errors import ContentUnavailable

log = logging.getLogger(__name__)

_STEP_SECONDS = 0.05
_MOST_STEPS = 20
_LEAST_SECONDS = 60
_SLOWEST_BYTES_A_SECOND = 16 * 1024
"""A reader who is slower than that on the whole is not waited for."""


class _Incomplete(TimeoutError):
    """The answer ends here; Quart leaves an answer as it is at this kind of error."""


class _Pieces(ResponseBody):
    """The body of an answer: the pieces of one open file, which is closed in any case."""

    def __init__(self, asset: OpenAsset, path: str) -> None:
        self._asset = asset
        self._path = path

    async def __aenter__(self) -> AsyncIterator[bytes]:
        return self._pieces()

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self._asset.close)

    async def _pieces(self) -> AsyncIterator[bytes]:
        start = 0
        while start < self._asset.size:
            try:
                piece = await asyncio.to_thread(self._asset.piece, start)
            except (AssetChanged, OSError):
                log.warning("%s was written to while it was sent; a reader got a part", self._path)
                raise _Incomplete from None
            yield piece
            start += len(piece)


async def download(root: Path, path: str, media_type: str) -> Response:
    """The file at a path as it is now; raises ContentFileError, or ContentUnavailable."""
    asset, digest = await _opened(root, path)
    is_wanted = request.method == "GET" and not etag_matches(
        digest, request.headers.get("If-None-Match")
    )
    response = Response(_Pieces(asset, path) if is_wanted else b"", content_type=media_type)
    if not is_wanted:
        asset.close()
    response.timeout = _LEAST_SECONDS + asset.size / _SLOWEST_BYTES_A_SECOND
    response.content_length = asset.size
    response.set_etag(digest)
    response.headers["Cache-Control"] = Caching.ASSET
    response.headers["Vary"] = VARY
    return response


async def _opened(root: Path, path: str) -> tuple[OpenAsset, str]:
    """The file, and the hash of its bytes; one that is being written is waited for a moment."""
    for _ in range(_MOST_STEPS):
        asset = await asyncio.to_thread(open_asset, root, path)
        if not asset.is_settling:
            try:
                return asset, await asyncio.to_thread(asset.digest)
            except (AssetChanged, OSError):
                pass
        asset.close()
        await asyncio.sleep(_STEP_SECONDS)
    raise ContentUnavailable("The file is being written at the moment.", "Try again shortly.")

"""Images and downloads in the content folder, served at their path.

Large files are streamed from the disk in chunks. Each download has at most one chunk in memory, and
is not compressed. The entity tag is strong: it is a hash of the bytes. A request for a part of the
file (Range) reads only that part. If the file is written to during a download, the response ends
before its Content-Length is reached, so that no client mistakes parts of two versions for one file.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path

from quart import Response
from quart.wrappers.response import ResponseBody
from werkzeug.http import http_date

from app.platform.asgi.caching import (
    BodyPart,
    Caching,
    RangeNotSatisfiable,
    is_not_modified,
    requested_part,
)
from app.services import edition
from app.web.http.parameters import main_view
from app.web.http.request_context import current_request
from app.web.http.response_headers import resource_policy
from app.web.http.responses import redirect, represent
from app.web.http.route_policy import Cors
from knowledge.diagnostics.diagnostic import ContentFileError
from knowledge.documents import assets
from knowledge.fields.file_types import media_type_of
from knowledge.resources.errors import ContentUnavailable
from renderers.html.styles import drawing_digest, find_drawing_styles, with_styles
from renderers.images.variants import largest_still
from renderers.representation import Representation

ASSET_POLICIES = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "Cross-Origin-Resource-Policy": resource_policy(Cors.ANYONE),
}
"""An SVG opened directly in a browser must not run scripts. Other sites may show the images."""


async def asset(name: str) -> Response | None:
    """Return the image or download at a path of the content folder, or None.

    The path may have a hash of the bytes; if it is that of the file, caches may keep it forever.
    """
    file = assets.find_file(edition().snapshot.assets, name)
    if file is None:
        return None
    image = edition().snapshot.images.at(file.path)
    still = largest_still(image) if image else None
    if still is not None:
        return redirect(still.url, 302, Caching.ASSET)
    themed = image.digest if image and image.is_themed else None
    styles = find_drawing_styles(main_view(), themed, file.digest) if themed else b""
    root = edition().folder
    media_type = media_type_of(file.path)
    try:
        if edition().is_large_asset(file.path):
            response = await download(root, file, media_type)
        else:
            response = await asyncio.to_thread(_whole, root, file, media_type, styles)
    except ContentFileError:
        return None
    response.headers.update(ASSET_POLICIES)
    return response


def _whole(root: Path, file: assets.NamedFile, media_type: str, styles: bytes) -> Response:
    """Return a small file in one piece; runs in a thread, as reading and compressing block.

    A drawing with the styles of the theme changes without its file, so it has no date.
    """
    body, digest, modified_at = assets.read_dated_asset(root, file.path)
    if styles:
        body, modified_at = with_styles(body, styles), None
        digest = drawing_digest(digest, styles)
    caching = Caching.FOREVER if file.digest == digest else Caching.ASSET
    response = represent(Representation(media_type, body, updated_at=modified_at), caching)
    if "Content-Encoding" not in response.headers:
        response.headers["Accept-Ranges"] = "bytes"
    return response


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

    def __init__(self, asset: assets.OpenAsset, path: str, part: BodyPart) -> None:
        self._asset = asset
        self._path = path
        self._part = part

    async def __aenter__(self) -> AsyncIterator[bytes]:
        return self._chunks()

    async def __aexit__(self, *_: object) -> None:
        await asyncio.to_thread(self._asset.close)

    async def _chunks(self) -> AsyncIterator[bytes]:
        start, stop = self._part
        while start < stop:
            try:
                chunk = await asyncio.to_thread(self._asset.piece, start, stop)
            except (assets.AssetChanged, OSError):
                log.warning("%s was written to during a download; response aborted", self._path)
                raise _Incomplete from None
            yield chunk
            start += len(chunk)


async def download(root: Path, file: assets.NamedFile, media_type: str) -> Response:
    """Return the response for a file, or for a part of it.

    Raises ContentFileError, ContentUnavailable or RangeNotSatisfiable.
    """
    asset, digest = await _open(root, file.path)
    try:
        response = _response(asset, digest, file.path)
    except RangeNotSatisfiable:
        asset.close()
        raise
    response.content_type = media_type
    response.timeout = _MIN_TIMEOUT_SECONDS + asset.size / _MIN_BYTES_PER_SECOND
    response.set_etag(digest)
    response.headers["Accept-Ranges"] = "bytes"
    response.headers["Cache-Control"] = Caching.FOREVER if file.digest == digest else Caching.ASSET
    return response


def _response(asset: assets.OpenAsset, digest: str, path: str) -> Response:
    """Return what the request gets of a file; closes the file if that is nothing."""
    context = current_request.get()
    modified = http_date(asset.modified_at) if asset.modified_at else None
    is_current = is_not_modified(context.headers, digest, modified)  # so it becomes a 304
    whole, part = BodyPart(0, asset.size), None
    if context.method == "GET" and not is_current:
        part = requested_part(context.headers, asset.size, digest, modified)
        response = Response(_FileBody(asset, path, part or whole), 206 if part else 200)
    else:
        asset.close()
        response = Response(b"")
    start, stop = part or whole
    response.content_length = stop - start
    if part:
        response.headers["Content-Range"] = part.content_range(asset.size)
    if modified:
        response.headers["Last-Modified"] = modified
    return response


async def _open(root: Path, path: str) -> tuple[assets.OpenAsset, str]:
    """Open a file and hash its bytes; waits up to a second for a file that is being written."""
    for _ in range(_MAX_STEPS):
        asset = await asyncio.to_thread(assets.open_asset, root, path)
        if not asset.is_settling:
            try:
                return asset, await asyncio.to_thread(asset.digest)
            except (assets.AssetChanged, OSError):
                pass
        asset.close()
        await asyncio.sleep(_STEP_SECONDS)
    raise ContentUnavailable("The file is being written.", "Try again in a few seconds.")

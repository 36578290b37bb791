"""Images and downloads in the content folder, served at their path."""

from __future__ import annotations

import asyncio
from pathlib import Path

from quart import Response

from app.platform.asgi.caching import Caching
from app.services import edition, services
from app.web.http.downloads import download
from app.web.http.response_headers import resource_policy
from app.web.http.responses import redirect, represent
from app.web.http.route_policy import Cors
from knowledge.diagnostics.diagnostic import ContentFileError
from knowledge.documents.assets import NamedFile, find_file, read_dated_asset
from knowledge.fields.file_types import media_type_of
from renderers.images.variants import largest_still
from renderers.representation import Representation

_POLICIES = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "Cross-Origin-Resource-Policy": resource_policy(Cors.ANYONE),
}
"""An SVG opened directly in a browser must not run scripts. Other sites may show the images."""


async def asset(name: str) -> Response | None:
    """Return the image or download at a path of the content folder, or None.

    The path may have a hash of the bytes; if it is that of the file, caches may keep it forever.
    """
    file = find_file(edition().snapshot.assets, name)
    if file is None:
        return None
    image = edition().snapshot.images.at(file.path)
    still = largest_still(image) if image else None
    if still is not None:
        return redirect(still.url, 302, Caching.ASSET)
    root = services().settings.content_dir
    media_type = media_type_of(file.path)
    try:
        if edition().is_large_asset(file.path):
            response = await download(root, file, media_type)
        else:
            response = await asyncio.to_thread(_whole, root, file, media_type)
    except ContentFileError:
        return None
    response.headers.update(_POLICIES)
    return response


def _whole(root: Path, file: NamedFile, media_type: str) -> Response:
    """Return a small file in one piece; runs in a thread, as reading and compressing block."""
    body, digest, modified_at = read_dated_asset(root, file.path)
    caching = Caching.FOREVER if file.digest == digest else Caching.ASSET
    response = represent(Representation(media_type, body, updated_at=modified_at), caching)
    if "Content-Encoding" not in response.headers:
        response.headers["Accept-Ranges"] = "bytes"
    return response

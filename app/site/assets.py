"""Images and downloads that stand beside the documents, at their own path."""

from __future__ import annotations

import asyncio
from pathlib import Path, PurePosixPath

from quart import Response

from app.asgi.caching import Caching
from app.http.downloads import download
from app.http.responses import represent
from app.services import edition, services
from knowledge.assets import read_asset
from knowledge.diagnostics import ContentFileError
from knowledge.files import ASSET_TYPES
from renderers.representation import Representation

# A picture needs no scripts, and opened on its own it shall not have any.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


async def asset(path: str) -> Response | None:
    """The image or download at a path of the content folder, None where there is none."""
    if path not in edition().snapshot.assets:
        return None
    root = services().settings.content_dir
    media_type = ASSET_TYPES[PurePosixPath(path).suffix.lower()]
    try:
        if edition().is_large_asset(path):
            response = await download(root, path, media_type)
        else:
            response = await asyncio.to_thread(_whole, root, path, media_type)
    except ContentFileError:
        return None
    response.headers["Content-Security-Policy"] = _POLICY
    return response


def _whole(root: Path, path: str, media_type: str) -> Response:
    """A small file as it is now; to read and to compress it takes time."""
    return represent(Representation(media_type, read_asset(root, path)), Caching.ASSET)

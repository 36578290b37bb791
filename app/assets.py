"""Images and downloads that stand beside the documents, at their own path."""

from __future__ import annotations

import asyncio
from pathlib import PurePosixPath

from quart import Blueprint, Response

from app.responses import Caching, represent
from app.services import services
from knowledge.errors import NotFound
from knowledge.faults import BrokenFile
from knowledge.files import ASSET_TYPES, read_asset
from renderers.representation import Representation

routes = Blueprint("assets", __name__)

# A picture needs no scripts, and opened on its own it shall not have any.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


@routes.get("/<path:path>")
async def get_asset(path: str) -> Response:
    """Get an image or download of the content folder."""
    if path not in services().editions.current.snapshot.assets:
        raise _missing()
    try:
        content = await asyncio.to_thread(read_asset, services().settings.content_dir, path)
    except BrokenFile:
        raise _missing() from None
    media_type = ASSET_TYPES[PurePosixPath(path).suffix.lower()]
    response = represent(Representation(media_type, content), Caching.ASSET)
    response.headers["Content-Security-Policy"] = _POLICY
    return response


def _missing() -> NotFound:
    return NotFound("There is nothing at this path.", "See / for what there is.")

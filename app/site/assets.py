"""Images and downloads that stand beside the documents, at their own path."""

from __future__ import annotations

import asyncio
from pathlib import PurePosixPath

from quart import Response

from app.caching import Caching
from app.responses import represent
from app.services import edition, services
from knowledge.faults import BrokenFile
from knowledge.files import ASSET_TYPES, read_asset
from renderers.representation import Representation

# A picture needs no scripts, and opened on its own it shall not have any.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


async def asset(path: str) -> Response | None:
    """The image or download at a path of the content folder, None where there is none."""
    if path not in edition().snapshot.assets:
        return None
    try:
        content = await asyncio.to_thread(read_asset, services().settings.content_dir, path)
    except BrokenFile:
        return None
    media_type = ASSET_TYPES[PurePosixPath(path).suffix.lower()]
    headers = {"Content-Security-Policy": _POLICY}
    return represent(Representation(media_type, content), Caching.ASSET, headers=headers)

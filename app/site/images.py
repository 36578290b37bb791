"""Image variants, each at a path that contains the hash of its original."""

from __future__ import annotations

import asyncio

from quart import Blueprint, Response

from app.asgi.caching import Caching
from app.http.responses import represent
from app.http.route_policy import IMAGE, policy
from app.http.workloads import in_executor
from app.services import edition, services
from app.site.errors import or_404
from knowledge.assets import read_asset
from knowledge.diagnostics import ContentFileError
from knowledge.files import media_type_of
from knowledge.images import Image
from renderers.image_variants import FOLDER, Variant
from renderers.image_variants import variants as variants_of
from renderers.representation import Representation

routes = Blueprint("images", __name__)


@routes.get(f"{FOLDER}<name>")
@policy(IMAGE)
async def get_image(name: str) -> Response:
    """Get a smaller variant of an image; the path changes with the image.

    It is made at the first request. If that fails, the response is the original.
    """
    variant = or_404(Variant.parse(name))
    variants = services().variants
    picture = await asyncio.to_thread(variants.made, variant)
    if picture is None:
        image = or_404(edition().snapshot.images.by_digest.get(variant.digest))
        return or_404(await in_executor(_made, image, variant))
    return represent(Representation(variant.media_type, picture), Caching.FOREVER)


def _made(image: Image, variant: Variant) -> Response | None:
    """Make a variant, or return the original if it is damaged; None if there is no such variant."""
    if variant not in variants_of(image):
        return None
    picture = services().variants.make(image, variant)
    if picture is not None:
        return represent(Representation(variant.media_type, picture), Caching.FOREVER)
    try:
        original = read_asset(services().settings.content_dir, image.path)
    except ContentFileError:
        return None
    return represent(Representation(media_type_of(image.path), original), Caching.PUBLIC)

"""Pictures that the service makes: image variants, diagrams, social cards and icons."""

import asyncio
from collections.abc import Callable

from quart import Blueprint, Response

from app.features.images.pictures import Pictures
from app.platform.asgi.caching import Caching
from app.services import edition, services
from app.web.http import parameters
from app.web.http.error_envelope import EXPLANATIONS
from app.web.http.responses import or_404, represent
from app.web.http.route_policy import IMAGE, policy
from app.web.http.workloads import in_executor
from app.web.site.assets import ASSET_POLICIES, asset
from app.web.site.paths import SitePath
from knowledge.diagnostics.diagnostic import ContentFileError
from knowledge.documents.assets import read_asset
from knowledge.documents.images import DIAGRAM, Image
from knowledge.fields.file_types import media_type_of
from knowledge.resources.errors import NotFound
from knowledge.resources.queries import PageQuery
from knowledge.resources.site_page import site_page
from renderers.html.head import CARDS, letter_icon, mark, page_card
from renderers.images import drawings
from renderers.images.drawings import FAVICON, FAVICON_TYPE, TOUCH_ICON, Icon
from renderers.images.variants import FOLDER, Variant
from renderers.images.variants import variants as variants_of
from renderers.representation import Representation

routes = Blueprint("images", __name__)

Draw = Callable[[Icon, Image | None], bytes]


@routes.get(f"{FOLDER}<hashed:name>")
@policy(IMAGE)
async def get_image(name: str) -> Response:
    """Get a smaller variant of an image, or a diagram; the path changes with it.

    A variant is made at the first request. If that fails, the response is the original.
    """
    if name.startswith(DIAGRAM):
        return await _diagram(name)
    variant = or_404(Variant.parse(name))
    variants = services().part(Pictures).variants
    picture = await asyncio.to_thread(variants.cached, variant)
    if picture is None:
        image = or_404(edition().snapshot.images.by_digest.get(variant.digest))
        return or_404(await in_executor(_variant_or_original, image, variant))
    return represent(Representation(variant.media_type, picture), Caching.FOREVER)


@routes.get(f"{CARDS}<hashed:digest>/<path:path>.png")
@policy(IMAGE)
def get_card(digest: str, path: str) -> Response:
    """Get the picture for links to a page; the path changes with the page and the theme."""
    target = SitePath.parse(f"/{path}", edition().snapshot.page_types)
    if target.locale is None or target.address is None or target.media_type is not None:
        raise NotFound(*EXPLANATIONS[404])
    view = parameters.view_of(target.locale)
    card = page_card(site_page(view, target.address, PageQuery()))
    picture = services().part(Pictures).drawings.card(card, letter_icon(view), mark(view))
    caching = Caching.FOREVER if digest == card.digest else Caching.PUBLIC
    return represent(Representation(drawings.MEDIA_TYPE, picture), caching)


@routes.get(FAVICON)
@policy(IMAGE)
async def get_favicon() -> Response:
    """Get the icon of the site for browsers: the file of the content folder, else a drawn one."""
    return await _own_or_drawn(FAVICON, FAVICON_TYPE, services().part(Pictures).drawings.favicon)


@routes.get(TOUCH_ICON)
@policy(IMAGE)
async def get_touch_icon() -> Response:
    """Get the icon of the site for telephones: the file of the content folder, else a drawn one."""
    return await _own_or_drawn(
        TOUCH_ICON, drawings.MEDIA_TYPE, services().part(Pictures).drawings.touch_icon
    )


async def _diagram(name: str) -> Response:
    picture = or_404(await asyncio.to_thread(services().part(Pictures).diagrams.read, name))
    response = represent(Representation(media_type_of(name), picture), Caching.FOREVER)
    response.headers.update(ASSET_POLICIES)
    return response


async def _own_or_drawn(path: str, media_type: str, drawn: Draw) -> Response:
    own = await asset(path[1:])
    if own is not None:
        return own
    return await in_executor(_icon, media_type, drawn)


def _icon(media_type: str, drawn: Draw) -> Response:
    view = parameters.main_view()
    picture = drawn(letter_icon(view), mark(view))
    return represent(Representation(media_type, picture), Caching.ASSET)


def _variant_or_original(image: Image, variant: Variant) -> Response | None:
    """Make a variant, or return the original if it is damaged; None if there is no such variant."""
    if variant not in variants_of(image):
        return None
    picture = services().part(Pictures).variants.make(image, variant)
    if picture is not None:
        return represent(Representation(variant.media_type, picture), Caching.FOREVER)
    try:
        original = read_asset(edition().folder, image.path)
    except ContentFileError:
        return None
    return represent(Representation(media_type_of(image.path), original), Caching.PUBLIC)

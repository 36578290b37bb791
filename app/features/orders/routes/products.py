"""Products to pull: the product catalogue in the content."""

from collections.abc import Mapping
from datetime import datetime

from quart import Blueprint, Response

from app.features.orders.routes import PRODUCTS, PRODUCTS_LIMIT, SINCE_ID, UPDATED_SINCE
from app.platform.asgi.caching import Caching
from app.platform.database import StoreUnavailable
from app.services import services
from app.web.extensions import FirstSeen
from app.web.http.parameters import default_view
from app.web.http.responses import respond
from app.web.http.workloads import in_executor
from app.web.openapi.operation import operation
from knowledge.resources.catalogue import Catalogue, CatalogueQuery, catalogue
from knowledge.resources.products import PRODUCT_PAGE
from knowledge.views.content_view import ContentView

routes = Blueprint("erp-products", __name__)


def example(view: ContentView) -> Catalogue:
    """Return an example: the first products of the current catalogue."""
    return catalogue(view.for_locale(view.snapshot.locales.default), CatalogueQuery(limit=2))


@routes.get("/api/products")
@operation(Catalogue, example, query=PRODUCTS, secured=True)
async def list_products() -> Response:
    """List the product catalogue by ascending id, including products no longer on sale."""
    query = CatalogueQuery(
        since_id=SINCE_ID.read(),
        limit=PRODUCTS_LIMIT.read(),
        updated_since=UPDATED_SINCE.read(),
        seen_at=await _seen_at(),
    )
    return await in_executor(lambda: respond(catalogue(default_view(), query), Caching.REVALIDATED))


async def _seen_at() -> Mapping[str, datetime]:
    """Return when each product was first seen as it is; nothing, so that all count, on failure."""
    first_seen = services().find(FirstSeen)
    if first_seen is None:
        return {}
    pages = services().content_store.page_types
    try:
        return await first_seen.seen_at(pages.own(PRODUCT_PAGE).path.removesuffix("{slug}"))
    except StoreUnavailable:  # the database layer has logged it
        return {}

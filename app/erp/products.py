"""Products to pull: the product catalogue in the content."""

from __future__ import annotations

from quart import Blueprint, Response

from app.asgi.caching import Caching
from app.erp import parameters
from app.http.parameters import default_view
from app.http.responses import respond
from app.openapi.operation import operation
from knowledge.content_view import ContentView
from knowledge.resources.catalogue import Catalogue, CatalogueQuery, catalogue

routes = Blueprint("erp-products", __name__)


def example(view: ContentView) -> Catalogue:
    """Return an example: the first products of the current catalogue."""
    return catalogue(view.for_locale(view.snapshot.locales.default), CatalogueQuery(limit=2))


@routes.get("/api/products")
@operation(Catalogue, example, query=parameters.PRODUCTS, secured=True)
def list_products() -> Response:
    """List the product catalogue by ascending id, including products no longer on sale."""
    query = CatalogueQuery(
        since_id=parameters.SINCE_ID.read(),
        limit=parameters.PRODUCTS_LIMIT.read(),
        updated_since=parameters.UPDATED_SINCE.read(),
    )
    return respond(catalogue(default_view(), query), Caching.REVALIDATED)

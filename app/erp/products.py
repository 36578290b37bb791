"""Products to pull: the catalogue of the content."""

from __future__ import annotations

from quart import Blueprint, Response

from app.erp import parameters
from app.erp.access import guard
from app.parameters import view_of
from app.responses import Caching, respond
from knowledge.locale import DEFAULT_LOCALE
from knowledge.resources.catalogue import CatalogueQuery, catalogue

routes = Blueprint("erp-products", __name__)
guard(routes)


@routes.get("/api/products")
async def list_products() -> Response:
    """List the product catalogue by ascending id, those no longer on sale too."""
    query = CatalogueQuery(
        since_id=parameters.SINCE_ID.read(),
        limit=parameters.PRODUCTS_LIMIT.read(),
        updated_since=parameters.UPDATED_SINCE.read(),
    )
    return respond(catalogue(view_of(DEFAULT_LOCALE), query), Caching.REVALIDATED)

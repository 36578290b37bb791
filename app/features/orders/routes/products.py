"""What partners pull besides orders: the product catalogue, and the status of the interface."""

from collections.abc import Mapping
from datetime import datetime

from quart import Response

from app.features.orders.partner import PartnerService
from app.features.orders.routes import NOON, PRODUCTS, PRODUCTS_LIMIT, SINCE_ID, UPDATED_SINCE
from app.platform import VERSION
from app.platform.asgi.caching import Caching
from app.platform.database import StoreUnavailable
from app.services import services
from app.web.extensions import FirstSeen
from app.web.http.parameters import default_view
from app.web.http.responses import respond
from app.web.http.route_policy import UNSECURED, policy
from app.web.http.workloads import in_executor
from app.web.openapi.operation import Operations, operation
from app.web.public.health import SERVICE
from knowledge.resources.base import Resource
from knowledge.resources.catalogue import Catalogue, CatalogueQuery, catalogue
from knowledge.resources.products import PRODUCT_PAGE
from knowledge.views.content_view import ContentView

products = Operations("erp-products", "Products to pull: the product catalogue in the content.")


def _products(view: ContentView) -> Catalogue:
    """Return an example: the first products of the current catalogue."""
    return catalogue(view.for_locale(view.snapshot.locales.default), CatalogueQuery(limit=2))


@products.get("/api/products")
@operation(Catalogue, _products, query=PRODUCTS, secured=True)
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


status = Operations(
    "erp-status",
    "Status: the configuration of the partner interface; public, needs no token.",
)


class Pull(Resource):
    """Whether orders and products can be pulled."""

    enabled: bool
    """Whether the interface has a token, so that partners can pull."""


class WebhookStatus(Resource):
    """Whether orders can be pushed, and whether they are signed."""

    configured: bool
    """Whether the webhook has an address."""
    signed: bool
    """Whether pushed orders are signed."""


class ErpStatus(Resource):
    """The configuration of the integration; contains no addresses, tokens or counts."""

    ok: bool
    """Always true."""
    service: str
    """Name of the service."""
    version: str
    """Version of the interface."""
    time: datetime
    """Current time of the service."""
    pull: Pull
    """Whether orders and products can be pulled."""
    webhook: WebhookStatus
    """Whether orders can be pushed."""


def _configured(_view: ContentView) -> ErpStatus:
    """Return an example: a service with everything configured."""
    return ErpStatus(
        ok=True,
        service=SERVICE,
        version=VERSION,
        time=NOON,
        pull=Pull(enabled=True),
        webhook=WebhookStatus(configured=True, signed=True),
    )


@status.get("/api/erp/status")
@policy(UNSECURED)
@operation(ErpStatus, _configured, errors=())
async def get_erp_status() -> Response:
    """Get which parts of the ERP integration are configured; needs no token."""
    partner = services().part(PartnerService)
    found = ErpStatus(
        ok=True,
        service=SERVICE,
        version=VERSION,
        time=services().clock(),
        pull=Pull(enabled=bool(partner.tokens.digests)),
        webhook=WebhookStatus(configured=partner.webhook is not None, signed=partner.signs),
    )
    return respond(found, Caching.NEVER)

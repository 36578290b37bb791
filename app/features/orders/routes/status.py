"""Status: the configuration of the partner interface; public, needs no token."""

from datetime import datetime

from quart import Blueprint, Response

from app.features.orders.partner import PartnerService
from app.features.orders.routes import NOON
from app.platform import VERSION
from app.platform.asgi.caching import Caching
from app.services import services
from app.web.http.responses import respond
from app.web.http.route_policy import UNSECURED, policy
from app.web.openapi.operation import operation
from app.web.public.health import SERVICE
from knowledge.resources.base import Resource
from knowledge.views.content_view import ContentView

routes = Blueprint("erp-status", __name__)


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


def example(_view: ContentView) -> ErpStatus:
    """Return an example: a service with everything configured."""
    return ErpStatus(
        ok=True,
        service=SERVICE,
        version=VERSION,
        time=NOON,
        pull=Pull(enabled=True),
        webhook=WebhookStatus(configured=True, signed=True),
    )


@routes.get("/api/erp/status")
@policy(UNSECURED)
@operation(ErpStatus, example, errors=())
async def get_erp_status() -> Response:
    """Get which parts of the ERP integration are configured; needs no token."""
    partner = services().part(PartnerService)
    status = ErpStatus(
        ok=True,
        service=SERVICE,
        version=VERSION,
        time=services().clock(),
        pull=Pull(enabled=bool(partner.tokens.digests)),
        webhook=WebhookStatus(configured=partner.webhook is not None, signed=partner.signs),
    )
    return respond(status, Caching.NEVER)

"""Status: what of the partner interface is configured, for everybody to see."""

from __future__ import annotations

from datetime import datetime

from quart import Blueprint, Response

from app.asgi.caching import Caching
from app.erp import examples
from app.http.responses import respond
from app.openapi.operation import operation
from app.public.health import SERVICE
from app.services import services
from app.version import VERSION
from knowledge.content_view import ContentView
from knowledge.resources.base import Resource

routes = Blueprint("erp-status", __name__)


class Pull(Resource):
    """Whether orders and products can be pulled."""

    enabled: bool


class WebhookStatus(Resource):
    """Whether orders can be pushed, and whether they are signed."""

    configured: bool
    signed: bool


class ErpStatus(Resource):
    """The integration's configuration; it tells no address, token or count."""

    ok: bool
    service: str
    version: str
    time: datetime
    pull: Pull
    webhook: WebhookStatus


def example(_view: ContentView) -> ErpStatus:
    """A service with everything configured."""
    return ErpStatus(
        ok=True,
        service=SERVICE,
        version=VERSION,
        time=examples.NOON,
        pull=Pull(enabled=True),
        webhook=WebhookStatus(configured=True, signed=True),
    )


@routes.get("/api/erp/status")
@operation(ErpStatus, example, errors=())
async def get_erp_status() -> Response:
    """Tell what of the ERP integration is configured; needs no token."""
    at = services()
    status = ErpStatus(
        ok=True,
        service=SERVICE,
        version=VERSION,
        time=at.clock(),
        pull=Pull(enabled=bool(at.partner.tokens.digests)),
        webhook=WebhookStatus(configured=at.partner.webhook is not None, signed=at.partner.signs),
    )
    return respond(status, Caching.NEVER)

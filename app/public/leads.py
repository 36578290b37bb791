"""Leads: contact and demo enquiries, the one public write."""

from __future__ import annotations

from quart import Blueprint, Response, request

from app import bodies
from app.client_address import client_of_request
from app.leads.submission import KEY_HEADER, key_of, take
from app.responses import Caching, represent
from app.services import services
from knowledge.resources.base import Answer
from renderers import json

routes = Blueprint("leads", __name__)


@routes.post("/leads")
async def post_lead() -> Response:
    """Send a contact or demo enquiry; 200 means that it is stored on the disk.

    Sent again within 10 minutes, or with the same Idempotency-Key within 24 hours, it is the
    same lead with the same id.
    """
    at = services()
    key = key_of(client_of_request(), request.headers.get(KEY_HEADER))
    receipt = await take(at.leads, await bodies.read_json(), at.clock(), key)
    return represent(json.render(Answer(receipt)), Caching.NEVER)

"""Leads: contact and demo enquiries, the one public write."""

from __future__ import annotations

from quart import Blueprint, Response, request

from app import bodies
from app.client_address import client_of_request
from app.leads.lead import Lead
from app.leads.submission import KEY_HEADER, LeadReceipt, key_of, take
from app.openapi.operation import operation
from app.responses import Caching, represent
from app.services import services
from knowledge.resources.base import Answer
from knowledge.view import View
from renderers import json

routes = Blueprint("leads", __name__)


def example(_view: View) -> LeadReceipt:
    """An enquiry that is stored."""
    return LeadReceipt(id="0b8f4d53-6d0f-4f9c-9a51-3c1c0a7d2e11")


@routes.post("/leads")
@operation(LeadReceipt, example, body=Lead, faults=(409, 413, 415, 422, 503), markdown=False)
async def post_lead() -> Response:
    """Send a contact or demo enquiry; 200 means that it is stored on the disk.

    Sent again within 10 minutes, or with the same Idempotency-Key within 24 hours, it is the
    same lead with the same id.
    """
    at = services()
    key = key_of(client_of_request(), request.headers.get(KEY_HEADER))
    receipt = await take(at.leads, await bodies.read_json(), at.clock(), key)
    return represent(json.render(Answer(receipt)), Caching.NEVER)

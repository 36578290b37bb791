"""Feedback: reports by readers and agents that something is wrong with a page."""

from __future__ import annotations

from quart import Blueprint, Response

from app.features.feedback.store import Feedback, FeedbackStore
from app.features.feedback.submission import FeedbackReceipt, submit_feedback
from app.platform.asgi.caching import Caching
from app.platform.limits.rate_limits import FEEDBACK
from app.services import services
from app.web.http import bodies
from app.web.http.origins import OriginNotAllowed, may_submit
from app.web.http.request_context import current_request
from app.web.http.responses import represent
from app.web.http.route_policy import Cors, RoutePolicy, policy
from app.web.openapi.operation import operation
from knowledge.resources.base import LocalizedResource
from renderers import json

routes = Blueprint("feedback", __name__)

POLICY = RoutePolicy(bucket=FEEDBACK, cors=Cors.ALLOWED, allows_origin=may_submit)


@routes.post("/feedback")
@policy(POLICY)
@operation(
    FeedbackReceipt,
    lambda _: FeedbackReceipt(id="5d0f6a52-8f5e-4a57-b7a5-4d0c9f1f7a10"),
    body=Feedback,
    errors=(403, 413, 415, 503),
)
async def post_feedback() -> Response:
    """Report that something is wrong with a page; 200 means that the report is stored on disk.

    The editors of the site read it; nobody replies, so send an enquiry to get an answer. Do not
    send personal data. The same report sent again within 10 minutes is stored once. Browsers may
    send feedback from the same pages as leads.
    """
    sent = await bodies.read_json()
    if not current_request.get().is_readable:
        raise OriginNotAllowed
    settings, now = services().settings, services().clock()
    feedback_id = await submit_feedback(
        services().part(FeedbackStore), sent, now, settings.public_url
    )
    return represent(json.render(LocalizedResource(FeedbackReceipt(id=feedback_id))), Caching.NEVER)

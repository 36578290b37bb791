"""Feedback: reports by readers and agents that something is wrong with a page."""

import logging
import uuid
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, get_args

from pydantic import ValidationError
from quart import Blueprint, Response

from app.features.feedback.store import (
    MAX_MESSAGE,
    MAX_PATH,
    Feedback,
    FeedbackStore,
    Kind,
    StoredFeedback,
)
from app.platform.asgi.caching import Caching
from app.platform.limits.rate_limits import Bucket
from app.platform.submitted_fields import InvalidFields, field_errors
from app.services import Services, services
from app.web.extensions import ContractPart
from app.web.http import bodies
from app.web.http.origins import OriginNotAllowed, may_submit
from app.web.http.request_context import current_request
from app.web.http.responses import represent
from app.web.http.route_policy import Cors, RoutePolicy, policy
from app.web.openapi.operation import operation
from knowledge.diagnostics.messages import Text
from knowledge.resources.base import LocalizedResource, Resource
from renderers import json
from renderers.representation import split_suffix

log = logging.getLogger(__name__)


class FeedbackReceipt(Resource):
    """The report is stored durably under this id."""

    ok: bool = True
    """Always true."""
    id: str
    """Id of the report."""


routes = Blueprint("feedback", __name__)

BUCKET = Bucket("feedback", 12, 600, "Feedback about pages", patience_seconds=1.0)
FEEDBACK = RoutePolicy(bucket=BUCKET, cors=Cors.ALLOWED, allows_origin=may_submit)


@routes.post("/feedback")
@policy(FEEDBACK)
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


ALLOWED: Mapping[str, str] = {
    "path": Text(
        "a site path that starts with /, or a URL of this site, at most {} characters", MAX_PATH
    ),
    "message": Text("text of 1 to {} characters", MAX_MESSAGE),
    "kind": Text("one of {}", get_args(Kind)),
}


def validate_feedback(fields: Mapping[str, Any], base_url: str) -> Feedback:
    """Return the report with these fields; raises InvalidFields with all invalid ones."""
    path = fields.get("path")
    values = {**fields, "path": site_path(path, base_url)} if isinstance(path, str) else fields
    try:
        return Feedback.model_validate(values)
    except ValidationError as error:
        raise InvalidFields(field_errors(error), ALLOWED) from None


def site_path(address: str, base_url: str) -> str:
    """Return the canonical path of a page and its section; a URL of another site is unchanged.

    The query is dropped: it may contain what a person typed.

    >>> site_path("https://a.example/sa/ar/erp.md?q=1#vat", "https://a.example")
    '/sa/ar/erp#vat'
    >>> site_path("https://b.example/sa/ar", "https://a.example")
    'https://b.example/sa/ar'
    """
    path, hash_sign, section = address.removeprefix(base_url).partition("#")
    canonical, _ = split_suffix(path.partition("?")[0])
    return f"{canonical}{hash_sign}{section}"


async def submit_feedback(
    store: FeedbackStore, fields: Mapping[str, Any], now: datetime, base_url: str
) -> str:
    """Validate and store a report; return its id. Raises InvalidFields and StoreUnavailable."""
    feedback = validate_feedback(fields, base_url)
    new_id = str(uuid.uuid4())
    feedback_id = await store.add(StoredFeedback(new_id, now, feedback))
    log.info("Feedback %s %s", feedback_id, "stored" if feedback_id == new_id else "repeated")
    return feedback_id


def open_parts(services: Services) -> Iterable[object]:
    """Return the store of an application, and the limit in the manual of the API."""
    yield FeedbackStore(services.database, services.writer)
    yield ContractPart(buckets=(BUCKET,))

"""Submission of feedback: validates the fields and stores the report."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Any, get_args

from pydantic import Field, ValidationError

from app.features.feedback.store import (
    MAX_MESSAGE,
    MAX_PATH,
    Feedback,
    FeedbackStore,
    Kind,
    StoredFeedback,
)
from app.platform.submitted_fields import InvalidFields, field_errors
from knowledge.resources.base import Resource
from renderers.representation import split_suffix

log = logging.getLogger(__name__)

ALLOWED: Mapping[str, str] = {
    "path": f"a site path that starts with /, or a URL of this site, at most {MAX_PATH} characters",
    "message": f"text of 1 to {MAX_MESSAGE} characters",
    "kind": f"one of {', '.join(get_args(Kind))}",
}


class FeedbackReceipt(Resource):
    """The report is stored durably under this id."""

    ok: bool = Field(True, description="Always true.")
    id: str = Field(description="Id of the report.")


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

"""The JSON form: the contract's own bodies."""

from __future__ import annotations

from knowledge.resources.base import Answer, Body
from renderers.representation import Representation

MEDIA_TYPE = "application/json"


def render(answer: Answer[Body]) -> Representation:
    """UTF-8 JSON without spaces, keys in the contract's order."""
    body = answer.resource.model_dump_json().encode()
    return Representation(MEDIA_TYPE, body, answer.language, answer.updated_at)

"""The JSON form: the contract's own bodies."""

from __future__ import annotations

from knowledge.resources.base import Body, LocalizedResource
from renderers.representation import Representation

MEDIA_TYPE = "application/json"


def render(answer: LocalizedResource[Body]) -> Representation:
    """UTF-8 JSON without spaces, keys in the contract's order."""
    body = answer.resource.model_dump_json().encode()
    return Representation(MEDIA_TYPE, body, answer.language, answer.updated_at)

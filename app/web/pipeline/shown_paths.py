"""Shown paths: what the access log and traces say of the path of a request."""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import unquote

from app.platform.asgi.scope import HTTPScope
from app.platform.observability.retained_texts import NOT_RETAINED, retained_path
from app.web.http.request_context import RequestContext
from app.web.pipeline.audience_counts import names_pages

_MAX_LENGTH = 1_024
_CACHED = 2_048


def shown_path(scope: HTTPScope, context: RequestContext) -> str:
    """Return a path as it was sent, or its route if it may hold something personal or a secret."""
    rule = context.route.rule
    is_public = rule is None or names_pages(context.route.policy)
    shown = _public_path((scope["raw_path"] or b"")[: _MAX_LENGTH + 1]) if is_public else None
    return shown or (rule.rule if rule else NOT_RETAINED)


@lru_cache(maxsize=_CACHED)
def _public_path(raw_path: bytes) -> str | None:
    path = raw_path.decode("latin-1")
    return None if retained_path(unquote(path)) == NOT_RETAINED else path[:_MAX_LENGTH]

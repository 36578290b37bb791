"""Refusals: errors that ASGI middleware finds, raised later inside Quart.

Middleware in front of Quart does not write error responses. It stores the error in the ASGI
scope and passes the request on. A hook in Quart raises the error, so that its response has the
same media types, headers and languages as every other error.
"""

from __future__ import annotations

import logging
from typing import cast

from hypercorn.typing import Scope
from quart import request

from app.asgi.scope import scope_state
from knowledge.errors import MajlisError

log = logging.getLogger(__name__)

_REFUSAL = "majlis.refusal"


def refuse(scope: Scope, error: MajlisError) -> None:
    """Store the error that refuses a request; a later error replaces an earlier one."""
    scope_state(scope)[_REFUSAL] = error


def raise_refusal() -> None:
    """Raise the error stored for the current request, if there is one."""
    error = scope_state(cast(Scope, request.scope)).get(_REFUSAL)
    if error is not None:
        log.debug("Request refused: %s", error.message)
        raise error

"""Refusals: what a layer finds wrong with a request, and the handler that answers it.

A layer in front of Quart does not write errors itself. It notes the error on the request and
passes the request on; a hook in Quart raises the error, so that it gets the form, the headers
and the language of every other error.
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
    """Note why a request is refused; a later reason replaces an earlier one."""
    scope_state(scope)[_REFUSAL] = error


def raise_refusal() -> None:
    """Raise the error that a layer noted on the current request, where there is one."""
    error = scope_state(cast(Scope, request.scope)).get(_REFUSAL)
    if error is not None:
        log.debug("Refused: %s", error.message)
        raise error

"""Schemathesis hooks: each request has a different client, and two additional checks run."""

from __future__ import annotations

import os
from collections import Counter
from itertools import count
from typing import Any

import requests
import schemathesis
from live.server import next_client
from schemathesis.checks import CheckContext
from schemathesis.core.transport import Response
from schemathesis.hooks import HookContext

Case = schemathesis.Case[Any]

TOKENS = os.environ["PARTNER_TOKENS"].split(",")
"""Limits apply per token; there are so many tokens that no limit is reached."""
_TOKEN_HEADERS = {"Authorization": "Bearer ", "X-Ecom-Api-Token": ""}
_NUMBERS = count()
_MAX_REFUSED_SHARE = 0.01


@schemathesis.hook
def before_call(context: HookContext, case: Case, kwargs: dict[str, Any]) -> None:
    """Send the request from a new client address and with another token.

    It asks for all fields: an answer of chosen ones is not what schemas require.
    """
    kwargs["auth"] = _set_client
    if case.query:
        case.query.pop("fields", None)


def _set_client(request: requests.PreparedRequest) -> requests.PreparedRequest:
    request.headers["X-Forwarded-For"] = next_client()
    token = TOKENS[next(_NUMBERS) % len(TOKENS)]
    for name, before in _TOKEN_HEADERS.items():
        if request.headers.get(name) == before + TOKENS[0]:
            request.headers[name] = before + token
    return request


@schemathesis.hook
def filter_body(context: HookContext, body: object) -> bool:
    """Leave out bodies with an empty text: it counts as absent, which enumerations do not say."""
    return not isinstance(body, dict) or not any(
        isinstance(value, str) and not value.strip() for value in body.values()
    )


@schemathesis.hook
def filter_query(context: HookContext, query: dict[str, object] | None) -> bool:
    """Leave out queries that no schema tells: a blank text, such as a line feed, counts as absent.

    Of a repeated parameter the first value counts.
    """
    values = (query or {}).values()
    return not any(isinstance(each, list) or str(each).isspace() for each in values)


@schemathesis.check
class EveryOperationSucceeds:
    """A check that each operation has at least one 2xx response; otherwise it is not tested."""

    def __init__(self) -> None:
        self.tried: set[str] = set()
        self.succeeded: set[str] = set()

    def after_response(self, context: CheckContext, response: Response, case: Case) -> None:
        """Record the response."""
        self.tried.add(case.operation.label)
        if 200 <= response.status_code < 300:
            self.succeeded.add(case.operation.label)

    def after_run(self, context: CheckContext) -> None:
        """Fail with the operations that never succeeded."""
        assert self.tried == self.succeeded, sorted(self.tried - self.succeeded)


@schemathesis.check
class LimitsAreNotMet:
    """A check that rate limits refuse hardly any request, as refusals test nothing else."""

    def __init__(self) -> None:
        self.answers: Counter[int] = Counter()

    def after_response(self, context: CheckContext, response: Response, case: Case) -> None:
        """Record the response."""
        self.answers[response.status_code] += 1

    def after_run(self, context: CheckContext) -> None:
        """Fail if too many requests were refused."""
        assert self.answers[429] <= _MAX_REFUSED_SHARE * self.answers.total(), self.answers

"""Hooks of Schemathesis: every request comes from another client, and two checks of our own."""

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
"""Limits are by token; these are so many that none is ever reached."""
_TOKEN_HEADERS = {"Authorization": "Bearer ", "X-Ecom-Api-Token": ""}
_NUMBERS = count()
_MOST_REFUSALS = 0.01


@schemathesis.hook
def before_call(context: HookContext, case: Case, kwargs: dict[str, Any]) -> None:
    """Let the request come from a client and a partner that have not asked before."""
    kwargs["auth"] = _somebody


def _somebody(request: requests.PreparedRequest) -> requests.PreparedRequest:
    request.headers["X-Forwarded-For"] = next_client()
    token = TOKENS[next(_NUMBERS) % len(TOKENS)]
    for name, before in _TOKEN_HEADERS.items():
        if request.headers.get(name) == before + TOKENS[0]:
            request.headers[name] = before + token
    return request


@schemathesis.check
class EveryOperationSucceeds:
    """What is never answered with 2xx was not tried out, whatever the other checks say."""

    def __init__(self) -> None:
        self.tried: set[str] = set()
        self.succeeded: set[str] = set()

    def after_response(self, context: CheckContext, response: Response, case: Case) -> None:
        """Note the answer."""
        self.tried.add(case.operation.label)
        if 200 <= response.status_code < 300:
            self.succeeded.add(case.operation.label)

    def after_run(self, context: CheckContext) -> None:
        """Name those that never did."""
        assert self.tried == self.succeeded, sorted(self.tried - self.succeeded)


@schemathesis.check
class LimitsAreNotMet:
    """A refusal by the limits says nothing of what stands behind them."""

    def __init__(self) -> None:
        self.answers: Counter[int] = Counter()

    def after_response(self, context: CheckContext, response: Response, case: Case) -> None:
        """Note the answer."""
        self.answers[response.status_code] += 1

    def after_run(self, context: CheckContext) -> None:
        """Tell how many were refused."""
        assert self.answers[429] <= _MOST_REFUSALS * self.answers.total(), self.answers

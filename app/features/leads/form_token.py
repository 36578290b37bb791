"""The token of the contact form: the page and the instant that it was made for, signed."""

from __future__ import annotations

import hmac
import re
from base64 import urlsafe_b64encode
from datetime import UTC, datetime, timedelta

from app.features.leads.assessment import Points, Reason

FIELD = "token"
"""The hidden field of the form."""
LEAST_TIME = timedelta(seconds=3)
"""People need longer to fill in the form."""
LONGEST_LIFE = timedelta(hours=24)

_PURPOSE = b"majlis contact form 1\n"
"""Signed too, so that the key signs nothing else by accident."""
_TOKEN = re.compile(
    r"(?P<made>(?P<seconds>\d{1,12})(?:\.[A-Za-z0-9_-]{1,64})?)\.(?P<signature>[A-Za-z0-9_-]{43})",
    re.ASCII,
)
"""Without an id, it is the token of a form that an earlier version has made."""


def form_token(path: str, now: datetime, key: bytes, form_id: str) -> str:
    """Return the token of the form on a page, made now; no other form has the same id."""
    made = f"{now.timestamp():.0f}.{form_id}"
    return f"{made}.{_signature(made, path, key)}"


def judge_token(token: str | None, path: str, now: datetime, key: bytes) -> Points:
    """Return the points of a sent token; none if it is the page's and neither new nor old.

    >>> made, key = datetime(2026, 11, 20, tzinfo=UTC), b"key"
    >>> token = form_token("/contact", made, key, "a1")
    >>> for after in (timedelta(seconds=20), timedelta(seconds=1), timedelta(days=2)):
    ...     print(dict(judge_token(token, "/contact", made + after, key)))
    {}
    {<Reason.TOO_FAST: 'too_fast'>: 60}
    {<Reason.EXPIRED_TOKEN: 'expired_token'>: 20}
    """
    if not token:
        return {Reason.NO_TOKEN: 60}
    match = _TOKEN.fullmatch(token)
    if not match or not hmac.compare_digest(
        match["signature"], _signature(match["made"], path, key)
    ):
        return {Reason.FOREIGN_TOKEN: 60}
    age = now - datetime.fromtimestamp(int(match["seconds"]), UTC)
    if age > LONGEST_LIFE:
        return {Reason.EXPIRED_TOKEN: 20}
    return {Reason.TOO_FAST: 60} if age < LEAST_TIME else {}


def _signature(made: str, path: str, key: bytes) -> str:
    digest = hmac.digest(key, _PURPOSE + f"{made}\n{path}".encode(), "sha256")
    return urlsafe_b64encode(digest).decode("ascii").rstrip("=")

"""Proofs that a browser was used: something that a form brings along besides its token."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Protocol

from altcha.v1 import ChallengeOptions, Payload, create_challenge, verify_solution

from app.features.leads.assessment import Points, Reason

NO_PROOF: Points = {Reason.NO_PROOF: 100}
"""Quarantines alone: the operator has asked for proofs."""
UNAVAILABLE: Points = {Reason.PROOF_UNAVAILABLE: 30}
"""Nobody could tell, which is not the sender's fault."""

ALTCHA_FIELD = "altcha"
TURNSTILE_FIELD = "cf-turnstile-response"
TURNSTILE_ORIGIN = "https://challenges.cloudflare.com"

_PURPOSE = b"majlis proof of work 1\n"
"""So that the key signs nothing else by accident."""
_MAX_NUMBER = 25_000
"""A phone hashes so many numbers within about a second, while the form is filled in."""
LONGEST_ANSWER = 4_096
_UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, RecursionError)
"""What the package raises for answers of another shape, also deeply nested ones."""


class Proof(Protocol):
    """A kind of proof that the form asks for."""

    @property
    def site_key(self) -> str:
        """The key of a widget of another site; empty without one."""

    def challenge(self, token: str, /) -> Mapping[str, str | int] | None:
        """Return the task for the script of the form with this token, if it has one."""

    async def judge(self, typed: Mapping[str, str], token: str, client: str, /) -> Points:
        """Return what the proof in a form tells; nothing if it is valid."""

    def key(self, typed: Mapping[str, str], /) -> str | None:
        """Return the key under which the proof in a form lets one lead be stored, if it has one."""

    async def aclose(self) -> None:
        """Close the connections."""


class Altcha:
    """Proof of work: the browser finds the number of a hash (https://altcha.org).

    The task is bound to the token of the form, and so to its page and its life. The database
    stores one lead under the key of a solution, for as long as the token is valid.
    """

    site_key = ""

    def __init__(self, key: Callable[[], bytes]) -> None:
        self._key = key

    def challenge(self, token: str) -> Mapping[str, str | int] | None:
        """Return the task of a form: salt, hash, and the largest number to try."""
        options = ChallengeOptions(max_number=_MAX_NUMBER, salt=token, hmac_key=self._secret)
        task: Mapping[str, str | int] = create_challenge(options).to_dict()
        return task

    async def judge(self, typed: Mapping[str, str], token: str, _client: str) -> Points:
        """Return nothing if the solution is that of this form."""
        answer = typed.get(ALTCHA_FIELD, "")
        if not answer or len(answer) > LONGEST_ANSWER:
            return NO_PROOF
        try:
            payload = Payload.from_base64(answer)
            is_valid, _ = verify_solution(payload, self._secret, check_expires=False)
        except _UNREADABLE:
            return NO_PROOF
        if not is_valid or payload.salt != f"{token}&":
            return NO_PROOF
        return {}

    def key(self, typed: Mapping[str, str]) -> str | None:
        """Return a digest of the solution; a form with a typing error may be sent again."""
        with suppress(*_UNREADABLE):
            signature = Payload.from_base64(typed.get(ALTCHA_FIELD, "")).signature
            return hmac.digest(self._secret, signature.encode(), "sha256").hex()
        return None

    @property
    def _secret(self) -> bytes:
        return hmac.digest(self._key(), _PURPOSE, "sha256")

    async def aclose(self) -> None:
        """Do nothing: there are no connections."""

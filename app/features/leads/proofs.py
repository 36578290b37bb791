"""Proofs of a contact form: its signed token, and that a browser was used."""

import asyncio
import hmac
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta

from altcha.v1 import ChallengeOptions, Payload, create_challenge, verify_solution

from app.features.leads.model import Points, Reason
from app.platform.deliveries.http_client import trusted_certificates
from app.platform.keys import TOKEN_LIFE, token_age

log = logging.getLogger(__name__)

FIELD = "token"
"""The hidden field of the form."""
LEAST_TIME = timedelta(seconds=3)
"""People need longer to fill in the form."""

PURPOSE = b"majlis contact form 1\n"
"""Signed too, so that the key signs nothing else by accident."""


def judge_token(token: str | None, path: str, now: datetime, key: bytes) -> Points:
    """Return the points of a sent token; none if it is the page's and neither new nor old.

    >>> from datetime import UTC
    >>> from app.platform.keys import form_token
    >>> made, key = datetime(2026, 11, 20, tzinfo=UTC), b"key"
    >>> token = form_token(key, PURPOSE, "/contact", made, "a1")
    >>> for after in (timedelta(seconds=20), timedelta(seconds=1), timedelta(days=2)):
    ...     print(dict(judge_token(token, "/contact", made + after, key)))
    {}
    {<Reason.TOO_FAST: 'too_fast'>: 60}
    {<Reason.EXPIRED_TOKEN: 'expired_token'>: 20}
    """
    if not token:
        return {Reason.NO_TOKEN: 60}
    age = token_age(key, PURPOSE, path, token, now)
    if age is None:
        return {Reason.FOREIGN_TOKEN: 60}
    if age > TOKEN_LIFE:
        return {Reason.EXPIRED_TOKEN: 20}
    return {Reason.TOO_FAST: 60} if age < LEAST_TIME else {}


NO_PROOF: Points = {Reason.NO_PROOF: 100}
"""Quarantines alone: the operator has asked for proofs."""
UNAVAILABLE: Points = {Reason.PROOF_UNAVAILABLE: 30}
"""Nobody could tell, which is not the sender's fault."""
ALTCHA_FIELD = "altcha"
TURNSTILE_FIELD = "cf-turnstile-response"
TURNSTILE_ORIGIN = "https://challenges.cloudflare.com"

_PROOF_PURPOSE = b"majlis proof of work 1\n"
"""So that the key signs nothing else by accident."""
_MAX_NUMBER = 25_000
"""A phone hashes so many numbers within about a second, while the form is filled in."""
LONGEST_ANSWER = 4_096
_UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, RecursionError)
"""What the package raises for answers of another shape, also deeply nested ones."""


class Proof(ABC):
    """A kind of proof that the form asks for."""

    site_key = ""
    """The key of a widget of another site."""

    def challenge(self, _token: str, /) -> Mapping[str, str | int] | None:
        """Return the task for the script of the form with this token; None without one."""
        return None

    @abstractmethod
    async def judge(self, typed: Mapping[str, str], token: str, client: str) -> Points:
        """Return what the proof in a form tells; nothing if it is valid."""

    def key(self, _typed: Mapping[str, str], /) -> str | None:
        """Return the key under which a proof lets one lead be stored; None if it works once."""
        return None

    async def aclose(self) -> None:  # noqa: B027  # not every proof has connections
        """Close the connections, if there are any."""


class Altcha(Proof):
    """Proof of work: the browser finds the number of a hash (https://altcha.org).

    The task is bound to the token of the form, and so to its page and life; it lets one lead pass.
    """

    def __init__(self, key: Callable[[], bytes]) -> None:
        self._key = key

    def challenge(self, token: str, /) -> Mapping[str, str | int] | None:
        """Return the task of a form: salt, hash, and the largest number to try."""
        options = ChallengeOptions(max_number=_MAX_NUMBER, salt=token, hmac_key=self._secret)
        task: Mapping[str, str | int] = create_challenge(options).to_dict()
        return task

    async def judge(self, typed: Mapping[str, str], token: str, client: str) -> Points:
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

    def key(self, typed: Mapping[str, str], /) -> str | None:
        """Return a digest of the solution; a form with a typing error may be sent again."""
        with suppress(*_UNREADABLE):
            signature = Payload.from_base64(typed.get(ALTCHA_FIELD, "")).signature
            return hmac.digest(self._secret, signature.encode(), "sha256").hex()
        return None

    @property
    def _secret(self) -> bytes:
        return hmac.digest(self._key(), _PROOF_PURPOSE, "sha256")


_SECONDS = 3.0
"""How long a lead waits for Cloudflare."""


class Turnstile(Proof):
    """Cloudflare Turnstile: a widget of Cloudflare, which is asked whether its answer is valid."""

    def __init__(self, site_key: str, secret: str, url: str) -> None:
        import httpx  # noqa: PLC0415  # few sites use it

        self.site_key = site_key
        self._secret = secret
        self._url = url
        self._client = httpx.AsyncClient(
            verify=trusted_certificates(), timeout=_SECONDS, trust_env=False
        )

    async def judge(self, typed: Mapping[str, str], token: str, client: str) -> Points:
        """Ask Cloudflare, for a limited time."""
        import httpx  # noqa: PLC0415

        answer = typed.get(TURNSTILE_FIELD, "")
        if not answer or len(answer) > LONGEST_ANSWER:
            return NO_PROOF
        sent = {"secret": self._secret, "response": answer, "remoteip": client.partition("/")[0]}
        try:
            async with asyncio.timeout(_SECONDS):
                reply = await self._client.post(self._url, data=sent)
            verdict = reply.raise_for_status().json()
        except (TimeoutError, httpx.HTTPError, ValueError) as error:
            log.warning("Turnstile could not be asked: %s", type(error).__name__)
            return UNAVAILABLE
        return {} if isinstance(verdict, dict) and verdict.get("success") is True else NO_PROOF

    async def aclose(self) -> None:
        """Close the HTTP client."""
        await self._client.aclose()

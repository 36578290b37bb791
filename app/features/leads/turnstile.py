"""Cloudflare Turnstile, one of the proofs that a browser was used."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping

import httpx

from app.features.leads.assessment import Points
from app.features.leads.proof import LONGEST_ANSWER, NO_PROOF, TURNSTILE_FIELD, UNAVAILABLE
from app.platform.deliveries.tls import trusted_certificates

log = logging.getLogger(__name__)

_SECONDS = 3.0
"""How long a lead waits for Cloudflare."""


class Turnstile:
    """Cloudflare Turnstile: a widget of Cloudflare, which is asked whether its answer is valid."""

    def __init__(self, site_key: str, secret: str, url: str) -> None:
        self.site_key = site_key
        self._secret = secret
        self._url = url
        self._client = httpx.AsyncClient(
            verify=trusted_certificates(), timeout=_SECONDS, trust_env=False
        )

    def key(self, _typed: Mapping[str, str]) -> str | None:
        """Return None: Cloudflare accepts each answer once."""
        return None

    def challenge(self, _token: str) -> Mapping[str, str | int] | None:
        """Return None: the script of Cloudflare gets its task there."""
        return None

    async def judge(self, typed: Mapping[str, str], _token: str, client: str) -> Points:
        """Ask Cloudflare, for a limited time."""
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

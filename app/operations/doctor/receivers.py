"""Facts of receivers: whether the hosts of webhooks are known, and the mail server lets us in."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from pkgutil import resolve_name
from urllib.parse import urlsplit

from app.features import features
from app.features.feature import Receiver
from app.operations.doctor.facts import ReceiverFacts
from app.platform.deliveries.smtp import greet
from app.platform.deliveries.smtp_server import parse_smtp_url
from app.settings import Settings

TIMEOUT_SECONDS = 5.0


def receivers_of(settings: Settings) -> Iterator[Receiver]:
    """Yield the receivers of all features."""
    for feature in features():
        if feature.receivers:
            yield from resolve_name(feature.receivers)(settings)


async def receiver_facts(variable: str, url: str) -> ReceiverFacts:
    """Resolve the host of a URL, or log in to a mail server; the rest may be a secret."""
    parts = urlsplit(url)
    if parts.scheme.startswith("smtp"):
        return await _mail_server_facts(variable, url)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except TimeoutError:
        return ReceiverFacts(variable, host, f"no answer within {TIMEOUT_SECONDS:g} seconds")
    except (OSError, UnicodeError) as error:
        return ReceiverFacts(variable, host, getattr(error, "strerror", None) or str(error))
    return ReceiverFacts(variable, host)


async def _mail_server_facts(variable: str, url: str) -> ReceiverFacts:
    """Connect to the mail server, encrypt and log in, as if to send a mail."""
    server = parse_smtp_url(url)
    result = await greet(server, TIMEOUT_SECONDS)
    return ReceiverFacts(variable, server.host, result.error)

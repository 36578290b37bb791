"""A mail server on loopback that keeps what it gets, or answers by a script."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Sequence
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any, Self, cast

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session
from live.server import free_port

ACCEPT = "250 OK"


class MailServer:
    """Answers each mail by the next line of a script, the last of which is repeated.

    `at_recipient` answers at the recipient instead of the text. With `implicit`, TLS begins with
    the connection, else with STARTTLS. A `password` that is another one is refused.
    """

    def __init__(
        self,
        *script: str,
        at_recipient: str = "",
        tls: ssl.SSLContext | None = None,
        implicit: bool = False,
        password: str = "",
    ) -> None:
        self._script: Sequence[str] = script or (ACCEPT,)
        self._at_recipient = at_recipient
        self.received: list[EmailMessage] = []
        self.recipients: list[str] = []
        self.port = free_port()
        self._controller = Controller(
            self,
            hostname="127.0.0.1",
            port=self.port,
            ssl_context=tls if implicit else None,
            tls_context=None if implicit else tls,
            require_starttls=bool(tls and not implicit),
            authenticator=_accepting(password) if password else None,
            auth_require_tls=False,
        )

    async def __aenter__(self) -> Self:
        self._controller.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._controller.stop()

    async def handle_RCPT(  # noqa: N802  # the name that aiosmtpd calls
        self,
        _server: SMTP,
        _session: Session,
        envelope: Envelope,
        address: str,
        _options: list[str],
    ) -> str:
        """Answer a recipient."""
        if self._at_recipient:
            return self._at_recipient
        envelope.rcpt_tos.append(address)
        return ACCEPT

    async def handle_DATA(  # noqa: N802  # the name that aiosmtpd calls
        self, _server: SMTP, _session: Session, envelope: Envelope
    ) -> str:
        """Keep a mail, and answer it."""
        content = cast(bytes, envelope.original_content)
        self.received.append(message_from_bytes(content, policy=policy.default))
        self.recipients += envelope.rcpt_tos
        return self._script[min(len(self.received), len(self._script)) - 1]


def _accepting(password: str) -> Callable[..., AuthResult]:
    """Return what accepts a password, of any user."""

    def authenticate(*arguments: Any) -> AuthResult:
        sent = arguments[-1]
        return AuthResult(success=sent.password == password.encode(), handled=False)

    return authenticate

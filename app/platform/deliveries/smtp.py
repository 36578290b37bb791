"""SMTP: the mail server of SMTP_URL, and the sending of one mail to one recipient."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from email import message_from_bytes
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, EmailPolicy
from ipaddress import ip_address
from typing import Literal
from urllib.parse import parse_qs, unquote, urlsplit

import aiosmtplib

from app.platform.deliveries.delivery import AttemptResult, Delivery

_PORTS = {"smtp": 587, "smtps": 465}

Encryption = Literal["tls", "starttls", "none"]


@dataclass(frozen=True, slots=True)
class SmtpServer:
    """A mail server; `user` is empty if it asks for none."""

    host: str
    port: int
    encryption: Encryption
    user: str = ""
    password: str = field(default="", repr=False)


def parse_smtp_url(url: str) -> SmtpServer:
    """Return the server of a URL; raises ValueError with what to write instead.

    `smtps://` encrypts from the start, `smtp://` by STARTTLS, which the server must offer. Only
    without a password, or on the same machine, may a mail server be reached unencrypted.

    >>> parse_smtp_url("smtps://team%40a.example:secret@mail.a.example").port
    465
    >>> parse_smtp_url("smtp://relay:25?tls=off").encryption, parse_smtp_url("smtp://localhost:25").encryption
    ('none', 'none')
    """
    if not _is_mail_address(url):
        raise ValueError("use smtps://user:password@host:465 or smtp://user:password@host:587")
    parts = urlsplit(url)
    host = parts.hostname or ""
    options = parse_qs(parts.query, keep_blank_values=True)
    if parts.path.strip("/") or options not in ({}, {"tls": ["off"]}):
        raise ValueError("after host and port there may only be ?tls=off")
    if bool(parts.username) is not bool(parts.password):
        raise ValueError("give both user and password, percent-encoded, or neither")
    encryption = _encryption(parts.scheme, host, bool(options))
    if encryption == "none" and parts.username and not is_loopback(host):
        raise ValueError("a password needs TLS: remove ?tls=off")
    return SmtpServer(
        host,
        parts.port or _PORTS[parts.scheme],
        encryption,
        unquote(parts.username or ""),
        unquote(parts.password or ""),
    )


def _is_mail_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        has_host = bool(parts.hostname) and parts.port != 0
    except ValueError:  # an invalid port, or an unbalanced bracket
        return False
    return has_host and parts.scheme in _PORTS and " " not in url and url.isprintable()


def _encryption(scheme: str, host: str, is_off: bool) -> Encryption:
    if scheme == "smtps":
        if is_off:
            raise ValueError("smtps:// is TLS: use smtp:// with ?tls=off")
        return "tls"
    return "none" if is_off or is_loopback(host) else "starttls"


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


_SECONDS = 30.0
"""The longest attempt; shorter than the lease of a delivery."""


async def send_mail(server: SmtpServer, mail: EmailMessage, to: str) -> AttemptResult:
    """Send a mail to one recipient. Errors become results, not exceptions.

    An error never repeats what the server says, which may hold an address. If the connection breaks
    after the text was sent, it is sent again with the same Message-ID.
    """
    if not _is_written_as_set(mail):
        error = "the mail is not sent: a text in one of its headers begins lines of its own"
        return AttemptResult(error=error, final=True)

    async def send(client: aiosmtplib.SMTP) -> None:
        await client.send_message(mail, recipients=[to])

    return await _connected(server, _SECONDS, send)


def mail_address(email: str) -> str | None:
    """Return an address as mail servers take it, or None.

    An encoded word (RFC 2047) in the user's name would be decoded by its readers.

    >>> mail_address("noor@مثال.example"), mail_address("نور@a.example")
    ('noor@xn--mgbh0fb.example', None)
    """
    user, _at, domain = email.rpartition("@")
    if not user.isascii() or "=?" in user:
        return None
    try:
        return f"{user}@{domain.encode('idna').decode()}"
    except UnicodeError:
        return None


def new_mail(
    delivery: Delivery, sender: str | Address, to: str, policy: EmailPolicy[EmailMessage] = SMTP
) -> EmailMessage:
    """Return a mail without text; all attempts of a delivery have the same Message-ID and date."""
    mail = EmailMessage(policy)
    mail["From"], mail["To"] = sender, to
    mail["Date"] = delivery.created_at
    mail["Message-ID"] = f"<{delivery.id}@{mail['From'].addresses[0].domain}>"
    mail["Auto-Submitted"] = "auto-generated"  # RFC 3834: no answer of an absent person
    return mail


async def greet(server: SmtpServer, seconds: float) -> AttemptResult:
    """Connect and log in as if to send a mail, but send none."""

    async def send_nothing(client: aiosmtplib.SMTP) -> None:
        """Do nothing: the greeting is over."""

    return await _connected(server, seconds, send_nothing)


def _is_written_as_set(mail: EmailMessage) -> bool:
    """Return whether the bytes of a mail have the headers and the text that were set, no others.

    Before 3.11.10 and 3.12.5, Python decodes an encoded word of RFC 2047 in a header that is set,
    and writes its line breaks as they are. Later versions refuse to write such a header.
    """
    try:
        written = message_from_bytes(mail.as_bytes(), policy=mail.policy)
    except MessageError:
        return False
    return _parts(written) == _parts(mail)


def _parts(mail: EmailMessage) -> list[tuple[list[str], list[bytes]]]:
    """Return the names of the headers, and the lines of the text, of each part of a mail."""
    return [
        (
            each.keys(),
            [] if each.is_multipart() else bytes(each.get_payload(decode=True)).splitlines(),
        )
        for each in mail.walk()
    ]


async def _connected(
    server: SmtpServer, seconds: float, work: Callable[[aiosmtplib.SMTP], Awaitable[None]]
) -> AttemptResult:
    """Connect, encrypt, log in and work; errors become results."""
    client = aiosmtplib.SMTP(
        hostname=server.host,
        port=server.port,
        username=server.user or None,
        password=server.password or None,
        use_tls=server.encryption == "tls",
        start_tls=server.encryption == "starttls",
        tls_context=None if server.encryption == "none" else ssl.create_default_context(),
        timeout=_SECONDS,
    )
    try:
        async with asyncio.timeout(seconds):
            await client.connect()
            await work(client)
        return AttemptResult(response_status=250)
    except TimeoutError:
        return AttemptResult(error=f"no answer within {seconds:g} seconds")
    except aiosmtplib.SMTPException as error:
        return _failure(error)
    except OSError as error:  # also of TLS
        return AttemptResult(error=f"the mail server cannot be used: {error}")
    finally:
        client.close()  # without QUIT: its answer changes nothing, and may not come


def _failure(error: aiosmtplib.SMTPException) -> AttemptResult:
    """Return the result of an error; the words of the server are left out."""
    match error:
        case aiosmtplib.SMTPRecipientsRefused():
            return _refusal("the recipient", error.recipients[0].code)
        case aiosmtplib.SMTPSenderRefused() | aiosmtplib.SMTPDataError():
            return _refusal("the mail", error.code)
        case aiosmtplib.SMTPAuthenticationError():
            text = f"the mail server refuses the user or password of SMTP_URL ({error.code})"
            return AttemptResult(error.code, text)
        case aiosmtplib.SMTPResponseException():
            return AttemptResult(error.code, f"the mail server answered {error.code}")
    # These texts are those of the library.
    return AttemptResult(
        error=f"the mail server cannot be used: {error.__cause__ or error.message}"
    )


def _refusal(what: str, code: int) -> AttemptResult:
    """Return a refusal; one of the 500s is final, as a second attempt gets the same answer."""
    return AttemptResult(code, f"the mail server refuses {what} ({code})", final=code >= 500)

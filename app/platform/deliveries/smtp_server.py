"""The mail server of SMTP_URL."""

from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Literal
from urllib.parse import parse_qs, unquote, urlsplit

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

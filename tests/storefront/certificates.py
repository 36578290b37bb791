"""Certificates of servers, made by openssl."""

from __future__ import annotations

import ssl
import subprocess
from pathlib import Path

from live.tools import program

_NEW_KEY = ("-newkey", "rsa:2048", "-nodes", "-subj", "/CN=x")


def self_signed(folder: Path) -> ssl.SSLContext:
    """Return a server's context with a certificate that nobody trusts."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    _openssl("req", "-x509", *_NEW_KEY, "-days", "1", "-keyout", key, "-out", certificate)
    return _context(certificate, key)


def expired(folder: Path) -> tuple[Path, ssl.SSLContext]:
    """Return a certificate of 127.0.0.1 that expired yesterday, and a server's context with it."""
    return _of_loopback(folder, days=-1)


def valid(folder: Path) -> tuple[Path, ssl.SSLContext]:
    """Return a certificate of 127.0.0.1 for those who trust it, and a server's context with it."""
    return _of_loopback(folder, days=1)


def _of_loopback(folder: Path, days: int) -> tuple[Path, ssl.SSLContext]:
    key, request = folder / "key.pem", folder / "request.pem"
    certificate = folder / "loopback.pem"
    names = folder / "names"
    names.write_text("subjectAltName=IP:127.0.0.1\n")
    _openssl("req", "-new", *_NEW_KEY, "-keyout", key, "-out", request)
    sign = ("x509", "-req", "-days", str(days), "-extfile", names)
    _openssl(*sign, "-in", request, "-signkey", key, "-out", certificate)
    return certificate, _context(certificate, key)


def _openssl(*arguments: str | Path) -> None:
    command = [program("openssl"), *map(str, arguments)]
    subprocess.run(command, check=True, capture_output=True)


def _context(certificate: Path, key: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context

"""Sending of mails: TLS is verified, and a password is never sent without it."""

from __future__ import annotations

from dataclasses import replace
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

import pytest
from storefront.certificates import expired, self_signed, valid
from storefront.mail_server import MailServer

from app.platform.deliveries.delivery import AttemptResult
from app.platform.deliveries.smtp import Encryption, SmtpServer, send_mail

TEAM = "sales@wahat.example"
REST_OF_HEADERS = "Content-Type: text/html\nContent-Transfer-Encoding: 7bit\nMIME-Version: 1.0"
"""What a mail has after its subject: with these, its headers have the names that were set."""
BOTH = pytest.mark.parametrize("encryption", ["tls", "starttls"])


async def send(
    server: MailServer, encryption: Encryption, user: str = "", password: str = ""
) -> AttemptResult:
    """Send a mail."""
    mail = EmailMessage()
    mail["From"] = mail["To"] = TEAM
    mail.set_content("Text")
    address = SmtpServer("127.0.0.1", server.port, encryption, user, password)
    return await send_mail(address, mail, TEAM)


@BOTH
async def test_a_mail_is_sent_encrypted(
    encryption: Encryption, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To a server whose certificate is trusted, with the password."""
    certificate, tls = valid(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    async with MailServer(tls=tls, implicit=encryption == "tls", password="secret-1") as server:
        result = await send(server, encryption, "team", "secret-1")
    assert result.delivered
    assert server.recipients == [TEAM]


@BOTH
@pytest.mark.parametrize("kind", ["self-signed", "expired"])
async def test_a_certificate_that_is_not_valid_is_refused(
    encryption: Encryption, kind: str, tmp_path: Path
) -> None:
    """Before anything is sent; the error says why."""
    tls = self_signed(tmp_path) if kind == "self-signed" else expired(tmp_path)[1]
    async with MailServer(tls=tls, implicit=encryption == "tls") as server:
        result = await send(server, encryption)
    assert "certificate verify failed" in str(result.error)
    assert not result.final
    assert server.received == []


async def test_a_server_without_starttls_gets_no_password() -> None:
    """Somebody in between may have removed the offer."""
    async with MailServer(password="secret-1") as server:
        result = await send(server, "starttls", "team", "secret-1")
    assert "STARTTLS extension not supported" in str(result.error)
    assert server.received == []


async def test_a_wrong_password_is_named_and_tried_again() -> None:
    """As it can be corrected; neither the error nor the server's name has the password."""
    async with MailServer(password="secret-1") as server:
        result = await send(server, "none", "team", "secret-2")
    error = "the mail server refuses the user or password of SMTP_URL (535)"
    assert replace(result, response_status=None) == AttemptResult(error=error)
    assert "secret-2" not in repr(SmtpServer("a", 1, "none", "team", "secret-2"))


@pytest.mark.parametrize(
    "value",
    [
        pytest.param("x\nBcc: spy@evil.example", id="header"),
        pytest.param(f"x\n{REST_OF_HEADERS}\n\n<a href=//evil.example>", id="text"),
    ],
)
async def test_a_mail_that_is_written_in_other_lines_than_were_set_is_refused(value: str) -> None:
    """Whatever Python makes of a header: the mail server never sees its lines."""
    mail = EmailMessage(SMTP)
    mail["From"] = mail["To"] = TEAM
    mail.set_raw("Subject", value)
    mail.set_content("Text")
    async with MailServer() as server:
        address = SmtpServer("127.0.0.1", server.port, "none", "", "")
        result = await send_mail(address, mail, TEAM)
    assert result.final
    assert result.error == (
        "the mail is not sent: a text in one of its headers begins lines of its own"
    )
    assert server.received == []


async def test_no_encoded_word_becomes_a_header() -> None:
    """Of a mail whose maker did not clean it, with any version of Python."""
    mail = EmailMessage(SMTP)
    mail["From"] = mail["To"] = TEAM
    mail["Subject"] = "=?utf-8?q?x=0ABcc:_spy@evil.example=0AX-Inj:_yes?="
    mail.set_content("Text")
    async with MailServer() as server:
        result = await send_mail(SmtpServer("127.0.0.1", server.port, "none", "", ""), mail, TEAM)
    assert (result.final, server.received) == (True, [])

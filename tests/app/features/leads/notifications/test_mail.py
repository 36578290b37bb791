"""Mails about leads, with a real mail server: what they hold, and when they are sent again."""

from __future__ import annotations

from base64 import b64encode
from datetime import UTC, datetime
from typing import Any

import pytest
from storefront.lead_receivers import PERSON, Site
from storefront.mail_server import MailServer

from app.features.leads.mail import line_text
from app.platform.database.database import Database
from app.platform.deliveries.delivery import DeliveryStatus
from app.platform.deliveries.dispatcher import DELAYS
from app.platform.settings import SAMPLE_CONTENT
from knowledge.locales.locale import Country, Language, Locale
from knowledge.snapshot.loading import load_content
from knowledge.views.content_view import ContentView
from renderers.l10n.translation import contact_form

TEAM = "sales@wahat.example"
HTML = b"\nContent-Type: text/html\n\n<a href=//evil.example>Sign in</a>"
ENCODED_MAIL = f"=?utf-8?b?{b64encode(HTML).decode()}?="
"""A name with a whole mail in it, within the 120 characters that a header takes of it."""


def mailing(server: MailServer, **settings: Any) -> dict[str, Any]:
    """Return the settings of a site that sends mails by a server."""
    return {"smtp_url": f"smtp://127.0.0.1:{server.port}", "leads_email_to": TEAM, **settings}


async def test_the_team_gets_a_mail_that_it_can_answer(database: Database) -> None:
    """With the fields that have a value, the message quoted, and the command for the rest."""
    async with MailServer() as server, Site(database, **mailing(server)) as site:
        await site.receive(message="One\nBcc: two@x.example")
        assert await site.deliver() == 1
        assert await site.deliver() == 0
    (mail,) = server.received
    assert mail["Subject"] == "New enquiry from Noor Al Suwaidi"
    assert (mail["From"], mail["To"]) == (TEAM, TEAM)
    assert mail["Reply-To"] == "Noor Al Suwaidi <noor@example.com>"
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail.get_content_type() == "text/plain"
    assert mail.get_content().splitlines() == [
        "Name: Noor Al Suwaidi",
        "E-mail: noor@example.com",
        "Company: Noor Trading LLC",
        "Topic: An appointment",
        "Country: United Arab Emirates",
        "Page with the form: https://www.wahat.example/ae/en/contact",
        "",
        "> One",
        "> Bcc: two@x.example",
        "",
        "Received 20 November 2026, 16:00 (UTC+04:00)",
    ]


async def test_a_team_reads_its_language(database: Database) -> None:
    """In Arabic, with Arabic of the sender."""
    async with MailServer() as server:
        options = mailing(server, leads_email_language="ar", leads_email_from="web@wahat.example")
        async with Site(database, **options) as site:
            await site.receive(name="نور السويدي", message="نريد عرضًا للنظام")
            await site.deliver()
    (mail,) = server.received
    assert mail["Subject"] == "استفسار جديد من نور السويدي"
    assert mail["From"] == "web@wahat.example"
    assert "> نريد عرضًا للنظام" in mail.get_content()
    assert "صفحة النموذج: https://www.wahat.example/ae/en/contact" in mail.get_content()


async def test_a_mail_has_the_words_of_the_page_and_the_time_of_its_country(
    database: Database,
) -> None:
    """The topic is named as in the form, and the country of the page, not only its address."""
    snapshot = load_content(SAMPLE_CONTENT).snapshot
    locale = Locale(Country("SA"), Language.AR)
    asked = contact_form(ContentView(snapshot, locale, datetime(2026, 11, 20, tzinfo=UTC), ""))
    sent: dict[str, Any] = {"sourcePage": "/sa/ar/contact", "topic": "demo", "message": "مرحبًا"}
    async with (
        MailServer() as server,
        Site(
            database, forms=lambda _: asked, **mailing(server, leads_email_language="page")
        ) as site,
    ):
        await site.receive(**sent, localeCountry="sa", localeLang="ar")
        await site.receive(**sent)
        await site.deliver()
    for mail in server.received:
        lines = mail.get_content().splitlines()
        assert mail["Subject"] == "استفسار جديد من Noor Al Suwaidi"
        assert "الموضوع: عرض توضيحي" in lines
        assert "الدولة: المملكة العربية السعودية" in lines
        assert "وقت الاستلام: 20 نوفمبر 2026، 15:00 (UTC+03:00)" in lines
        assert "demo" not in mail.get_content()


async def test_each_recipient_gets_a_mail_of_its_own(database: Database) -> None:
    """So that a recipient who is refused does not make the others get it twice."""
    async with MailServer() as server:
        options = mailing(server, leads_email_to=f"{TEAM}, b@wahat.example")
        async with Site(database, **options) as site:
            await site.receive()
            assert await site.deliver() == 2
    assert sorted(server.recipients) == ["b@wahat.example", TEAM]
    assert len({mail["Message-ID"] for mail in server.received}) == 2


async def test_a_mail_that_is_refused_for_now_is_sent_again_with_the_same_id(
    database: Database,
) -> None:
    """Also after it was taken and the answer lost, so a mail program shows it once."""
    async with (
        MailServer("451 noor@example.com later", "250 OK") as server,
        Site(database, **mailing(server)) as site,
    ):
        await site.receive()
        await site.deliver()
        (waiting,) = await site.deliveries()
        assert await site.deliver(2 * DELAYS[0]) == 1
        (delivery,) = await site.deliveries()
    assert (waiting.status, waiting.error) == (
        DeliveryStatus.PENDING,
        "the mail server refuses the mail (451)",
    )
    assert delivery.status is DeliveryStatus.DELIVERED
    first, second = server.received
    assert first.as_bytes() == second.as_bytes()
    assert first["Message-ID"] == f"<{delivery.id}@wahat.example>"


@pytest.mark.parametrize(
    ("options", "error", "status"),
    [
        pytest.param(
            {"at_recipient": "550 no such user"},
            "the mail server refuses the recipient (550)",
            DeliveryStatus.FAILED,
            id="recipient",
        ),
        pytest.param(
            {"at_recipient": "450 greylisted"},
            "the mail server refuses the recipient (450)",
            DeliveryStatus.PENDING,
            id="greylisting",
        ),
    ],
)
async def test_a_refusal_of_the_500s_is_final(
    database: Database, options: dict[str, Any], error: str, status: DeliveryStatus
) -> None:
    """It can be replayed; the words of the server are not kept."""
    async with MailServer(**options) as server, Site(database, **mailing(server)) as site:
        await site.receive()
        await site.deliver()
        (delivery,) = await site.deliveries()
    assert (delivery.error, delivery.status) == (error, status)


async def test_a_mail_server_that_is_down_is_tried_again(database: Database) -> None:
    """Its address is in the error, nothing of the lead."""
    async with MailServer() as server:
        options = mailing(server)
    async with Site(database, **options) as site:
        await site.receive()
        await site.deliver()
        (delivery,) = await site.deliveries()
    assert delivery.status is DeliveryStatus.PENDING
    assert "the mail server cannot be used" in str(delivery.error)
    assert "noor" not in str(delivery.error)


@pytest.mark.parametrize(
    ("fields", "subject", "reply_to"),
    [
        pytest.param(
            {"name": "Noor\r\nBcc: all@x.example"},
            "New enquiry from Noor Bcc: all@x.example",
            '"Noor Bcc: all@x.example" <noor@example.com>',
            id="line break",
        ),
        pytest.param(
            {"name": "Noor\u202e\u2066\x00"[:-1]},
            "New enquiry from Noor",
            "Noor <noor@example.com>",
            id="direction",
        ),
        pytest.param(
            {"name": '", <boss@wahat.example>, "'},
            'New enquiry from ", <boss@wahat.example>, "',
            '"\\", <boss@wahat.example>, \\"" <noor@example.com>',
            id="addresses",
        ),
        pytest.param(
            {"name": "=?utf-8?q?x=0ABcc:_spy@evil.example=0AX-Inj:_yes?="},
            "New enquiry from = ?utf-8?q?x=0ABcc:_spy@evil.example=0AX-Inj:_yes?=",
            '"= ?utf-8?q?x=0ABcc:_spy@evil.example=0AX-Inj:_yes?=" <noor@example.com>',
            id="encoded word",
        ),
        pytest.param(
            {"name": ENCODED_MAIL},
            f"New enquiry from = {ENCODED_MAIL[1:]}",
            f"= {ENCODED_MAIL[1:]} <noor@example.com>",
            id="encoded mail",
        ),
        pytest.param(
            {"email": "a.=?utf-8?b?eApYLUE6IGI=?=@example.com"},
            "New enquiry from Noor Al Suwaidi",
            None,
            id="encoded word in the address",
        ),
        pytest.param(
            {"name": "n" * 120},
            f"New enquiry from {'n' * 120}",
            f"{'n' * 120} <noor@example.com>",
            id="long",
        ),
        pytest.param(
            {"email": "noor@مثال.example"},
            "New enquiry from Noor Al Suwaidi",
            "Noor Al Suwaidi <noor@xn--mgbh0fb.example>",
            id="Arabic domain",
        ),
        pytest.param(
            {"email": "نور@example.com"},
            "New enquiry from Noor Al Suwaidi",
            None,
            id="Arabic user",
        ),
    ],
)
async def test_headers_hold_what_a_sender_wrote_as_text_only(
    database: Database, fields: dict[str, Any], subject: str, reply_to: str | None
) -> None:
    """No header, recipient or line of its own."""
    async with MailServer() as server, Site(database, **mailing(server)) as site:
        await site.receive(**fields)
        assert await site.deliver() == 1
    (mail,) = server.received
    assert mail["Subject"] == subject
    assert mail["Reply-To"] == reply_to
    assert set(mail.keys()) <= {
        *("From", "To", "Date", "Message-ID", "Auto-Submitted", "Subject", "Reply-To"),
        *("Content-Type", "Content-Transfer-Encoding", "MIME-Version", "X-Peer"),
    }
    assert server.recipients == [TEAM]
    email = fields.get("email", PERSON["email"])
    assert f"E-mail: {line_text(email)}" in mail.get_content().splitlines()


async def test_a_digest_lists_what_is_in_quarantine(database: Database) -> None:
    """The first twenty, and how to release them."""
    async with MailServer() as server, Site(database, **mailing(server)) as site:
        assert site.service.digests
        await site.service.digests.tell_if_due()
        for number in range(21):
            await site.receive(quarantined=True, email=f"a{number}@spam.example")
        site.clock.move(2 * DELAYS[-1])
        await site.service.digests.tell_if_due()
        assert await site.deliver() == 1
    (mail,) = server.received
    lines = mail.get_content().splitlines()
    assert mail["Subject"] == "Enquiries in quarantine: 21"
    assert sum("@spam.example" in line for line in lines) == 20
    assert lines[-1] == "Whoever runs the site can release the real ones."


async def test_operators_read_commands(database: Database) -> None:
    """With the setting: how to see all of a lead, and what is in quarantine."""
    async with MailServer() as server:
        options = mailing(server, leads_email_commands="on")
        async with Site(database, **options) as site:
            assert site.service.digests
            lead_id = await site.receive(name="Noor")
            await site.receive(quarantined=True, email="a@spam.example")
            await site.service.digests.tell_if_due()
            site.clock.move(2 * DELAYS[-1])
            await site.service.digests.tell_if_due()
            await site.deliver()
    last = {mail.get_content().splitlines()[-1] for mail in server.received}
    assert f"All fields: majlis leads show {lead_id}" in last
    assert "Read them, and release the real ones: majlis leads review" in last

"""The subject of the mails of a form, and the copy for who sent it, with a real mail server."""

from __future__ import annotations

from typing import Any

from conftest import ViewOf
from samples.tables import TABLE, TABLES
from sqlalchemy import text
from storefront.lead_receivers import Site
from storefront.mail_server import MailServer

from app.features.leads.model import Submission
from app.features.leads.notices import MOST_COPIES
from app.features.leads.retention import Identities
from app.features.leads.submission import validate_lead
from app.platform.database.database import Database
from app.platform.submitted_fields import mailbox
from knowledge.blocks.form import SiteForm
from knowledge.resources.forms import site_form

COPIED = TABLE.replace(
    "fields:",
    """subject:
  en: Table for {people}, {day} at {time}
  ar: طاولة لعدد {people}، {day}، {time}
copy: true
purpose: reservation
thanks: { en: We keep your table, ar: حجزنا لك طاولة }
thanksText: { en: "See [the menu](/menu).", ar: نراك قريبًا. }
notifyBy: { branch: mailbox }
fields:""",
)
ANSWERS = {"branch": "olaya", "people": 4, "day": "2026-11-22", "time": "19:30"}
SENT = {
    "form": "table",
    "name": "Buy at evil.example",
    "phone": "+966501234567",
    "email": "noor@guest.example",
    "localeCountry": "sa",
    "answers": ANSWERS,
}


def form_of(view_of: ViewOf, text: str = COPIED, locale: str = "sa/en") -> SiteForm:
    """Return the form with the name of the site, as the service has it for mails."""
    asked = site_form(view_of({**TABLES, "forms/table.md": text}, locale), "table")
    assert asked is not None
    site = {"site": "Tables", "reply_to": "hello@tables.example"}
    return asked.model_copy(update=site)


async def submit(site: Site, asked: SiteForm, number: int, **changes: Any) -> str:
    """Store a lead of the form as the page does, and return its id."""
    quarantined = changes.pop("quarantined", False)
    lead = validate_lead({**SENT, **changes}, ["sa", "ae"], asked=asked)
    submission = Submission(
        f"lead-{number}",
        lead,
        site.clock(),
        quarantined,
        notify=asked.told_of(asked.answers_of(lead.model_dump(by_alias=True))),
        copy_to=mailbox(lead.email) if asked.sends_copy and lead.email else None,
    )
    return await site.store.add(submission)


def settings(server: MailServer) -> dict[str, Any]:
    """Return the settings of a site that sends mails by a server."""
    url = f"smtp://127.0.0.1:{server.port}"
    return {"smtp_url": url, "leads_email_to": "sales@tables.example"}


async def test_the_sender_gets_what_was_chosen_in_the_language_of_the_page(
    database: Database, view_of: ViewOf
) -> None:
    """In the words of the site: no text of the sender, no id, no slug."""
    asked = form_of(view_of)
    async with (
        MailServer() as server,
        Site(database, forms=lambda _: asked, **settings(server)) as site,
    ):
        await submit(site, asked, 1, localeLang="ar")
        assert await site.deliver() == 2
    mails = {mail["To"]: mail for mail in server.received}
    assert set(mails) == {"olaya@tables.example", "noor@guest.example"}
    told = mails["olaya@tables.example"]
    assert told["Subject"] == "Table for 4, Sunday, 22 November 2026 at 19:30"
    lines = told.get_content().splitlines()
    assert {"Reservation: Book a table", "Day: Sunday, 22 November 2026"} <= set(lines)
    assert not any(line.startswith(("Topic:", "Form:")) for line in lines)
    copy = mails["noor@guest.example"]
    assert copy["Subject"] == "طلبك: طاولة لعدد 4، الأحد، 22 نوفمبر 2026، 19:30"
    assert (copy["From"], copy["Reply-To"]) == (
        "Tables <sales@tables.example>",
        "Tables <hello@tables.example>",
    )
    assert copy.get_content().splitlines() == [
        "حجزنا لك طاولة",
        "نراك قريبًا.",
        "",
        "وصل إلى Tables منك ما يلي:",
        "",
        "حجز",
        "الفرع: العليا",
        "عدد الأشخاص: 4",
        "اليوم: الأحد، 22 نوفمبر 2026",
        "الوقت: 19:30",
        "",
        "إن لم تكن أنت من أرسله فلا حاجة إلى فعل شيء.",
    ]
    assert "evil" not in copy.as_string()


async def test_a_text_of_the_sender_stands_in_no_subject_of_a_copy(
    database: Database, view_of: ViewOf
) -> None:
    """The title of the form stands for a subject with it; the team gets the whole one."""
    form = COPIED.replace("Table for {people}, {day} at {time}", "'{name} on {day}'")
    asked = form_of(view_of, form)
    async with (
        MailServer() as server,
        Site(database, forms=lambda _: asked, **settings(server)) as site,
    ):
        await submit(site, asked, 1)
        await site.deliver()
    subjects = {mail["To"]: mail["Subject"] for mail in server.received}
    assert subjects == {
        "olaya@tables.example": "Buy at evil.example on Sunday, 22 November 2026",
        "noor@guest.example": "Your request: Book a table",
    }


async def test_what_is_in_quarantine_has_no_copy_until_it_is_released(
    database: Database, view_of: ViewOf
) -> None:
    """Somebody has read it then."""
    asked = form_of(view_of)
    async with (
        MailServer() as server,
        Site(database, forms=lambda _: asked, **settings(server)) as site,
    ):
        lead = await submit(site, asked, 1, quarantined=True)
        assert await site.deliver() == 0
        await site.store.release([lead])
        assert await site.deliver() == 2
    assert len(server.received) == 2


async def test_a_mailbox_gets_a_few_copies_a_day(database: Database, view_of: ViewOf) -> None:
    """Under all addresses that lead to it; the team is told of each."""
    asked = form_of(view_of)
    async with (
        MailServer() as server,
        Site(database, forms=lambda _: asked, **settings(server)) as site,
    ):
        for number in range(MOST_COPIES + 2):
            await submit(
                site, asked, number, email=f"noor+{number}@guest.example", name=f"{number}"
            )
        await site.deliver()
    copies = [mail for mail in server.received if "guest" in mail["To"]]
    assert len(copies) == MOST_COPIES
    assert len(server.received) == 2 * MOST_COPIES + 2


async def test_a_form_that_sends_no_copy_any_more_sends_none(
    database: Database, view_of: ViewOf
) -> None:
    """Nor does one without an address, and nothing of it stays in an anonymised lead."""
    asked, later = form_of(view_of), form_of(view_of, TABLE)
    async with (
        MailServer() as server,
        Site(database, forms=lambda _: later, **settings(server)) as site,
    ):
        await submit(site, asked, 1)
        await submit(site, asked, 2, email="")
        await site.deliver()
        await Identities(database).purge(site.clock().replace(year=2030), 10)
        async with database.reading() as connection:
            found = await connection.execute(text("SELECT copy_to FROM leads"))
            assert set(found.scalars()) == {None}
    assert {mail["To"] for mail in server.received} == {"olaya@tables.example"}

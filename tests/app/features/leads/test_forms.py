"""Forms that a site declares: their answers by page and by API, their files, and their checks."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from cases import cases
from conftest import Content, Visit
from contract.visitor import NOW, Reply, Visitor
from samples.forms import CAREERS, FORMS
from sqlalchemy import func, select
from storefront.lead_receivers import Site
from storefront.mail_server import MailServer

from app.features.leads.answers import UploadedFile, file_type, read_answers
from app.features.leads.commands.selections import lead_lines
from app.features.leads.exports import csv_head, csv_line, fields_of
from app.features.leads.intake import received
from app.features.leads.model import Submission
from app.features.leads.retention import Identities
from app.features.leads.store import LeadStore
from app.features.leads.submission import validate_lead
from app.features.leads.tables import lead_files
from app.platform.database.database import Database
from knowledge.blocks.form import SiteForm
from knowledge.checks.content_linter import check_content
from knowledge.locales.locale import Language, Locale
from knowledge.resources.forms import site_form
from knowledge.snapshot.loading import load_content
from knowledge.views.content_view import ContentView
from renderers.l10n.formats import full_date

HTML = {"Accept": "text/html"}
DAY = f"{datetime.now(UTC).date() + timedelta(days=30)}"
TYPED = {
    "name": "Noor",
    "phone": "050 123 4567",
    "service": "heart-check",
    "times:evening": "true",
    "day": DAY,
    "persons": "2",
    "firstVisit": "true",
    "note": "ما المواعيد المتاحة؟",
    "consent": "true",
    "website": "",
}
ANSWERS = {
    "service": "heart-check",
    "times": ["evening"],
    "day": DAY,
    "persons": 2,
    "firstVisit": True,
    "note": "ما المواعيد المتاحة؟",
    "consent": True,
}
PDF = b"%PDF-1.7\n%synthetic"


@pytest.fixture
def visitor(shared_visit: Visit) -> Visitor:
    """A site with two forms, and without leads."""
    visitor = shared_visit(FORMS)
    visitor.forget_leads()
    return visitor


def send(visitor: Visitor, path: str, typed: Mapping[str, str]) -> Reply:
    """Post a form as a browser does."""
    headers = {**HTML, "Content-Type": "application/x-www-form-urlencoded"}
    return visitor.ask("POST", path, headers, body=urlencode(typed).encode())


def send_parts(
    visitor: Visitor, path: str, typed: Mapping[str, str], files: list[tuple[str, str, bytes]]
) -> Reply:
    """Post a form with files as a browser does."""
    parts = [
        f'--b\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{text}\r\n'.encode()
        for name, text in typed.items()
    ]
    for name, file, content in files:
        head = f'--b\r\nContent-Disposition: form-data; name="{name}"; filename="{file}"\r\n'
        parts.append(f"{head}Content-Type: application/pdf\r\n\r\n".encode() + content + b"\r\n")
    headers = {**HTML, "Content-Type": "multipart/form-data; boundary=b"}
    return visitor.ask("POST", path, headers, body=b"".join([*parts, b"--b--\r\n"]))


@cases("path", ["/ae/en/booking", "/sa/ar/booking", "/ae/en/about"])
def test_a_form_stands_on_its_page_and_where_a_section_names_it(
    visitor: Visitor, path: str
) -> None:
    """With a token of its page, so that no two visitors share the response."""
    reply = visitor.get(path, HTML)
    locale = path.rpartition("/")[0]
    assert reply.text.count(f'<form method="post" action="{locale}/forms/booking') == 1
    assert f'name="sourcePage" value="{path}"' in reply.text
    # Browsers would name faults in their own language, not in that of the page.
    assert re.findall(r'<form (?=[^>]*method="post")[^>]* novalidate[ >]', reply.text)
    assert 'type="number"' not in reply.text  # of other letters, the server would get nothing
    assert reply.headers["Cache-Control"] == "private, no-cache"
    assert re.search('name="token" value="[^"]{40,}"', reply.text)


def test_a_form_without_an_address_becomes_a_lead_with_answers(visitor: Visitor) -> None:
    """Each field of the lead has its answer; all others are in `answers`, with their types."""
    reply = send(visitor, "/sa/ar/forms/booking", {**TYPED, "sourcePage": "/ae/en/about"})
    location = "/sa/ar/forms/booking?sent=1#booking-answer"
    assert (reply.status, reply.headers["Location"]) == (303, location)
    (stored,) = visitor.leads()
    assert stored.lead.model_dump(mode="json") == {
        "email": "",
        "name": "Noor",
        "phone": "050 123 4567",
        "topic": "other",
        "sourcePage": "/ae/en/about",
        "localeCountry": "sa",
        "localeLang": "ar",
        "form": "booking",
        "answers": ANSWERS,
    }
    assert stored.phone_e164 == "+966501234567"
    assert stored.notify == ("reception@clinic.example",)
    shown = visitor.get(location.partition("#")[0], HTML)
    assert "وصلنا طلبك" in shown.text
    assert "noindex" in shown.text
    assert visitor.get("/sa/ar/forms/booking", HTML).headers["Location"] == "/sa/ar/booking"


@cases(
    ("changes", "field", "english", "arabic"),
    [
        ({"name": ""}, "name", "Please fill this in.", "يرجى ملء هذا الحقل."),
        ({"phone": ""}, "phone", "one of these: Phone, E-mail", "الهاتف، البريد الإلكتروني"),
        ({"phone": "", "email": "noor"}, "email", "name@example.com", "name@example.com"),
        ({"service": "surgery"}, "service", "one of the options", "الخيارات"),
        ({"day": "2020-01-01"}, "day", "2026 or later.", "أو ما بعده"),
        ({"day": "soon"}, "day", "cannot be read", "قراءته"),
        ({"persons": "9"}, "persons", "between 1 and 5.", "اختر ما بين 1 و5."),
        ({"phone": "12"}, "phone", "starting with the code of its country", "برمز الدولة"),
        ({"phone": "abc", "email": "a@b.example"}, "phone", "telephone number", "رقم هاتف"),
        ({"persons": "two"}, "persons", "cannot be read", "قراءته"),
        ({"note": "x" * 5001}, "note", "too long", "اختصار"),
    ],
)
def test_each_fault_stands_at_its_field_in_both_languages(
    visitor: Visitor, changes: dict[str, str], field: str, english: str, arabic: str
) -> None:
    """The answers are kept, and nothing is stored."""
    for locale, text in (("/ae/en", english), ("/sa/ar", arabic)):
        reply = send(visitor, f"{locale}/forms/booking", TYPED | changes)
        assert reply.status == 400
        (error,) = re.findall(f'id="booking-{field}-error">([^<]*)<', reply.text)
        assert text in error
        assert f'href="#booking-{field}"' in reply.text
        kept = ['name="times:evening" type="checkbox" value="true" checked', "المواعيد"]
        assert all(each in reply.text or field == "note" for each in kept)
    assert visitor.leads() == []


def test_a_missing_consent_is_a_fault(visitor: Visitor) -> None:
    """A browser sends nothing for a box that is not ticked."""
    typed = {name: text for name, text in TYPED.items() if name != "consent"}
    reply = send(visitor, "/ae/en/forms/booking", typed)
    assert 'id="booking-consent-error"' in reply.text


def test_the_api_takes_the_answers(visitor: Visitor) -> None:
    """A form that needs no e-mail address is sent without one."""
    body = {"form": "booking", "name": "Noor", "phone": "+971501234567", "answers": ANSWERS}
    assert visitor.post("/api/public/v1/leads", body).status == 200
    (stored,) = visitor.leads()
    assert (stored.lead.form, stored.lead.answers) == ("booking", ANSWERS)


@cases(
    ("body", "message"),
    [
        ({"name": "Noor"}, "email: missing"),
        ({"email": "a@b.example", "answers": {}}, "form: missing"),
        ({"form": "nothing"}, "form: not one of the allowed values"),
        ({"form": 3}, "form: not one of the allowed values"),
        ({"form": "booking", "answers": []}, "answers: malformed"),
        (
            {
                "form": "booking",
                "name": "N",
                "phone": "+971501234567",
                "answers": ANSWERS | {"colour": 1},
            },
            "answers.colour: not one of the allowed values",
        ),
        (
            {
                "form": "booking",
                "name": "N",
                "phone": "+971501234567",
                "answers": ANSWERS | {"note": 5},
            },
            "answers.note: not a string",
        ),
        (
            {
                "form": "booking",
                "name": "N",
                "phone": "+971501234567",
                "answers": ANSWERS | {"note": "\0"},
            },
            "answers.note: malformed",
        ),
        (
            {
                "form": "booking",
                "name": "N",
                "phone": "+971501234567",
                "answers": ANSWERS | {"persons": True},
            },
            "answers.persons: malformed",
        ),
        (
            {"form": "booking", "name": "N", "phone": "+971501234567", "answers": {}},
            "answers.service: missing; answers.day: missing; answers.consent: missing",
        ),
        (
            {"form": "careers", "name": "N", "email": "a@b.example"},
            "answers.cv: missing",
        ),
    ],
)
def test_the_api_names_each_fault(visitor: Visitor, body: dict[str, object], message: str) -> None:
    """In the one shape of errors, by the names that are sent."""
    reply = visitor.post("/api/public/v1/leads", body)
    assert reply.status == 400
    assert reply.json["error"]["message"] == message
    assert visitor.leads() == []


@cases("value", [[1], "x", {"name": "cv.pdf"}, 5, True, [{"number": 1}], "cv.pdf"])
def test_only_a_file_answers_a_field_for_files(visitor: Visitor, value: object) -> None:
    """Neither by the API nor by the page, whether it is required or not."""
    fields = {"form": "careers", "name": "Omar", "email": "omar@example.test"}
    reply = visitor.post("/api/public/v1/leads", fields | {"answers": {"cv": value}})
    assert (reply.status, reply.json["error"]["message"]) == (400, "answers.cv: missing")
    other = {"form": "tender", "name": "Omar", "email": "omar@example.test"}
    reply = visitor.post("/api/public/v1/leads", other | {"answers": {"plans": value}})
    message = "answers.plans: not of an accepted type"
    assert (reply.status, reply.json["error"]["message"]) == (400, message)
    typed = {"name": "Omar", "email": "omar@example.test", "cv": f"{value}", "plans": f"{value}"}
    assert send(visitor, "/ae/en/forms/careers", typed).status == 400
    assert send_parts(visitor, "/ae/en/forms/tender", typed, []).status == 400
    assert visitor.leads() == []


@cases("value", [None, "", " ", [], False])
def test_a_field_for_files_may_be_left_out(visitor: Visitor, value: object) -> None:
    """As a form does, unless it is required."""
    fields = {"form": "tender", "name": "Omar", "email": "omar@example.test"}
    reply = visitor.post("/api/public/v1/leads", fields | {"answers": {"plans": value}})
    assert reply.status == 200
    (stored,) = visitor.leads()
    assert stored.lead.answers is None
    visitor.forget_leads()


@cases("names", [[f"n{number}" for number in range(5_000)], ["n" * 50_000, "m" * 5_000]])
def test_an_error_names_ten_unknown_answers_at_most(visitor: Visitor, names: list[str]) -> None:
    """What is sent back is short, whatever was sent."""
    answers = ANSWERS | dict.fromkeys(names, 1)
    body = {"form": "booking", "phone": "+971501234567", "name": "Noor", "answers": answers}
    reply = visitor.post("/api/public/v1/leads", body)
    assert reply.status == 400
    error = reply.json["error"]
    assert 1 < error["message"].count("not one of the allowed values") <= 10
    assert error["resolution"].count("no field of the form") == 1
    assert len(reply.body) < 2_500


PHONES = {
    "/ae/en": ("050 123 4567", "+971 50 123 4567", "٠٥٠١٢٣٤٥٦٧", "00966 50 123 4567"),
    "/sa/ar": ("050 123 4567", "+966501234567", "+1 212 555 0100", "011 234 5678"),
}


@cases("number", ["12", "abc", "050", "1" * 32, "+971 50", "+", "05012345678901", "call me"])
def test_each_field_for_a_telephone_number_has_one(visitor: Visitor, number: str) -> None:
    """The lead's and any other one; the fault stands at the field, by API and page."""
    for locale, text in (
        ("/ae/en", "starting with the code of its country"),
        ("/sa/ar", "رمز الدولة"),
    ):
        for name in ("phone", "mobile"):
            typed = {"name": "Omar", "email": "omar@example.test", name: number}
            reply = send_parts(visitor, f"{locale}/forms/tender", typed, [])
            (error,) = re.findall(f'id="tender-{name}-error">([^<]*)<', reply.text)
            assert (reply.status, text in error) == (400, True)
    sent = {"form": "tender", "name": "Omar", "email": "omar@example.test", "phone": number}
    reply = visitor.post("/api/public/v1/leads", {**sent, "answers": {"mobile": number}})
    message = "phone: malformed; answers.mobile: malformed"
    assert (reply.status, reply.json["error"]["message"]) == (400, message)
    assert "such as +971501234567" in reply.json["error"]["resolution"]
    assert visitor.leads() == []


def test_a_telephone_number_is_one_of_the_country_of_the_page(visitor: Visitor) -> None:
    """As people write it, in any digits; those of other countries have their code."""
    for locale, numbers in PHONES.items():
        for number in numbers:
            typed = {"name": number, "email": "omar@example.test", "mobile": number}
            reply = send_parts(visitor, f"{locale}/forms/tender", {**typed, "phone": number}, [])
            assert reply.status == 303, number
    stored = {each.lead.name: each for each in visitor.leads()}
    assert stored["٠٥٠١٢٣٤٥٦٧"].phone_e164 == "+971501234567"
    assert stored["011 234 5678"].lead.answers == {"mobile": "011 234 5678"}
    assert None not in {each.phone_e164 for each in stored.values()}
    sent = {"form": "tender", "name": "Omar", "email": "a@b.example", "phone": "010 12345678"}
    assert visitor.post("/api/public/v1/leads", sent).status == 400
    assert visitor.post("/api/public/v1/leads", {**sent, "countryCode": "EG"}).status == 200


def test_a_field_of_the_lead_is_as_short_as_the_form_says(visitor: Visitor) -> None:
    """Although the lead itself would take more."""
    sent = {"form": "tender", "name": "n" * 41, "email": "omar@example.test"}
    reply = visitor.post("/api/public/v1/leads", sent)
    assert (reply.status, reply.json["error"]["message"]) == (400, "name: too long")


def test_the_contract_has_the_answers_of_each_form(visitor: Visitor) -> None:
    """Either an e-mail address or a form is required; a site without forms has neither field."""
    lead = visitor.get("/openapi.json").json["components"]["schemas"]["Lead"]
    assert lead["anyOf"] == [{"required": ["email"]}, {"required": ["form"]}]
    booking = lead["properties"]["answers"]["anyOf"][0]
    assert booking["properties"]["times"]["items"]["enum"] == ["morning", "evening"]
    assert booking["required"] == ["service", "day", "consent"]


def test_a_site_without_forms_has_the_contract_of_the_seed(shared_visit: Visit) -> None:
    """Only the address is required, and there are no answers."""
    lead = shared_visit({}).get("/openapi.json").json["components"]["schemas"]["Lead"]
    assert lead["required"] == ["email"]
    assert not {"form", "answers"} & set(lead["properties"])


@cases("suffix", [".md", ".json"])
def test_agents_are_told_the_fields(visitor: Visitor, suffix: str) -> None:
    """In markdown and JSON: names, types, options, and where to send them."""
    text = visitor.get(f"/ae/en/booking{suffix}").text
    for each in ("answers.day", "`heart-check` Heart check", "/api/public/v1/leads"):
        assert each in text
    assert "/ae/en/booking" in visitor.get("/ae/en/llms.txt").text


def test_files_are_stored_with_the_lead(visitor: Visitor) -> None:
    """Under safe names and the types of their bytes; no address serves them."""
    typed = {"name": "Omar", "email": "omar@example.test"}
    files = [("cv", "../cv\u202e.exe", PDF), ("cv", "notes.txt", "سيرة".encode())]
    reply = send_parts(visitor, "/ae/en/forms/careers", typed, files)
    assert reply.status == 303
    (stored,) = visitor.leads()
    assert [(each["name"], each["type"]) for each in stored.lead.answers["cv"]] == [
        ("cv.exe.pdf", "application/pdf"),
        ("notes.txt", "text/plain"),
    ]
    store: LeadStore = visitor._lead_store
    assert visitor.run(store.file(stored.id, 1)) == PDF
    (first, _) = fields_of(stored)["answers"]["cv"]  # type: ignore[index]
    assert first["id"] == f"{stored.id}.1"
    assert f"{stored.id}.2" in "\n".join(lead_lines(stored))
    for path in (f"/files/{first['id']}", f"/ae/en/forms/careers/{first['id']}"):
        assert visitor.get(path).status == 404


@cases(
    ("files", "text"),
    [
        ([("cv", "cv.pdf", b"MZ\x90\x00 a program")], "another type: pdf, docx, odt, txt"),
        ([("cv", "cv.pdf", PDF + b" " * 200_000)], "a smaller file"),
        ([("cv", f"{number}.pdf", PDF) for number in range(3)], "fewer files"),
        ([("cv", "", b"")], "Please fill this in."),
    ],
)
def test_a_file_that_does_not_fit_is_refused(
    visitor: Visitor, files: list[tuple[str, str, bytes]], text: str
) -> None:
    """With the rest of the answers kept."""
    typed = {"name": "Omar", "email": "omar@example.test"}
    reply = send_parts(visitor, "/ae/en/forms/careers", typed, files)
    assert reply.status == 400
    assert text in reply.text
    assert 'value="omar@example.test"' in reply.text
    assert visitor.leads() == []


@cases(
    ("path", "body", "status"),
    [
        ("/ae/en/forms/careers", b"x" * 500_000, 413),
        ("/ae/en/forms/booking", b"x" * 70_000, 415),
        ("/ae/en/contact", b"--b--", 415),
        ("/ae/en/forms/nothing", b"--b--", 404),
    ],
)
def test_only_forms_with_files_take_larger_bodies(
    visitor: Visitor, path: str, body: bytes, status: int
) -> None:
    """As large as their files may be together."""
    headers = {**HTML, "Content-Type": "multipart/form-data; boundary=b"}
    assert visitor.ask("POST", path, headers, body=body).status == status


def office(*names: str) -> bytes:
    """Return a document that is an archive with these files."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name in names:
            text = "application/vnd.oasis.opendocument.text" if name == "mimetype" else ""
            archive.writestr(name, text)
    return made.getvalue()


@cases(
    ("content", "expected"),
    [
        (PDF, "pdf"),
        (office("[Content_Types].xml", "word/document.xml"), "docx"),
        (office("[Content_Types].xml", "word/document.xml", "word/vbaProject.bin"), None),
        (office("[Content_Types].xml", "xl/workbook.xml"), "xlsx"),
        (office("mimetype", "content.xml"), "odt"),
        (office("run.exe"), None),
        (b"PK\x03\x04 broken", None),
        (b"\x89PNG\r\n\x1a\n..", "png"),
        (b"\xff\xd8\xff\xe0", "jpg"),
        (b"RIFF....WEBPVP8 ", "webp"),
        (b"#!/bin/sh\x00", None),
        (b"", None),
    ],
)
def test_the_bytes_tell_the_type_of_a_file(content: bytes, expected: str | None) -> None:
    """Whatever its name says."""
    assert file_type(content) == expected


def form_of(folder: Path, name: str) -> SiteForm:
    """Return a form of a content folder."""
    snapshot = load_content(folder).snapshot
    found = site_form(ContentView(snapshot, snapshot.default_locale, NOW, ""), name)
    assert found is not None
    return found


def submission(asked: SiteForm, sent: dict[str, Any], files: Any, lead_id: str) -> Submission:
    """Return the lead of a form as it is stored."""
    answers = read_answers(asked, sent, files, NOW)
    assert answers.errors == {}
    lead = validate_lead({**sent, "answers": answers.values}, None, None, (), asked)
    return Submission(lead_id, lead, NOW, files=tuple(answers.files), notify=asked.notify)


async def test_answers_and_files_leave_with_the_lead(database: Database, content: Content) -> None:
    """Anonymised leads keep the form only; erased ones leave no file, also by telephone."""
    asked = form_of(content(FORMS), "careers")
    files = {"cv": [UploadedFile("cv.pdf", io.BytesIO(PDF))]}
    store = LeadStore(database)
    sent = {"form": "careers", "name": "Omar", "email": "omar@example.test"}
    for number, phone in enumerate(("", "", "+966501234567")):
        contact = {"email": f"{number}@example.test"} if not phone else {"phone": phone}
        await store.add(submission(asked, {**sent, **contact}, files, f"lead-{number}"))
    assert await files_in(database) == 3
    assert await store.erase("1@example.test") == 1
    assert await store.erase(phone="+966501234567") == 1
    assert await files_in(database) == 1
    await Identities(database).purge(NOW + timedelta(days=1), 10)
    assert await files_in(database) == 0
    (stored,) = [each async for each in store.all()]
    assert (stored.lead.form, stored.lead.answers, stored.notify) == ("careers", None, ())


async def files_in(database: Database) -> int:
    """Return how many files are stored."""
    async with database.reading() as connection:
        counted = await connection.execute(select(func.count()).select_from(lead_files))
        return int(counted.scalar_one())


async def test_those_whom_a_form_names_get_its_mail(database: Database, content: Content) -> None:
    """Instead of the usual recipients, with the labels of their language and the files."""
    folder = content(
        {**FORMS, "forms/careers.md": CAREERS.replace("---\nWe", "notify: [hr@x.example]\n---\nWe")}
    )
    booking, careers = form_of(folder, "booking"), form_of(folder, "careers")
    forms = {"booking": booking, "careers": careers}
    async with MailServer() as server:
        url = f"smtp://127.0.0.1:{server.port}"
        settings: dict[str, Any] = {
            "smtp_url": url,
            "leads_email_to": "sales@x.example",
            "leads_email_language": "ar",
        }
        async with Site(
            database, forms=lambda lead: forms.get(lead.form or ""), **settings
        ) as site:
            sent = {"form": "booking", "name": "Noor", "phone": "+971501234567", "answers": ANSWERS}
            await site.store.add(submission(booking, sent, {}, "lead-1"))
            sent = {"form": "careers", "name": "Omar", "email": "omar@x.example"}
            files = {"cv": [UploadedFile("cv.pdf", io.BytesIO(PDF))]}
            await site.store.add(submission(careers, sent, files, "lead-2"))
            assert await site.deliver() == 2
    mails = {mail["To"]: mail for mail in server.received}
    assert set(mails) == {"reception@clinic.example", "hr@x.example"}
    text = mails["reception@clinic.example"].get_content()
    day = full_date(date.fromisoformat(DAY), Locale(None, Language.AR))
    for line in ("النموذج: احجز موعدًا", "الخدمة: فحص القلب", f"اليوم المفضل: {day}"):
        assert line in text
    assert mails["reception@clinic.example"]["Reply-To"] is None
    assert mails["reception@clinic.example"]["Subject"] == "احجز موعدًا: Noor"
    assert "أوافق على سياسة الخصوصية." in text.splitlines()
    body, attached = mails["hr@x.example"].iter_parts()
    assert "majlis leads" not in text + body.get_content()
    assert (attached.get_filename(), attached.get_content()) == ("cv.pdf", PDF)


async def test_exports_have_the_answers(database: Database, content: Content) -> None:
    """In the last columns, as JSON."""
    asked = form_of(content(FORMS), "booking")
    sent = {"form": "booking", "name": "Noor", "phone": "+971501234567", "answers": ANSWERS}
    store = LeadStore(database)
    await store.add(submission(asked, sent, {}, "lead-1"))
    stored = await store.get("lead-1")
    assert stored is not None
    assert csv_head().strip().endswith("phoneE164,form,answers,products")
    assert '""service"": ""heart-check""' in csv_line(stored)
    assert json.loads(json.dumps(fields_of(stored)["answers"])) == ANSWERS
    assert Language.AR in asked.title


def test_equal_files_are_one_lead(content: Content) -> None:
    """A second click sends the same digest; another file does not."""
    asked = form_of(content(FORMS), "careers")
    sent = {"form": "careers", "name": "Omar", "email": "omar@example.test"}
    digests = [
        received(
            submission(asked, sent, {"cv": [UploadedFile("cv.pdf", io.BytesIO(each))]}, "id")
        ).digest
        for each in (PDF, PDF, PDF + b"2")
    ]
    assert digests[0] == digests[1] != digests[2]


WRONG = """---
title: Wrong
fields:
  name: { type: text }
  email: { type: text }
  day: { type: date, min: 3, accept: [pdf] }
  which: { type: choice }
  ok: { type: consent, link: /nowhere }
  agreed: { type: consent }
requireOneOf: [fax]
notify: [nobody]
---
:::{form}
:form: nope
:::
"""


def test_checks_name_what_is_wrong_with_its_line(content: Content) -> None:
    """And what to do about it."""
    loaded = load_content(content({**FORMS, "forms/wrong.md": WRONG}))
    found = [each for each in check_content(loaded, NOW) if each.path == "forms/wrong.md"]
    lines = {(each.line, each.message) for each in found}
    assert lines >= {
        (3, "No field says how to answer the sender."),
        (5, "fields.email: the lead's email cannot be of the type text."),
        (6, "fields.day.min: 3 does not fit the type date."),
        (6, "fields.day.accept: a field of the type date has no such key."),
        (7, "fields.which: a choice needs choices."),
        (8, "fields.ok.link: the page /nowhere does not exist."),
        (9, "fields.agreed: a consent needs a link."),
        (10, "requireOneOf: there is no field “fax”."),
        (11, "notify: “nobody” is no e-mail address."),
        (13, "The section names the unknown form “nope”."),
    }


def test_the_forms_of_the_tests_have_no_faults(content: Content) -> None:
    """Neither the booking nor the application."""
    loaded = load_content(content(FORMS))
    found = [each for each in check_content(loaded, NOW) if each.path.startswith("forms/")]
    assert found == []


@cases(
    ("text", "message"),
    [
        ("fields: { name: { type: words } }", "must be one of text"),
        ("fields: { name: { type: text, lead: hobby } }", "must be one of name"),
        ("fields: { a: { type: file, maxSize: 99 } }", "maxSize"),
    ],
)
def test_an_unknown_type_or_lead_field_is_an_error(
    content: Content, text: str, message: str
) -> None:
    """Found when the file is read."""
    loaded = load_content(content({"forms/x.md": f"---\ntitle: X\n{text}\n---\n"}))
    assert any(message in each.message for each in loaded.diagnostics)

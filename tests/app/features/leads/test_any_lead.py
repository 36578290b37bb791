"""Property tests of leads: any input is stored as sent, or refused with the invalid fields."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

import pytest
from contract.schemas import ERROR_ENVELOPE
from contract.validation import violations
from contract.visitor import Reply, Visitor
from gulf import write_site
from hypothesis import example, given
from hypothesis import strategies as st

from app.features.leads.model import Lead, StoredLead

pytestmark = pytest.mark.slow

PATH = "/api/public/v1/leads"
CONTACT = "/ae/en/contact"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
HONEYPOT_FIELD = "website"
FIELDS = {field.alias or name: name for name, field in Lead.model_fields.items()}
"""Model names by API names."""

texts = st.one_of(
    st.text(st.characters(), max_size=40),  # including lone surrogates
    st.sampled_from(["", " ", "\t\n", "\0", "x" * 33, "x" * 121, "x" * 5_001, "نور", "a\u2028b"]),
    st.sampled_from(["demo", "AE", "ae", "ar", "/ae/en", "/", "+971 50 123 4567", "=1+1", "ß"]),
    st.sampled_from(["noor@example.test", " A@B.test ", "نور@مثال.إختبار", "a@b", "a@b@c.test"]),
    st.emails(),
)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), NUMBERS, texts, texts),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2), st.dictionaries(st.text(max_size=5), inner, max_size=2)
    ),
    max_leaves=4,
)
names = st.one_of(
    st.sampled_from([*FIELDS, HONEYPOT_FIELD, "source_page", "id"]), st.text(max_size=8)
)
likely = st.fixed_dictionaries({"email": st.one_of(st.just("noor@example.test"), texts)})
fields = st.builds(
    lambda some, more: some | more, likely, st.dictionaries(names, values, max_size=6)
)
typed = st.builds(lambda some, more: some | more, likely, st.dictionaries(names, texts, max_size=6))


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """A site with a contact page; each example deletes the leads of the previous one."""
    page = {"registry/contact.md": "---\ntitle: Contact\n---\nWrite.\n"}
    content = write_site(tmp_path_factory.mktemp("leads") / "content", page)
    with Visitor(content_dir=content) as started:
        yield started


def by_api(visitor: Visitor, body: bytes) -> tuple[Reply, list[StoredLead]]:
    """Send a body as JSON; return the response and the leads stored."""
    visitor.forget_leads()
    reply = visitor.ask("POST", PATH, {"Content-Type": "application/json"}, body=body)
    return reply, visitor.leads()


def by_form(visitor: Visitor, body: bytes) -> tuple[Reply, list[StoredLead]]:
    """Send a body as contact form; return the response and the leads stored."""
    visitor.forget_leads()
    return visitor.ask("POST", CONTACT, FORM, body=body), visitor.leads()


def normalized(sent: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields as they should be stored, by model name."""
    stored: dict[str, Any] = {name: sent.get(name) for name in FIELDS}
    for name, value in stored.items():
        if isinstance(value, str) and not value.strip():
            stored[name] = None
    stored["email"] = str(stored["email"]).strip()
    code = stored["countryCode"]
    stored["countryCode"] = code.upper() if isinstance(code, str) else None
    return {FIELDS[name]: value for name, value in stored.items() if value is not None}


def check_stored(stored: list[StoredLead], sent: Mapping[str, Any]) -> None:
    """Check that there is one lead with exactly the fields that were sent."""
    (lead,) = stored
    assert lead.lead.model_dump(by_alias=False) == normalized(sent)
    honeypot = sent.get(HONEYPOT_FIELD)
    assert lead.quarantined or honeypot is None or not str(honeypot).strip()


def refused(reply: Reply) -> list[str]:
    """Check an error and return the fields that it names."""
    assert reply.status == 400
    assert violations(ERROR_ENVELOPE, reply.json) == []
    message = reply.json["error"]["message"]
    return [name for name in FIELDS if re.search(rf"(^|; ){name}: ", message)]


@given(sent=fields)
@example(sent={"email": "a@b.test", "name": "\ud800"})
def test_any_fields_are_stored_as_sent_or_refused_by_name(
    visitor: Visitor, sent: dict[str, Any]
) -> None:
    """Without the named fields the lead is valid: exactly those were invalid.

    What a lead needs depends on the form, so an unknown or missing one is named alone; answers
    belong to it.
    """
    reply, stored = by_api(visitor, json.dumps(sent).encode())
    if reply.status != 200 and "form" in refused(reply):
        assert stored == []
        sent = {name: value for name, value in sent.items() if name not in ("form", "answers")}
        reply, stored = by_api(visitor, json.dumps(sent).encode())
    if reply.status != 200:
        assert stored == []
        invalid = refused(reply)
        assert invalid
        sent = {name: value for name, value in sent.items() if name not in invalid}
        sent.setdefault("email", "noor@example.test")
        reply, stored = by_api(visitor, json.dumps(sent).encode())
    assert reply.status == 200
    assert reply.json == {"ok": True, "id": stored[0].id}
    check_stored(stored, sent)


@given(body=st.one_of(values.map(lambda value: json.dumps(value).encode()), st.binary()))
@example(body=b"[" * 60_000)
@example(body=b"9" * 60_000)
@example(body=b'{"email": "a@b.test", "x": NaN}')
@example(body=b'{"email": "a@b.test", "x": 1e999}')
@example(body=b'{"email": "a@b.test", "email": 5}')
def test_any_body_is_stored_or_refused(visitor: Visitor, body: bytes) -> None:
    """Invalid JSON, and JSON that is not an object, give 400; nothing is stored."""
    reply, stored = by_api(visitor, body)
    assert (reply.status, len(stored)) in ((200, 1), (400, 0))
    if reply.status == 400:
        assert violations(ERROR_ENVELOPE, reply.json) == []


@given(kind=st.text(st.characters(min_codepoint=32, max_codepoint=126)), body=st.binary())
@example(kind="multipart/form-data; boundary=x", body=b"--x\r\n\r\n--x--")
@example(kind="application/json; charset=utf-16", body='{"email": "a@b.test"}'.encode("utf-16"))
def test_a_body_of_any_other_type_is_refused(visitor: Visitor, kind: str, body: bytes) -> None:
    """For any Content-Type header."""
    visitor.forget_leads()
    for path in (PATH, CONTACT):
        reply = visitor.ask("POST", path, {"Content-Type": kind}, body=body)
        assert reply.status in (400, 415)
    assert visitor.leads() == []


@given(sent=typed)
def test_any_form_is_stored_as_typed_or_shown_again(visitor: Visitor, sent: dict[str, str]) -> None:
    """Page and locale come from the page, not from the form."""
    try:
        body = urlencode(sent).encode()
    except UnicodeEncodeError:
        body = urlencode(sent, errors="surrogatepass").encode()
    reply, stored = by_form(visitor, body)
    assert reply.status in (303, 400)
    assert len(stored) == (reply.status == 303)
    if reply.status == 303:
        page_fields = {"sourcePage": CONTACT, "localeCountry": "ae", "localeLang": "en"}
        check_stored(stored, sent | page_fields)


@given(body=st.one_of(st.binary(), st.text("email=@.&;%+0Fa", max_size=60).map(str.encode)))
def test_any_bytes_as_a_form_are_stored_or_refused(visitor: Visitor, body: bytes) -> None:
    """Invalid forms, and forms without a valid lead, give 400."""
    reply, stored = by_form(visitor, body)
    assert (reply.status, len(stored)) in ((303, 1), (400, 0))

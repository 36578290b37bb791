"""POST leads: accepted and refused input, and the responses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from cases import cases
from conftest import Visit
from contract.schemas import ERROR_ENVELOPE
from contract.validation import violations
from contract.visitor import BASE_URL, FakeClock, Reply, Visitor

from app.features.leads.model import CAMPAIGN_PARAMETERS, Lead
from app.features.leads.submission import _ALLOWED

PATHS = ("/api/public/v1/leads", "/api/leads")
STABLE = PATHS[0]
EMAIL = {"email": "noor@example.test"}
EMPTY = Path(__file__).parent / "no-content"
JSON = {"Content-Type": "application/json"}
LIMITS = {
    "name": 120,
    "phone": 32,
    "company": 255,
    "message": 5_000,
    "source": 120,
    "productService": 160,
    **dict.fromkeys(CAMPAIGN_PARAMETERS, 120),
}


@pytest.fixture
def visitor(shared_visit: Visit) -> Visitor:
    """An application without content and without leads."""
    visitor = shared_visit({})
    visitor.forget_leads()
    return visitor


@pytest.fixture
def own_visitor(visit: Visit) -> Visitor:
    """The same, for a test that moves its clock or repeats a request."""
    return visit({})


@pytest.fixture(scope="module")
def refusing() -> Iterator[Visitor]:
    """An application for refused leads only: it must have no leads at the end."""
    with Visitor(content_dir=EMPTY) as started:
        yield started
        assert started.leads() == []


def refused(reply: Reply, status: int = 400) -> str:
    """Check an error and return its message."""
    assert reply.status == status
    assert violations(ERROR_ENVELOPE, reply.json) == []
    assert "no-store" in reply.headers["Cache-Control"]
    return str(reply.json["error"]["message"])


@pytest.mark.parametrize("path", PATHS)
def test_a_lead_is_stored_and_its_id_returned(visitor: Visitor, path: str) -> None:
    """The body has only `ok` and `id`; the response is not cached."""
    reply = visitor.post(path, EMAIL)
    (stored,) = visitor.leads()
    assert reply.status == 200
    assert reply.json == {"ok": True, "id": stored.id}
    assert stored.lead.email == EMAIL["email"]
    assert reply.headers["Content-Type"] == "application/json"
    assert reply.headers["Cache-Control"] == "no-store"
    assert reply.headers["Access-Control-Allow-Origin"] == "*"
    assert "ETag" not in reply.headers


def test_the_alias_has_deprecation_headers(visitor: Visitor) -> None:
    """On errors too."""
    for body in (EMAIL, {}):
        old, new = visitor.post(PATHS[1], body), visitor.post(PATHS[0], body)
        assert old.status == new.status
        assert old.headers["Deprecation"] == "true"
        assert old.headers["Sunset"] == "Sat, 01 Jan 2028 00:00:00 GMT"
        assert f'<{STABLE}>; rel="successor-version"' in old.links
        assert "Deprecation" not in new.headers


FRONTEND = "https://shop.example:8443"
CROSS_SITE = {"Sec-Fetch-Site": "cross-site"}
FOREIGN = {"Origin": "https://evil.example"}


@pytest.fixture(scope="module")
def company() -> Iterator[Visitor]:
    """A service that allows two other origins to send leads."""
    origins = f"https://other.example, {FRONTEND}"
    with Visitor(content_dir=EMPTY, leads_origins=origins) as started:
        yield started


@cases("path", PATHS)
@cases(
    ("headers", "status"),
    [
        pytest.param({}, 200, id="client without these headers"),
        pytest.param({"Sec-Fetch-Site": "same-origin"}, 200, id="our page"),
        pytest.param({"Sec-Fetch-Site": "none"}, 200, id="user navigation"),
        pytest.param({"Origin": BASE_URL}, 200, id="our origin"),
        pytest.param(
            {"Sec-Fetch-Site": "same-site", "Origin": BASE_URL}, 200, id="ours, to another host"
        ),
        pytest.param({**CROSS_SITE, "Origin": FRONTEND}, 200, id="an allowed origin"),
        pytest.param({"Origin": FRONTEND}, 200, id="an allowed origin, old browser"),
        pytest.param({**CROSS_SITE, **FOREIGN}, 403, id="another site"),
        pytest.param({"Sec-Fetch-Site": "same-site"}, 403, id="another host of our domain"),
        pytest.param(CROSS_SITE, 403, id="another site without Origin"),
        pytest.param(FOREIGN, 403, id="another origin"),
        pytest.param({"Origin": "null"}, 403, id="opaque origin"),
        pytest.param({"Origin": f"{FRONTEND}0"}, 403, id="an allowed origin, another port"),
    ],
)
def test_browsers_may_send_leads_from_allowed_origins(
    company: Visitor, path: str, headers: dict[str, str], status: int
) -> None:
    """Others get 403, nothing is stored, and their preflight is not allowed."""
    company.forget_leads()
    reply = company.post(path, EMAIL, headers)
    assert len(company.leads()) == (status == 200)
    if status == 403:
        assert "pages of this origin" in refused(reply, 403)
        assert "LEADS_ORIGINS" in reply.json["error"]["resolution"]
    asked = {**headers, "Access-Control-Request-Method": "POST"}
    preflight = company.ask("OPTIONS", path, asked)
    for each in (reply, preflight):
        allowed = each.headers.get("Access-Control-Allow-Origin")
        assert allowed == ("*" if status == 200 else None)
        assert "Origin" in each.headers["Vary"]


@cases("path", PATHS)
def test_a_preflight_is_not_a_submission(refusing: Visitor, path: str) -> None:
    """It allows POST and does not count for the rate limit."""
    asked = {"Origin": BASE_URL, "Access-Control-Request-Method": "POST"}
    reply = refusing.ask("OPTIONS", path, asked)
    assert reply.status == 204
    assert "POST" in reply.headers["Access-Control-Allow-Methods"]
    assert "RateLimit-Limit" not in reply.headers


@cases("path", PATHS)
@cases("method", ["GET", "PUT", "PATCH", "DELETE"])
def test_other_methods_are_refused(refusing: Visitor, path: str, method: str) -> None:
    """405; leads cannot be read through the API."""
    reply = refusing.ask(method, path)
    refused(reply, 405)
    assert "POST" in reply.headers["Allow"]


@pytest.mark.parametrize("name", LIMITS)
def test_a_text_may_be_as_long_as_its_limit_and_no_longer(visitor: Visitor, name: str) -> None:
    """Counted in characters of any script; nothing is truncated."""
    limit = LIMITS[name]
    assert visitor.post(STABLE, EMAIL | {name: "ن" * limit}).status == 200
    assert visitor.leads()[0].lead.model_dump(mode="json")[name] == "ن" * limit
    assert refused(visitor.post(STABLE, EMAIL | {name: "n" * (limit + 1)})).startswith(f"{name}: ")
    assert len(visitor.leads()) == 1


@pytest.mark.parametrize(
    "email",
    [
        pytest.param("a@b.co", id="short"),
        pytest.param("first.last+tag@sub.example-shop.test", id="dots, tag, hyphen"),
        pytest.param("o'brien_{x}!#$%&*/=?^`|~@example.com", id="all that RFC 5322 allows"),
        pytest.param("a" * 64 + "@" + ".".join(["b" * 61] * 3) + ".co", id="254 characters"),
        pytest.param("نور@مثال.إختبار", id="in Arabic"),
        pytest.param("a@xn--mgbh0fb.xn--kgbechtv", id="in punycode"),
        pytest.param("  a@b.co\n", id="with blanks around it"),
    ],
)
def test_a_well_formed_email_is_accepted(visitor: Visitor, email: str) -> None:
    """Without a DNS query."""
    assert visitor.post(STABLE, {"email": email}).status == 200
    assert visitor.leads()[0].lead.email == email.strip()


@cases(
    "email",
    [
        pytest.param(None, id="null"),
        pytest.param("", id="empty"),
        pytest.param("  ", id="blank"),
        pytest.param(5, id="number"),
        pytest.param(["a@b.co"], id="list"),
        pytest.param({"a": "b"}, id="object"),
        pytest.param(True, id="true"),
        pytest.param("noor", id="no at"),
        pytest.param("noor@", id="no domain"),
        pytest.param("@example.com", id="no name"),
        pytest.param("a@b", id="no dot"),
        pytest.param("a@@b.co", id="two ats"),
        pytest.param("a b@c.co", id="a blank"),
        pytest.param("a@b..co", id="two dots"),
        pytest.param("a@.b.co", id="domain begins with a dot"),
        pytest.param(".a@b.co", id="name begins with a dot"),
        pytest.param("a.@b.co", id="name ends with a dot"),
        pytest.param("a@-b.co", id="label begins with a hyphen"),
        pytest.param("a@b_c.co_", id="label ends with an underscore"),
        pytest.param("a@b.co\nBcc: x@y.co", id="a header smuggled in"),
        pytest.param("a@b.co,c@d.co", id="two addresses"),
        pytest.param("<a@b.co>", id="in angle brackets"),
        pytest.param("a" * 65 + "@b.co", id="name too long"),
        pytest.param("a@" + "b" * 64 + ".co", id="label too long"),
        pytest.param("a@" + ".".join(["b" * 60] * 4) + ".test.com.co", id="257 characters"),
        pytest.param("a" * 60_000, id="60,000 characters"),
        pytest.param("a\0@b.co", id="NUL"),
    ],
)
def test_a_malformed_email_is_refused(refusing: Visitor, email: Any) -> None:
    """It is the only required field."""
    assert refused(refusing.post(STABLE, {"email": email})).startswith("email: ")


@pytest.mark.parametrize(
    ("name", "value", "stored"),
    [
        pytest.param("topic", "demo", "demo", id="demo"),
        pytest.param("topic", "other", "other", id="other"),
        pytest.param("countryCode", "AE", "AE", id="country code"),
        pytest.param("countryCode", "in", "IN", id="country code in small letters"),
        pytest.param("localeCountry", "bh", "bh", id="slug"),
        pytest.param("localeLang", "ar", "ar", id="language"),
        pytest.param("sourcePage", "/", "/", id="root"),
        pytest.param("sourcePage", "/" + "x" * 2_047, "/" + "x" * 2_047, id="long path"),
        pytest.param("sourcePage", "/ae/ar/اتصل?x=1", "/ae/ar/اتصل?x=1", id="Arabic path"),
        pytest.param("phone", "call me maybe", "call me maybe", id="a phone in words"),
        pytest.param("phone", "٠٥٠١٢٣٤٥٦٧", "٠٥٠١٢٣٤٥٦٧", id="a phone in Arabic digits"),
        pytest.param("name", "", None, id="empty is absent"),
        pytest.param("name", " ", None, id="blank is absent"),
        pytest.param("message", None, None, id="null is absent"),
        pytest.param("message", " a\n\tb ", " a\n\tb ", id="blanks stay"),
    ],
)
def test_a_valid_value_is_stored_unchanged(
    visitor: Visitor, name: str, value: str | None, stored: str | None
) -> None:
    """Except blank values and the case of country codes."""
    assert visitor.post(STABLE, EMAIL | {name: value}).status == 200
    assert visitor.leads()[0].lead.model_dump(mode="json").get(name) == stored


@cases(
    ("name", "value"),
    [
        pytest.param("topic", "sales", id="unknown topic"),
        pytest.param("topic", "Demo", id="topic in capitals"),
        pytest.param("topic", 1, id="topic as a number"),
        pytest.param("countryCode", "UAE", id="three letters"),
        pytest.param("countryCode", "A1", id="a digit"),
        pytest.param("countryCode", "١٢", id="Arabic digits"),
        pytest.param("localeCountry", "AE", id="slug in capitals"),
        pytest.param("localeCountry", "xx", id="slug of no country served"),
        pytest.param("localeLang", "fr", id="language not served"),
        pytest.param("localeLang", "EN", id="language in capitals"),
        pytest.param("sourcePage", "ae/en", id="path without slash"),
        pytest.param("sourcePage", "https://a.example/", id="URL"),
        pytest.param("sourcePage", "/" + "x" * 2_048, id="path too long"),
        pytest.param("name", 5, id="name as a number"),
        pytest.param("name", ["Noor"], id="name as a list"),
        pytest.param("message", {"text": "x"}, id="message as an object"),
        pytest.param("message", "a\0b", id="NUL in a message"),
        pytest.param("company", "\ud800", id="half a character"),
        pytest.param("phone", 971501234567, id="phone as a number"),
    ],
)
def test_an_invalid_value_is_refused_with_the_name_of_its_field(
    refusing: Visitor, name: str, value: object
) -> None:
    """And with the allowed values."""
    reply = refusing.post(STABLE, EMAIL | {name: value})
    assert refused(reply).startswith(f"{name}: ")
    assert f"{name} as {_ALLOWED[name]}" in reply.json["error"]["resolution"]


def test_all_invalid_fields_are_named_at_once(refusing: Visitor) -> None:
    """Valid fields and submitted values are not in the message."""
    wrong = {"email": "secret-noor", "name": 5, "phone": "1" * 33, "topic": "x", "localeLang": "x"}
    reply = refusing.post(STABLE, {**wrong, "company": "Wahat", "source": "s" * 120})
    message = refused(reply)
    named = [part.partition(":")[0] for part in message.split("; ")]
    assert named == list(wrong)
    assert "secret-noor" not in reply.text


def test_unknown_fields_are_ignored(visitor: Visitor) -> None:
    """Including model names of fields."""
    extra = {"utm": {"a": [1, 2]}, "source_page": 5, "id": "mine", "quarantined": True, "ok": 1}
    assert visitor.post(STABLE, EMAIL | extra).status == 200
    (stored,) = visitor.leads()
    assert stored.id != "mine"
    assert not stored.quarantined
    assert stored.lead == Lead(email=EMAIL["email"])


def test_error_messages_have_the_limits_of_the_schema() -> None:
    """So that messages and OpenAPI document agree."""
    properties = Lead.model_json_schema()["properties"]
    assert set(_ALLOWED) == set(properties)
    for name, schema in properties.items():
        options = [schema, *schema.get("anyOf", ())]
        limit = next((each["maxLength"] for each in options if "maxLength" in each), None)
        assert limit is None or str(limit) in _ALLOWED[name]


@cases(
    "body",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"{", id="half an object"),
        pytest.param(b"email=a@b.co", id="a form"),
        pytest.param(b'{"email": "a@b.co"} {}', id="two objects"),
        pytest.param(b'{"email": "a@b.co", "x": NaN}', id="NaN"),
        pytest.param(b'{"email": "a@b.co", "x": -Infinity}', id="Infinity"),
        pytest.param(b'{"email": "a@b.co", "x": ' + b"9" * 5_000 + b"}", id="a huge number"),
        pytest.param(b'{"email": "a@b.co", "name": "\xff"}', id="broken UTF-8"),
        pytest.param('{"email": "a@b.co"}'.encode("utf-16"), id="UTF-16"),
        pytest.param(b"[" * 10_000 + b"]" * 10_000, id="10,000 lists deep"),
        pytest.param(b'{"x":' * 10_000 + b"1" + b"}" * 10_000, id="10,000 objects deep"),
        pytest.param(b"[]", id="a list"),
        pytest.param(b'"a@b.co"', id="a text"),
        pytest.param(b"null", id="null"),
    ],
)
def test_a_body_that_is_not_a_json_object_is_refused(refusing: Visitor, body: bytes) -> None:
    """400."""
    refused(refusing.ask("POST", STABLE, JSON, body=body))


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        pytest.param({}, 415, id="no type"),
        pytest.param({"Content-Type": "text/plain"}, 415, id="text"),
        pytest.param({"Content-Type": "application/x-www-form-urlencoded"}, 415, id="form"),
        pytest.param({"Content-Type": "multipart/form-data; boundary=x"}, 415, id="multipart"),
        pytest.param({"Content-Type": "application/jsonp"}, 415, id="another type"),
        pytest.param({"Content-Type": "application/json; charset=latin1"}, 415, id="charset"),
        pytest.param({**JSON, "Content-Encoding": "gzip"}, 415, id="gzip"),
        pytest.param({**JSON, "Content-Encoding": "br"}, 415, id="brotli"),
        pytest.param({**JSON, "Content-Encoding": "identity"}, 200, id="identity"),
        pytest.param({"Content-Type": "application/json; charset=UTF-8"}, 200, id="UTF-8 named"),
        pytest.param({"Content-Type": "Application/JSON"}, 200, id="in capitals"),
    ],
)
def test_only_plain_json_is_accepted(
    visitor: Visitor, headers: dict[str, str], status: int
) -> None:
    """415; a compressed body is never decompressed."""
    reply = visitor.ask("POST", STABLE, headers, body=json.dumps(EMAIL).encode())
    assert reply.status == status
    if status == 415:
        refused(reply, 415)


def test_a_body_may_have_64_kib(visitor: Visitor) -> None:
    """A larger one gives 413, with or without Content-Length."""
    frame = len(json.dumps(EMAIL | {"x": ""}))
    fits, over = (json.dumps(EMAIL | {"x": "x" * (64 * 1024 - frame + n)}) for n in (0, 1))
    assert visitor.ask("POST", STABLE, JSON, body=fits.encode()).status == 200
    refused(visitor.ask("POST", STABLE, JSON, body=over.encode()), 413)
    headers = {**JSON, "Content-Length": str(len(over))}
    refused(visitor.ask("POST", STABLE, headers, body=over.encode()), 413)


def test_a_filled_honeypot_quarantines_the_lead_silently(visitor: Visitor) -> None:
    """The sender gets 200; the same content without it is another lead."""
    trapped = visitor.post(STABLE, EMAIL | {"website": "http://spam.example"})
    person = visitor.post(STABLE, EMAIL | {"website": ""})
    assert trapped.status == person.status == 200
    quarantined = {each.id: each.quarantined for each in visitor.leads()}
    assert quarantined == {trapped.json["id"]: True, person.json["id"]: False}


def test_a_double_click_is_one_lead(own_visitor: Visitor, clock: FakeClock) -> None:
    """On either path, within ten minutes."""
    first = own_visitor.post(STABLE, EMAIL).json["id"]
    clock.move(timedelta(minutes=9))
    assert own_visitor.post(PATHS[1], EMAIL).json["id"] == first
    clock.move(timedelta(minutes=2))
    assert own_visitor.post(STABLE, EMAIL).json["id"] != first


KEYED = {"Idempotency-Key": "8e03978e-40d5-43dd-bc93-6894a57f9324"}
PEER = "203.0.113.7"


def test_a_key_replays_the_first_response(own_visitor: Visitor, clock: FakeClock) -> None:
    """For 24 hours, on both paths."""
    first = own_visitor.post(STABLE, EMAIL, KEYED, PEER)
    clock.move(timedelta(hours=23))
    again = own_visitor.post(PATHS[1], EMAIL, KEYED, PEER)
    assert (again.status, again.json) == (200, first.json)
    clock.move(timedelta(hours=2))
    assert own_visitor.post(STABLE, EMAIL, KEYED, PEER).json != first.json


def test_a_key_with_another_body_gives_422(own_visitor: Visitor) -> None:
    """Bodies are compared by content; key order and white space do not matter."""
    first = own_visitor.post(STABLE, EMAIL | {"name": "N"}, KEYED, PEER)
    refused(own_visitor.post(STABLE, EMAIL, KEYED, PEER), 422)
    same = b'{ "name":"N" ,"email":"noor@example.test" }'
    again = own_visitor.ask("POST", STABLE, {**JSON, **KEYED}, PEER, same)
    assert again.json == first.json


def test_a_key_of_an_invalid_lead_can_be_used_again(own_visitor: Visitor) -> None:
    """With the corrected body."""
    refused(own_visitor.post(STABLE, {}, KEYED, PEER))
    assert own_visitor.post(STABLE, EMAIL, KEYED, PEER).status == 200


def test_keys_are_separate_per_client(own_visitor: Visitor) -> None:
    """The same key of another client is a different key."""
    own_visitor.post(STABLE, EMAIL, KEYED, PEER)
    assert own_visitor.post(STABLE, EMAIL | {"name": "N"}, KEYED, "203.0.113.8").status == 200


def test_a_key_in_flight_gives_409(own_visitor: Visitor) -> None:
    """Of ten concurrent requests one is stored, and the others get 409."""
    body = json.dumps(EMAIL).encode()
    headers = {**JSON, **KEYED}
    replies = own_visitor.together(
        *(own_visitor.exchange("POST", STABLE, headers, PEER, body) for _ in range(10))
    )
    statuses = sorted(each.status for each in replies)
    assert statuses == [200] + [409] * 9
    assert len(own_visitor.leads()) == 1
    for reply in replies:
        if reply.status == 409:
            refused(reply, 409)
            assert reply.json["error"]["code"] == "CONFLICT"


@cases(
    "key",
    [
        pytest.param("", id="empty"),
        pytest.param("k" * 256, id="256 characters"),
        pytest.param("ключ", id="not ASCII"),
        pytest.param("a b", id="a blank"),
        pytest.param("a\tb", id="a control character"),
    ],
)
def test_a_malformed_key_is_refused(refusing: Visitor, key: str) -> None:
    """400 names the header."""
    message = refused(refusing.post(STABLE, EMAIL, {"Idempotency-Key": key}))
    assert message.startswith("Idempotency-Key: ")


def test_an_unavailable_store_gives_503_but_content_is_served(visit: Visit, tmp_path: Path) -> None:
    """With Retry-After; once the store is back, leads are accepted again."""
    obstacle = tmp_path / "var"
    obstacle.write_text("")
    page = {"pages/a.md": "---\ntitle: A\n---\n"}
    visitor = visit(page, database_url=f"sqlite:///{obstacle}/majlis.db")
    reply = visitor.post(STABLE, EMAIL)
    refused(reply, 503)
    assert reply.json["error"]["code"] == "SERVICE_UNAVAILABLE"
    assert int(reply.headers["Retry-After"]) > 0
    assert str(tmp_path) not in reply.text
    assert visitor.get("/api/public/v1/pages/a").status == 200
    obstacle.unlink()
    assert visitor.post(STABLE, EMAIL).status == 200
    assert len(visitor.leads()) == 1

"""Mappings: the bodies that CRMs get, by the examples of the guide, and files that are wrong."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from cases import cases
from live.documents import ROOT
from storefront.lead_receivers import PERSON, Site
from storefront.receiver import Receiver

from app.features.leads.exports import fields_of
from app.features.leads.model import Lead, StoredLead
from app.features.leads.notices import EVERY
from app.features.leads.submission import validate_lead
from app.features.leads.webhook import InvalidMapping, read_mapping
from app.platform.database.database import Database

EXAMPLES = ROOT / "docs" / "crm"
TOKENS = {
    "HUBSPOT_TOKEN": "pat-1",
    "ODOO_API_KEY": "key-1",
    "ODOO_DATABASE": "wahat",
    "ZOHO_TOKEN": "1000.a",
}
FULL = {**PERSON, "phone": "050 123 4567", "countryCode": "AE", "productService": "POS"}


def stored(**fields: str) -> StoredLead:
    """Return a stored lead with these fields."""
    lead = validate_lead(fields, ())
    at = datetime(2026, 11, 20, 12, tzinfo=UTC)
    return StoredLead("lead-1", at, False, lead.phone_e164(None), lead)


def sent(name: str, lead: StoredLead) -> Any:
    """Return the body that a CRM of the guide gets."""
    mapping = read_mapping(EXAMPLES / f"{name}.yaml", TOKENS)
    return json.loads(mapping.body_of(fields_of(lead)))


@cases(
    ("name", "headers", "body"),
    [
        pytest.param(
            "hubspot",
            {"Authorization": "Bearer pat-1"},
            {
                "inputs": [
                    {
                        "idProperty": "email",
                        "id": "noor@example.com",
                        "properties": {
                            "email": "noor@example.com",
                            "firstname": "Noor Al Suwaidi",
                            "phone": "050 123 4567",
                            "company": "Noor Trading LLC",
                            "message": "May we see the POS?",
                            "lifecyclestage": "lead",
                        },
                    }
                ]
            },
            id="hubspot",
        ),
        pytest.param(
            "odoo",
            {"Authorization": "bearer key-1", "X-Odoo-Database": "wahat"},
            {
                "vals_list": [
                    {
                        "type": "lead",
                        "name": "POS – demo – noor@example.com",
                        "contact_name": "Noor Al Suwaidi",
                        "partner_name": "Noor Trading LLC",
                        "email_from": "noor@example.com",
                        "phone": "+971501234567",
                        "description": "May we see the POS?",
                    }
                ]
            },
            id="odoo",
        ),
        pytest.param(
            "zoho",
            {"Authorization": "Zoho-oauthtoken 1000.a"},
            {
                "duplicate_check_fields": ["Email"],
                "data": [
                    {
                        "Last_Name": "Noor Al Suwaidi",
                        "Email": "noor@example.com",
                        "Phone": "+971501234567",
                        "Company": "Noor Trading LLC",
                        "Description": "May we see the POS?",
                        "Lead_Source": "Website",
                        "Country": "United Arab Emirates",
                    }
                ],
                "trigger": ["workflow"],
            },
            id="zoho",
        ),
    ],
)
def test_the_examples_of_the_guide_have_the_shapes_of_their_crm(
    name: str, headers: dict[str, str], body: Any
) -> None:
    """As the public documentation of the CRM describes them."""
    assert sent(name, stored(**FULL)) == body
    assert read_mapping(EXAMPLES / f"{name}.yaml", TOKENS).headers == headers


def test_what_a_lead_does_not_have_is_left_out_or_has_its_default() -> None:
    """A lead needs no more than an e-mail address."""
    least = stored(email="noor@example.com")
    (record,) = sent("zoho", least)["data"]
    assert record == {
        "Last_Name": "Website visitor",
        "Email": "noor@example.com",
        "Company": "Unknown",
        "Lead_Source": "Website",
    }
    assert "phone" not in sent("hubspot", least)["inputs"][0]["properties"]


def test_no_lead_can_change_the_shape_of_the_body() -> None:
    """Its values are texts of JSON, whatever they hold."""
    hostile = '"}], "owner": {"id": 1}, {{email}} ${HUBSPOT_TOKEN} {field: email}'
    properties = sent("hubspot", stored(**{**PERSON, "name": hostile}))["inputs"][0]["properties"]
    assert properties["firstname"] == hostile
    assert "owner" not in properties


def test_every_field_of_a_lead_can_be_mapped(tmp_path: Path) -> None:
    """By the names of the API; literal values may look like placeholders."""
    names = [field.alias or name for name, field in Lead.model_fields.items()]
    file = tmp_path / "all.yaml"
    lines = [f"  {name}: {{field: {name}}}" for name in names]
    file.write_text("\n".join(["body:", *lines, "  raw: {literal: {field: email}}"]))
    body = json.loads(read_mapping(file, {}).body_of(dict.fromkeys(names, "x")))
    assert body == {**dict.fromkeys(names, "x"), "raw": {"field": "email"}}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param("body: [", "is no YAML", id="yaml"),
        pytest.param("- a", "write a mapping with `body`", id="list"),
        pytest.param("headers: {}", "write a mapping with `body`", id="no body"),
        pytest.param("body: {}\nurl: x", "at url: there are only", id="unknown key"),
        pytest.param(
            "body: {a: [{field: mail}]}", "at body.a[0]: there is no field mail", id="field"
        ),
        pytest.param("body: {a: {fields: email}}", "at body.a.fields", id="fields"),
        pytest.param("body: {a: {field: name, prefx: x}}", "at body.a.prefx", id="option"),
        pytest.param("body: {a: {variable: NONE}}", "variable NONE is not set", id="variable"),
        pytest.param("body: {a: 2026-11-20}", "a date is no JSON; write it in quotes", id="date"),
        pytest.param("body: {1: x}", "the key 1 is no text", id="key"),
        pytest.param("headers: {A: 1}\nbody: {}", "at headers.A: use one line", id="header"),
        pytest.param('headers: {"A:B": x}\nbody: {}', "use letters, digits", id="header name"),
        pytest.param('headers: {A: "x\\r\\nB: y"}\nbody: {}', "use one line", id="line break"),
        pytest.param(
            f"x: &x [{'1,' * 200}]\nbody: [{'*x,' * 200}]", "the aliases expand", id="aliases"
        ),
    ],
)
def test_a_wrong_file_is_refused_with_the_place_and_what_to_write(
    tmp_path: Path, text: str, problem: str
) -> None:
    """Before the service starts."""
    file = tmp_path / "mapping.yaml"
    file.write_text(text)
    with pytest.raises(InvalidMapping, match=r"mapping\.yaml") as error:
        read_mapping(file, {})
    assert problem in str(error.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    """With the error of the system."""
    with pytest.raises(InvalidMapping, match=r"none\.yaml cannot be read: .*No such file"):
        read_mapping(tmp_path / "none.yaml", {})


async def test_a_crm_gets_its_body_and_headers(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And no digest of quarantine, which is no lead."""
    monkeypatch.setenv("HUBSPOT_TOKEN", "pat-1")
    async with Receiver() as receiver:
        options: dict[str, Any] = {"leads_mapping": EXAMPLES / "hubspot.yaml"}
        async with Site(database, leads_webhook_url=receiver.url, **options) as site:
            assert site.service.digests
            await site.service.digests.tell_if_due()
            await site.receive(quarantined=True)
            await site.receive()
            site.clock.move(EVERY)
            await site.service.digests.tell_if_due()
            assert await site.deliver() == 1
    (request,) = receiver.received
    assert request.headers["authorization"] == "Bearer pat-1"
    assert json.loads(request.body)["inputs"][0]["id"] == "noor@example.com"

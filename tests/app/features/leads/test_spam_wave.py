"""A wave of spam within an hour, with the enquiries of customers among it."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from pathlib import Path
from random import Random
from urllib.parse import urlencode

import pytest
from conftest import Visit
from contract.visitor import FakeClock, Visitor
from storefront.enquiries import HONEST, spam

from app.features.leads.proofs import PURPOSE
from app.features.leads.service import Leads
from app.platform.keys import form_token
from app.services import services_of

API, PATH = "/api/public/v1/leads", "/ae/en/contact"
FORM = {"Accept": "text/html", "Content-Type": "application/x-www-form-urlencoded"}
PAGES = {"registry/contact.md": "---\ntitle: Contact\n---\nText.\n"}
SPAM, SEED = 1_000, 18
IN_COMPANY = 8
"""Enquiries from the network of one company."""


@pytest.mark.slow
def test_a_thousand_spam_leads_are_quarantined_and_no_enquiry_is(
    visit: Visit, clock: FakeClock, tmp_path: Path
) -> None:
    """At least 99 %; half through the API, half by the form, a third of these with its token."""
    key_file = tmp_path / "leads.key"
    key_file.write_text("11" * 32)  # a key decides which words of a text are compared
    visitor, random = visit(PAGES, leads_key_file=key_file), Random(SEED)
    waves = [(family, fields, False) for family, fields in spam(SPAM, random)]
    enquiries = [
        ("honest", {"email": f"buyer@customer{number}.example", "message": text}, True)
        for number, text in enumerate(HONEST)
    ]
    sent = waves + enquiries
    random.shuffle(sent)
    families = {}
    for number, (family, fields, is_honest) in enumerate(sent):
        clock.move(timedelta(hours=1) / len(sent))
        families[fields["email"]] = family
        in_company = is_honest and int(fields["email"][14:].partition(".")[0]) < IN_COMPANY
        peer = f"192.0.2.{number % 250}" if in_company else f"10.{number // 250}.{number % 250}.9"
        send(visitor, fields, peer, is_honest, random)
    missed = Counter(families[each.lead.email] for each in visitor.leads() if not each.quarantined)
    assert missed.pop("honest") == len(HONEST) == 50
    assert missed.total() <= SPAM // 100, missed


def send(
    visitor: Visitor, fields: dict[str, str], peer: str, is_honest: bool, random: Random
) -> None:
    """Send by API or form; a program has no token of the form, a new one or one it has read."""
    if random.random() < 0.5:
        assert visitor.post(API, fields, peer=peer).status == 200
        return
    seconds = 40 if is_honest else random.choice((None, 1, 600))
    services = services_of(visitor.quart)
    made = services.clock() - timedelta(seconds=seconds or 0)
    token = (
        {}
        if seconds is None
        else {"token": form_token(services.part(Leads).key(), PURPOSE, PATH, made, "a1")}
    )
    body = urlencode(fields | token).encode()
    assert visitor.ask("POST", PATH, FORM, peer, body).status == 303

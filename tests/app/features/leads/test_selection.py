"""Selection of leads by content and time of receipt."""

from __future__ import annotations

from datetime import timedelta

import pytest
from cases import cases
from contract.visitor import NOW
from gulf import SLUGS

from app.features.leads.commands.selections import Selection, batches, expression, matches
from app.features.leads.model import Submission
from app.features.leads.store import LeadStore
from app.features.leads.submission import validate_lead
from app.platform.database.database import Database

LEADS = {
    "spam": {"email": "Offer@Spam.example", "message": "Cheap [url=http://x] 50% off"},
    "near": {"email": "noor@spam.example.com", "name": "Noor"},
    "arabic": {"email": "salem@example.test", "name": "سالم", "company": "Wahat_Trading"},
    "page": {"email": "a@example.test", "message": "One\nTwo", "sourcePage": "/ae/en/contact"},
}


@cases(
    ("pattern", "names"),
    [
        pytest.param("spam.example", ["spam", "near"], id="anywhere in a field"),
        pytest.param("*@SPAM.EXAMPLE", ["spam"], id="a whole field, in any case"),
        pytest.param("*[url=*", ["spam"], id="a bracket is a bracket"),
        pytest.param("50%", ["spam"], id="a percent sign is one"),
        pytest.param("wahat_", ["arabic"], id="an underscore is one"),
        pytest.param("سالم", ["arabic"], id="Arabic"),
        pytest.param("one*two", ["page"], id="over lines"),
        pytest.param("/??/en/contact", ["page"], id="source page"),
        pytest.param("ae", ["page"], id="nothing but the named fields"),
        pytest.param("*", list(LEADS), id="all"),
        pytest.param("none of it", [], id="nothing"),
    ],
)
def test_a_pattern_selects_leads_by_their_texts(pattern: str, names: list[str]) -> None:
    """Matching is done in Python, so it does not depend on the database."""
    selected = [
        name
        for name, fields in LEADS.items()
        if matches(validate_lead({**fields, "localeCountry": "ae"}, SLUGS), expression(pattern))
    ]
    assert selected == names


async def test_all_conditions_have_to_hold(database: Database) -> None:
    """Text, period and quarantine."""
    store = LeadStore(database)
    for day in range(4):
        name = "even" if day % 2 == 0 else "odd"
        lead = validate_lead({"email": "a@example.test", "name": name}, SLUGS)
        at = NOW + timedelta(days=day)
        await store.add(Submission(f"lead-{day}", lead, at, quarantined=day == 2))
    later = Selection("even", since=NOW + timedelta(days=1))
    assert await later.ids(store) == ["lead-2"]
    assert await Selection("even", until=NOW + timedelta(days=2)).ids(store) == ["lead-0"]
    assert await Selection("even", quarantined=False).ids(store) == ["lead-0"]
    assert await Selection(quarantined=True).ids(store) == ["lead-2"]


def test_batches_hold_every_id_once() -> None:
    """The last batch may be smaller."""
    assert list(batches(["a", "b", "c"], 2)) == [["a", "b"], ["c"]]
    assert list(batches([], 2)) == []

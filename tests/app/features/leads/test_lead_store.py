"""The lead store, on SQLite and PostgreSQL."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
import pytest_asyncio
from gulf import SLUGS
from sqlalchemy import insert, text
from sqlalchemy.exc import IntegrityError

from app.features.leads.intake import KeyInFlight, KeyReused
from app.features.leads.model import Assessment, Fingerprint, Lead, Reason, StoredLead, Submission
from app.features.leads.retention import purge_in_batches
from app.features.leads.store import LeadStore
from app.features.leads.submission import validate_lead
from app.features.leads.tables import leads
from app.platform.database.database import Database
from app.tables import all_tables

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
KEY, OTHER_KEY = "a" * 64, "b" * 64
NUMBERS = count()

FULL = {
    "email": "Noor@Example.com",
    "name": "نور السويدي",
    "phone": "050 123 4567",
    "company": "Noor & Sons; “Trading”",
    "topic": "demo",
    "message": "Line one\nLine two 🌴",
    "sourcePage": "/ae/ar/contact",
    "source": "newsletter",
    "productService": "POS",
    "countryCode": "ae",
    "localeCountry": "ae",
    "localeLang": "ar",
    "page": "/ae/ar/products/counter-pos-15",
    "utm_source": "newsletter",
    "utm_medium": "email",
    "utm_campaign": "ربيع 2026",
    "utm_term": "pos terminal",
    "utm_content": "header",
}


@pytest_asyncio.fixture
async def store(database: Database) -> LeadStore:
    """A store on each kind of database."""
    return LeadStore(database)


def sent(fields: dict[str, Any] | None = None, at: datetime = NOW, **more: Any) -> Submission:
    """Return a submission with a new id."""
    return Submission(f"lead-{next(NUMBERS)}", validate_lead(fields or FULL, SLUGS), at, **more)


async def everything(store: LeadStore, quarantined: bool | None = None) -> list[StoredLead]:
    """Return all leads."""
    return [each async for each in store.all(quarantined)]


async def test_a_lead_comes_back_as_it_was_sent(store: LeadStore) -> None:
    """Every field and character, plus the E.164 phone number."""
    submission = sent()
    assert await store.add(submission) == submission.id
    stored = StoredLead(submission.id, NOW, False, "+971501234567", submission.lead)
    assert await store.get(submission.id) == stored
    assert await everything(store) == [stored]


async def test_what_was_not_sent_is_not_there(store: LeadStore) -> None:
    """None, not empty."""
    lead_id = await store.add(sent({"email": "a@b.test"}))
    stored = await store.get(lead_id)
    assert stored
    assert stored.lead == Lead(email="a@b.test")
    assert stored.phone_e164 is None


async def test_an_unknown_id_gives_none(store: LeadStore) -> None:
    """It may be that of a lead which was deleted meanwhile."""
    assert await store.get("no-such") is None


@pytest.mark.parametrize("minutes", [0, 5, 10])
async def test_the_same_content_shortly_after_is_the_same_lead(
    store: LeadStore, minutes: int
) -> None:
    """A double click, even if the case of the address differs."""
    first = await store.add(sent())
    again = FULL | {"email": "NOOR@example.COM"}
    assert await store.add(sent(again, NOW + timedelta(minutes=minutes))) == first
    assert await store.count() == 1


async def test_the_same_content_later_is_another_lead(store: LeadStore) -> None:
    """After the window it is a new enquiry."""
    first = await store.add(sent())
    assert await store.add(sent(at=NOW + timedelta(minutes=10, seconds=1))) != first
    assert await store.count() == 2


async def test_duplicates_are_found_if_the_clock_was_set_back(store: LeadStore) -> None:
    """Within ten minutes in either direction."""
    first = await store.add(sent())
    assert await store.add(sent(at=NOW - timedelta(minutes=1))) == first
    assert await store.add(sent(at=NOW - timedelta(hours=1))) != first


@pytest.mark.parametrize("name", list(FULL))
async def test_any_other_content_is_another_lead(store: LeadStore, name: str) -> None:
    """Each field counts."""
    others = {"topic": "other", "localeLang": "en", "localeCountry": "sa", "countryCode": "SA"}
    await store.add(sent())
    await store.add(sent(FULL | {name: others.get(name, f"{FULL[name]}x")}))
    assert await store.count() == 2


async def test_the_same_content_at_the_same_time_is_one_lead(store: LeadStore) -> None:
    """Even over several connections."""
    ids = await asyncio.gather(*(store.add(sent()) for _ in range(20)))
    assert len(set(ids)) == await store.count() == 1


async def test_different_leads_at_the_same_time_are_all_kept(store: LeadStore) -> None:
    """None is lost or taken for a duplicate."""
    several = [sent(FULL | {"name": str(number)}) for number in range(40)]
    ids = await asyncio.gather(*(store.add(each) for each in several))
    assert ids == [each.id for each in several]
    assert {each.id for each in await everything(store)} == set(ids)


async def test_a_key_replays_its_lead_for_a_day(store: LeadStore) -> None:
    """Longer than equal content alone counts as duplicate."""
    first = await store.add(sent(key=KEY))
    again = sent(at=NOW + timedelta(hours=23, minutes=59), key=KEY)
    assert await store.add(again) == first
    late = sent(at=NOW + timedelta(hours=24, seconds=1), key=KEY)
    assert await store.add(late) == late.id


async def test_a_key_with_another_body_is_refused(store: LeadStore) -> None:
    """Nothing is stored; a different quarantine flag is a different body too."""
    await store.add(sent(key=KEY))
    with pytest.raises(KeyReused):
        await store.add(sent(FULL | {"name": "Other"}, key=KEY))
    with pytest.raises(KeyReused):
        await store.add(sent(quarantined=True, key=KEY))
    assert await store.count() == 1


async def test_a_new_key_does_not_make_a_duplicate_another_lead(store: LeadStore) -> None:
    """The new key then gives the existing lead."""
    first = await store.add(sent(key=KEY))
    assert await store.add(sent(key=OTHER_KEY)) == first
    assert await store.add(sent(at=NOW + timedelta(hours=5), key=OTHER_KEY)) == first


async def test_a_key_at_the_same_time_is_stored_once(store: LeadStore) -> None:
    """The other requests get KeyInFlight."""
    results = await asyncio.gather(
        *(store.add(sent(key=KEY)) for _ in range(10)), return_exceptions=True
    )
    kinds = sorted(type(each).__name__ for each in results)
    assert kinds == ["KeyInFlight"] * 9 + ["str"]
    assert await store.count() == 1
    assert await store.add(sent(key=KEY)) in results


async def test_two_instances_store_a_key_once(migrated_url: str) -> None:
    """They share only the database; every id returned is the stored one."""
    async with (
        Database(migrated_url, tables=all_tables) as one,
        Database(migrated_url, tables=all_tables) as other,
    ):
        await one.upgrade()
        stores = [LeadStore(one), LeadStore(other)]
        results = await asyncio.gather(
            *(each.add(sent(key=KEY)) for each in stores for _ in range(5)), return_exceptions=True
        )
        ids = {each for each in results if isinstance(each, str)}
        assert all(isinstance(each, (str, KeyInFlight)) for each in results)
        assert ids == {each.id for each in await everything(stores[0])}
        assert len(ids) == 1


async def test_a_copy_that_was_judged_honest_takes_the_lead_out_of_quarantine(
    store: LeadStore,
) -> None:
    """As when the first one came at the end of a flood: one lead, under one ID."""
    busy = Assessment({Reason.VOLUME: 100}, Fingerprint("s", "d"))
    quiet = Assessment({}, Fingerprint("s", "d"))
    first = await store.add(sent(quarantined=True, assessment=busy))
    assert await store.add(sent(assessment=quiet)) == first
    assert await store.add(sent(quarantined=True, assessment=busy)) == first
    assert [each.quarantined for each in await everything(store)] == [False]


async def test_quarantined_leads_are_separate(store: LeadStore) -> None:
    """A quarantined lead is never the duplicate of a regular one."""
    trapped = await store.add(sent(quarantined=True))
    person = await store.add(sent())
    assert trapped != person
    assert [each.id for each in await everything(store, quarantined=True)] == [trapped]
    assert [each.id for each in await everything(store, quarantined=False)] == [person]
    assert (await store.count(True), await store.count(False), await store.count()) == (1, 1, 2)


async def test_a_released_lead_is_like_the_others(store: LeadStore) -> None:
    """A second release changes nothing."""
    lead_id = await store.add(sent(quarantined=True))
    assert await store.release([lead_id, "no-such"]) == {lead_id}
    assert await store.release([lead_id]) == frozenset()
    assert [each.id for each in await everything(store, quarantined=False)] == [lead_id]


async def test_purging_deletes_older_leads_only(store: LeadStore) -> None:
    """In batches, together with their keys."""
    old = [sent(at=NOW - timedelta(days=30, minutes=20 * n), key=f"{n:064}") for n in range(5)]
    for each in old:
        await store.add(each)
    kept = await store.add(sent())
    before = NOW - timedelta(days=30)
    assert await store.count(before=before) == 4
    assert sum([number async for number in purge_in_batches(store, before)]) == 4
    assert {each.id for each in await everything(store)} == {old[0].id, kept}


async def test_erasing_deletes_all_leads_of_an_address(store: LeadStore) -> None:
    """In any letter case, also in quarantine, and no others."""
    await store.add(sent(key=KEY))
    await store.add(sent(FULL | {"email": "noor@example.com", "name": "N"}, quarantined=True))
    other = await store.add(sent(FULL | {"email": "noor@example.org"}))
    assert await store.erase(" NOOR@EXAMPLE.COM ") == 2
    assert [each.id for each in await everything(store)] == [other]
    assert await store.erase("noor@example.com") == 0


async def test_leads_come_oldest_first(store: LeadStore) -> None:
    """By time of receipt, not by time of insertion."""
    for days in (2, 1, 3):
        await store.add(sent(at=NOW + timedelta(days=days)))
    times = [each.received_at for each in await everything(store)]
    assert times == sorted(times)


async def test_leads_change_by_id_and_nothing_else_does(store: LeadStore) -> None:
    """The ids that changed are returned."""
    one, two, three = [
        await store.add(sent(FULL | {"name": name}, key=f"{name:0>64}")) for name in "123"
    ]
    assert await store.quarantine([one, two, "no-such"]) == {one, two}
    assert await store.quarantine([one]) == frozenset()
    assert await store.delete([two, three, "no-such"]) == {two, three}
    assert [each.id for each in await everything(store)] == [one]
    assert await store.delete([]) == frozenset()


async def test_leads_are_selected_by_time_of_receipt(store: LeadStore) -> None:
    """`since` is inclusive, `until` exclusive."""
    ids = [await store.add(sent(at=NOW + timedelta(days=day))) for day in range(4)]
    since, until = NOW + timedelta(days=1), NOW + timedelta(days=3)
    selected = [lead.id async for lead in store.all(since=since, until=until)]
    assert selected == ids[1:3]


async def plan_of(database: Database, statement: str) -> str:
    """Return the query plan of a statement in a database with some thousand leads."""
    explain = "EXPLAIN" if database.is_postgresql else "EXPLAIN QUERY PLAN"
    async with database.writing() as connection:
        many = [_row(number) for number in range(3_000)]
        await connection.execute(insert(leads), many)
        await connection.execute(text("ANALYZE"))
        plan = await connection.execute(text(f"{explain} {statement}"))
        return str(plan.all())


def _row(number: int) -> dict[str, object]:
    email = f"{number}@example.test"
    return {
        "id": f"plan-{number}",
        "received_at": NOW,
        "email": email,
        "email_folded": email,
        "quarantined": number % 100 == 0,
        "digest": f"{number:064}",
    }


@pytest.mark.parametrize(
    ("statement", "index"),
    [
        pytest.param(
            "DELETE FROM leads WHERE email_folded = '7@example.test'",
            "ix_leads_email_folded",
            id="erase",
        ),
        pytest.param(
            "SELECT count(*) FROM leads WHERE quarantined = {true}",
            "ix_leads_quarantined",
            id="count quarantined leads",
        ),
    ],
)
async def test_frequent_statements_use_an_index(
    database: Database, statement: str, index: str
) -> None:
    """Rather than a full table scan."""
    true = "true" if database.is_postgresql else "1"
    assert index in await plan_of(database, statement.format(true=true))


async def test_leads_that_come_at_once_are_stored_as_if_one_after_the_other(
    store: LeadStore,
) -> None:
    """The same content is one lead, also with different keys; a key has one body."""
    other = FULL | {"message": "Another"}
    first, again, keyed, third, reused = await asyncio.gather(
        store.add(sent()),
        store.add(sent()),
        store.add(sent(key=KEY)),
        store.add(sent(other)),
        store.add_in_flight(sent(other, key=KEY)),
        return_exceptions=True,
    )
    assert first == again == keyed != third
    assert isinstance(reused, KeyReused)
    assert await store.count() == 2
    assert await store.add(sent(key=KEY)) == first


async def test_an_honest_copy_releases_a_lead_of_the_same_group(store: LeadStore) -> None:
    """The first copy was put into quarantine for what was no fault of its content."""
    fingerprint = Fingerprint("sender", "domain")
    spam, honest = Assessment({Reason.NETWORK: 100}, fingerprint), Assessment({}, fingerprint)
    first, second = await asyncio.gather(
        store.add(sent(quarantined=True, assessment=spam)),
        store.add(sent(assessment=honest)),
    )
    assert first == second
    assert (await store.count(quarantined=True), await store.count()) == (0, 1)


async def test_a_lead_that_cannot_be_stored_fails_alone(store: LeadStore) -> None:
    """The others of its group are stored."""
    taken = sent()
    await store.add(taken)
    names = [sent({"email": f"a{number}@b.test"}) for number in range(3)]
    names[1] = replace(names[1], id=taken.id)
    stored = await asyncio.gather(*map(store.add, names), return_exceptions=True)
    assert (stored[0], stored[2]) == (names[0].id, names[2].id)
    assert isinstance(stored[1], IntegrityError)
    assert await store.count() == 3

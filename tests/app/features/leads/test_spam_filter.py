"""The spam filter on earlier leads, and what it learns, on SQLite and PostgreSQL."""

from __future__ import annotations

from datetime import timedelta
from itertools import count

import pytest
from contract.visitor import NOW
from sqlalchemy import func, select

from app.features.leads.model import Assessment, Lead, Reason, Submission
from app.features.leads.retention import Identities
from app.features.leads.spam_filter import HourlyLimits, SpamFilter, SpamHistory
from app.features.leads.store import LeadStore
from app.features.leads.tables import lead_assessments, lead_sketches
from app.platform.database.database import Database

TEXT = "Our agents answer all of your calls at night and on weekends for a small monthly price"
NUMBERS = count(1)


class Desk:
    """Receives leads as the service does."""

    def __init__(self, database: Database, limits: HourlyLimits | None = None) -> None:
        self.database, self.store = database, LeadStore(database)
        history = SpamHistory(database)
        self.filter = SpamFilter(history, lambda: b"key", limits or HourlyLimits())

    async def receive(
        self, email: str, message: str = "Hello", client: str = "", hours: float = 0
    ) -> tuple[str, Assessment]:
        """Store a lead; return its id and why."""
        number, now = next(NUMBERS), NOW + timedelta(hours=hours)
        lead = Lead(email=email, message=message)
        client = client or f"10.{number % 250}.{number // 250}.1"
        assessment = await self.filter.assess(lead, {}, now, client)
        submission = Submission(
            f"lead-{number}", lead, now, assessment.is_spam, assessment=assessment
        )
        return await self.store.add(submission), assessment


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(TEXT, [0, 100, 100], id="long"),
        pytest.param("Our agents answer calls at night", [0, 60, 100], id="short"),
    ],
)
async def test_the_same_text_from_many_senders_is_spam(
    database: Database, text: str, expected: list[int]
) -> None:
    """Also with other numbers and links in it; if it is short, a second sender is no proof."""
    desk = Desk(database)
    points = []
    for number in range(3):
        message = f"Hi team {number}! {text}, from ${number}9: https://c{number}.test"
        _, assessment = await desk.receive(f"a{number}@x{number}.test", message)
        points.append(assessment.points.get(Reason.SAME_TEXT, 0))
    assert points == expected


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param([("a@x.test", TEXT)] * 4, id="one sender"),
        pytest.param([(f"{n}@x.test", "Please call me back.") for n in range(4)], id="short text"),
    ],
)
async def test_honest_repetition_is_no_spam(
    database: Database, sent: list[tuple[str, str]]
) -> None:
    """People send again, and short texts are alike."""
    desk = Desk(database)
    for email, text in sent:
        _, assessment = await desk.receive(email, text)
        assert not assessment.points


@pytest.mark.parametrize(
    ("limits", "same_network", "reason"),
    [
        pytest.param(HourlyLimits(network=3), True, Reason.NETWORK, id="of a network"),
        pytest.param(HourlyLimits(total=3), False, Reason.VOLUME, id="of all"),
    ],
)
async def test_over_an_hourly_limit_leads_are_quarantined_not_refused(
    database: Database, limits: HourlyLimits, same_network: bool, reason: Reason
) -> None:
    """An hour later they are accepted again."""
    desk = Desk(database, limits)
    clients = (f"203.0.113.{n}" if same_network else "" for n in count())
    spam = [(await desk.receive(f"{n}@x.test", client=next(clients)))[1].is_spam for n in range(4)]
    assert spam == [False, False, False, True]
    _, later = await desk.receive("later@x.test", client=next(clients), hours=1.1)
    assert reason not in later.points


@pytest.mark.parametrize(
    ("email", "message", "reason"),
    [
        pytest.param("a@x.test", "Buy backlinks, casino", Reason.RELEASED_SENDER, id="sender"),
        pytest.param("b@x.test", "Hello", Reason.RELEASED_DOMAIN, id="domain"),
        pytest.param("b@y.test", f"{TEXT} bitcoin casino", Reason.RELEASED_TEXT, id="text"),
    ],
)
async def test_what_was_released_speaks_for_later_leads(
    database: Database, email: str, message: str, reason: Reason
) -> None:
    """Until the lead is quarantined again."""
    desk = Desk(database)
    lead_id, assessment = await desk.receive("a@x.test", f"{TEXT} bitcoin casino")
    assert assessment.is_spam
    await desk.store.release([lead_id])
    _, after = await desk.receive(email, message, hours=1)
    assert after.points[reason] < 0
    assert not after.is_spam
    await desk.store.quarantine([lead_id])
    _, forgotten = await desk.receive(email, f"{message}!", hours=2)
    assert reason not in forgotten.points


async def test_a_released_sender_does_not_excuse_everything(database: Database) -> None:
    """Three strong signs outweigh a release."""
    desk = Desk(database)
    lead_id, _ = await desk.receive("a@x.test", "bitcoin casino")
    await desk.store.release([lead_id])
    text = "bitcoin casino [url=http://a.test] http://b.test http://c.test"
    _, assessment = await desk.receive("a@x.test", text)
    assert assessment.is_spam


async def test_why_is_stored_with_the_lead_and_goes_with_it(database: Database) -> None:
    """By deletion, and when the lead is anonymised; no digest is the address itself."""
    desk = Desk(database)
    ids = [(await desk.receive(f"{n}@x.test", f"{TEXT} forex"))[0] for n in range(2)]
    stored = await SpamHistory(database).assessment(ids[0])
    assert (stored.score, dict(stored.points)) == (50, {"phrases": 50})
    async with database.reading() as connection:
        for table in (lead_assessments, lead_sketches):
            kept = (await connection.execute(select(table))).all()
            assert kept
            assert "x.test" not in repr(kept)
    await desk.store.delete(ids[:1])
    assert await rows(database) == (1, 12)
    await Identities(database).purge(NOW + timedelta(days=1), 10)
    assert await rows(database) == (0, 0)


async def rows(database: Database) -> tuple[int, int]:
    """Return the numbers of assessments and digests."""
    async with database.reading() as connection:
        queries = (
            select(func.count()).select_from(each) for each in (lead_assessments, lead_sketches)
        )
        first, second = [(await connection.execute(query)).scalar_one() for query in queries]
    return first, second

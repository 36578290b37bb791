"""What the database knows of earlier leads like a new one: similar texts, network, releases."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Select, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from app.database.database import Database
from app.leads.assessment import Assessment, Fingerprint
from app.leads.tables import lead_assessments as assessments
from app.leads.tables import lead_sketches as sketches
from app.leads.tables import leads
from app.leads.text_sketch import least_common

HOUR = timedelta(hours=1)
TEXT_WINDOW = timedelta(days=7)
"""How far back the same text counts."""


@dataclass(frozen=True, slots=True)
class Precedents:
    """Earlier leads like a new one.

    `same_text` counts the other senders of a similar text, `network` the leads of its network in
    the last hour, `accepted` those of everybody in that hour that are not in quarantine. The others
    say whether an operator has released a lead of the sender, domain or text.
    """

    same_text: int = 0
    network: int = 0
    accepted: int = 0
    released_sender: bool = False
    released_domain: bool = False
    released_text: bool = False


@dataclass(frozen=True, slots=True)
class StoredAssessment:
    """The score of a stored lead, and its points by reason; empty for one that has none."""

    score: int = 0
    points: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return score and reasons as one line."""
        reasons = ", ".join(f"{reason} {number:+}" for reason, number in self.points.items())
        return f"{self.score} ({reasons or 'by hand, or from before the filter'})"


class SpamHistory:
    """The assessments of earlier leads; every method may raise StoreUnavailable."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def precedents(self, fingerprint: Fingerprint, now: datetime) -> Precedents:
        """Return the earlier leads like one with this fingerprint."""
        async with self._database.reading() as connection:

            async def number(query: Select[Any]) -> int:
                return int((await connection.execute(query)).scalar_one())

            same_text = _similar(fingerprint, now - TEXT_WINDOW) if fingerprint.sketch else None
            released = assessments.c.released_at.is_not(None)
            sender = assessments.c.sender == fingerprint.sender
            domain = assessments.c.domain == fingerprint.domain
            return Precedents(
                await number(_senders(same_text).where(~sender)) if same_text is not None else 0,
                await number(_of_network(fingerprint.network, now)) if fingerprint.network else 0,
                await number(_accepted(now)),
                bool(await number(_count(sender, released))),
                bool(await number(_count(domain, released))),
                same_text is not None and bool(await number(_count(same_text, released))),
            )

    async def assessment(self, lead_id: str) -> StoredAssessment:
        """Return why a lead is in quarantine."""
        query = select(assessments).where(assessments.c.lead_id == lead_id)
        async with self._database.reading() as connection:
            row = (await connection.execute(query)).first()
        return StoredAssessment(row.score, dict(_points(row.reasons))) if row else NOT_ASSESSED


NOT_ASSESSED = StoredAssessment()


def _points(reasons: str) -> Iterator[tuple[str, int]]:
    for each in reasons.split():
        reason, _, number = each.partition(":")
        yield reason, int(number)


async def store_assessment(
    connection: AsyncConnection, lead_id: str, received_at: datetime, assessment: Assessment
) -> None:
    """Store why a lead is, or is not, in quarantine, within the transaction that stores it."""
    fingerprint = assessment.fingerprint
    await connection.execute(
        insert(assessments).values(
            lead_id=lead_id,
            received_at=received_at,
            score=assessment.score,
            reasons=assessment.reasons,
            sender=fingerprint.sender,
            domain=fingerprint.domain,
            network=fingerprint.network,
        )
    )
    if fingerprint.sketch:
        rows = [
            {"lead_id": lead_id, "digest": digest, "received_at": received_at}
            for digest in fingerprint.sketch
        ]
        await connection.execute(insert(sketches), rows)


async def learn(connection: AsyncConnection, lead_ids: Collection[str]) -> None:
    """Remember that an operator released these leads, as long as they are kept."""
    statement = update(assessments).where(assessments.c.lead_id.in_(lead_ids))
    await connection.execute(statement.values(released_at=func.now()))


async def unlearn(connection: AsyncConnection, lead_ids: Collection[str]) -> None:
    """Forget that these leads were released."""
    statement = update(assessments).where(assessments.c.lead_id.in_(lead_ids))
    await connection.execute(statement.values(released_at=None))


async def forget(connection: AsyncConnection, lead_ids: Collection[str]) -> None:
    """Delete the assessments of leads; deleting a lead deletes its own."""
    for table in (sketches, assessments):
        await connection.execute(delete(table).where(table.c.lead_id.in_(lead_ids)))


def _similar(fingerprint: Fingerprint, since: datetime) -> ColumnElement[bool]:
    """Whether a lead has a text similar to that of the fingerprint."""
    shared = (
        select(sketches.c.lead_id)
        .where(sketches.c.digest.in_(fingerprint.sketch), sketches.c.received_at >= since)
        .group_by(sketches.c.lead_id)
        .having(func.count() >= least_common(len(fingerprint.sketch)))
    )
    return assessments.c.lead_id.in_(shared)


def _senders(condition: ColumnElement[bool]) -> Select[Any]:
    return select(func.count(assessments.c.sender.distinct())).where(condition)


def _count(*conditions: ColumnElement[bool]) -> Select[Any]:
    return select(func.count()).select_from(assessments).where(*conditions)


def _of_network(network: str, now: datetime) -> Select[Any]:
    return _count(assessments.c.network == network, assessments.c.received_at >= now - HOUR)


def _accepted(now: datetime) -> Select[Any]:
    recent = (leads.c.received_at >= now - HOUR, ~leads.c.quarantined)
    return select(func.count()).select_from(leads).where(*recent)

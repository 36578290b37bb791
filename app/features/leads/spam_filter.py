"""The spam filter: assesses a lead by its content, and by earlier leads like it."""

from __future__ import annotations

import asyncio
import hmac
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import zip_longest
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from app.features.leads.model import Assessment, Fingerprint, Lead, Points, Reason, Submission
from app.features.leads.spam_rules import SIZE, email_domain, judge_content, least_common, sketch
from app.features.leads.tables import lead_assessments as assessments
from app.features.leads.tables import lead_sketches as sketches
from app.features.leads.tables import leads
from app.platform.asgi.client_address import network_of
from app.platform.database.database import Database
from app.platform.database.transaction_groups import read_groups
from app.platform.submitted_fields import is_absent

HONEYPOT_FIELD = "website"
"""A hidden form field: people leave it empty, spam bots fill it in."""

Key = Callable[[], bytes]


class SpamFilter:
    """Assesses leads; `key` keeps its digests from being reversed."""

    def __init__(self, history: SpamHistory, key: Key, limits: HourlyLimits) -> None:
        self._history = history
        self._key = key
        self._limits = limits

    async def assess(
        self,
        lead: Lead,
        sent: Mapping[str, Any],
        now: datetime,
        client: str | None = None,
        form: Points | None = None,
    ) -> Assessment:
        """Return the assessment; `sent` has the honeypot, `form` the points of the form's token."""
        fingerprint, content = await asyncio.to_thread(_read, lead, client, self._key())
        precedents = await self._history.precedents(fingerprint, now, self._limits)
        honeypot = {} if is_absent(sent.get(HONEYPOT_FIELD)) else {Reason.HONEYPOT: 100}
        is_long = len(fingerprint.sketch) == SIZE
        past = dict(judge_precedents(precedents, self._limits, is_long=is_long))
        return Assessment({**honeypot, **(form or {}), **content, **past}, fingerprint)


def _read(lead: Lead, client: str | None, key: bytes) -> tuple[Fingerprint, Points]:
    """Return what a lead says of itself; a long message takes milliseconds, so not in the loop."""
    return fingerprint_of(lead, client, key), judge_content(lead)


def judge_precedents(
    precedents: Precedents, limits: HourlyLimits, *, is_long: bool
) -> Iterator[tuple[Reason, int]]:
    """Yield the points of what earlier leads tell of a new one.

    Two people hardly write the same long text. One that was released once may come from many. What
    was released never outweighs a lead that is spam by three rules.
    """
    if precedents.same_text and not precedents.released_text:
        yield Reason.SAME_TEXT, 100 if is_long or precedents.same_text > 1 else 60
    if precedents.network >= limits.network:
        yield Reason.NETWORK, 100
    if precedents.accepted >= limits.total:
        yield Reason.VOLUME, 100
    if precedents.released_sender:
        yield Reason.RELEASED_SENDER, -100
    elif precedents.released_text:
        yield Reason.RELEASED_TEXT, -60
    elif precedents.released_domain:
        yield Reason.RELEASED_DOMAIN, -40


_PURPOSE = b"majlis lead fingerprint 1\n"
"""Digested too, so that the key gives nothing else by accident."""
_DIGITS = 32


def fingerprint_of(lead: Lead, client: str | None, key: bytes) -> Fingerprint:
    """Return the keyed digests of sender, domain, network and text."""

    def digest(what: str, text: str) -> str:
        message = _PURPOSE + f"{what}\n{text}".encode()
        return hmac.digest(key, message, "sha256").hex()[:_DIGITS]

    network = network_of(client or "")
    return Fingerprint(
        digest("sender", lead.sender),
        digest("domain", email_domain(lead) or lead.sender),
        digest("network", network) if network else None,
        sketch(lead.text, lambda words: digest("text", words)),
    )


HOUR = timedelta(hours=1)
TEXT_WINDOW = timedelta(days=7)
"""How far back the same text counts."""


@dataclass(frozen=True, slots=True)
class Precedents:
    """Earlier leads like a new one.

    `same_text` counts the other senders of a similar text; `network` and `accepted` count the leads
    of the last hour of its network, and of everybody outside quarantine, up to the limits. The
    others say whether an operator has released a lead of the sender, domain or text.
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


@dataclass(frozen=True, slots=True)
class HourlyLimits:
    """How many leads are accepted in an hour, of one network and of all; more are quarantined."""

    network: int = 20
    total: int = 200


Parameters = Mapping[str, Any]
"""The parameters of a statement, by name."""

_DIGESTS = [sa.bindparam(f"digest_{place}", type_=sa.String) for place in range(SIZE)]
"""A parameter for each digest of a sketch: a list would change the statement at each execution."""


class SpamHistory:
    """The assessments of earlier leads; every method may raise StoreUnavailable."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._reader = read_groups(database)

    async def precedents(
        self, fingerprint: Fingerprint, now: datetime, limits: HourlyLimits
    ) -> Precedents:
        """Return the earlier leads like one with this fingerprint, counted up to the limits."""
        asked = {
            # A short sketch leaves some of them NULL.
            **dict(zip_longest((each.key for each in _DIGESTS), fingerprint.sketch)),
            "common": least_common(len(fingerprint.sketch)),
            "sender": fingerprint.sender,
            "domain": fingerprint.domain,
            "network": fingerprint.network,
            "week": now - TEXT_WINDOW,
            "hour": now - HOUR,
            "most_of_network": limits.network,
            "most_accepted": limits.total,
        }
        return await self._reader.run(_precedents, asked)

    async def assessment(self, lead_id: str) -> StoredAssessment:
        """Return why a lead is in quarantine."""
        query = sa.select(assessments).where(assessments.c.lead_id == lead_id)
        async with self._database.reading() as connection:
            row = (await connection.execute(query)).first()
        if row is None:
            return StoredAssessment()
        pairs = (each.split(":") for each in row.reasons.split())
        return StoredAssessment(row.score, {reason: int(number) for reason, number in pairs})


def _precedents(connection: sa.Connection, asked: Sequence[Parameters]) -> list[Precedents]:
    return [Precedents(*connection.execute(_QUERY, each).one()) for each in asked]


def store_assessments(connection: sa.Connection, submissions: Iterable[Submission]) -> None:
    """Store why leads are, or are not, in quarantine, within the transaction that stores them."""
    assessed = [
        (each.assessment, {"lead_id": each.id, "received_at": each.received_at})
        for each in submissions
        if each.assessment
    ]
    if assessed:
        rows = [
            {
                **lead,
                "score": assessment.score,
                "reasons": assessment.reasons,
                "sender": assessment.fingerprint.sender,
                "domain": assessment.fingerprint.domain,
                "network": assessment.fingerprint.network,
            }
            for assessment, lead in assessed
        ]
        connection.execute(_INSERT_ASSESSMENT, rows)
    digests = [
        {**lead, "digest": digest}
        for assessment, lead in assessed
        for digest in assessment.fingerprint.sketch
    ]
    if digests:
        connection.execute(_INSERT_DIGEST, digests)


async def mark_released(
    connection: AsyncConnection, lead_ids: Collection[str], *, is_released: bool
) -> None:
    """Remember, as long as they are kept, whether an operator released these leads."""
    statement = sa.update(assessments).where(assessments.c.lead_id.in_(lead_ids))
    await connection.execute(statement.values(released_at=sa.func.now() if is_released else None))


async def forget(connection: AsyncConnection, lead_ids: Collection[str]) -> None:
    """Delete the assessments of leads; deleting a lead deletes its own."""
    for table in (sketches, assessments):
        await connection.execute(sa.delete(table).where(table.c.lead_id.in_(lead_ids)))


def _similar() -> sa.Subquery:
    """Select the senders of similar texts other than the asked one, and whether one is released."""
    shared = (
        sa.select(sketches.c.lead_id)
        .where(sketches.c.digest.in_(_DIGESTS), sketches.c.received_at >= sa.bindparam("week"))
        .group_by(sketches.c.lead_id)
        .having(sa.func.count() >= sa.bindparam("common", type_=sa.Integer))
    )
    other = sa.case((assessments.c.sender != sa.bindparam("sender"), assessments.c.sender))
    return (
        sa.select(
            sa.func.count(other.distinct()).label("senders"),
            sa.func.count(assessments.c.released_at).label("released"),
        )
        .where(assessments.c.lead_id.in_(shared))
        .subquery()
    )


def _at_most(limit: str, *conditions: sa.ColumnElement[bool]) -> sa.ScalarSelect[int]:
    """Count the rows with these conditions, but only up to a limit."""
    some = (
        sa.select(sa.literal_column("1"))
        .where(*conditions)
        .limit(sa.bindparam(limit, type_=sa.Integer))
        .subquery()
    )
    return sa.select(sa.func.count()).select_from(some).scalar_subquery()


def _was_released(condition: sa.ColumnElement[bool]) -> sa.ColumnElement[bool]:
    released = assessments.c.released_at.is_not(None)
    return sa.select(assessments.c.lead_id).where(condition, released).exists()


def _query() -> sa.Select[Any]:
    """Select the values of Precedents as one row."""
    similar = _similar()
    hour: sa.BindParameter[datetime] = sa.bindparam("hour")
    network = (assessments.c.network == sa.bindparam("network"), assessments.c.received_at >= hour)
    accepted = (leads.c.received_at >= hour, ~leads.c.quarantined)
    return sa.select(
        similar.c.senders,
        _at_most("most_of_network", *network),
        _at_most("most_accepted", *accepted),
        _was_released(assessments.c.sender == sa.bindparam("sender")),
        _was_released(assessments.c.domain == sa.bindparam("domain")),
        similar.c.released > 0,
    )


_QUERY, _INSERT_ASSESSMENT, _INSERT_DIGEST = _query(), sa.insert(assessments), sa.insert(sketches)
"""Built once: to build a statement takes as long as to run it."""

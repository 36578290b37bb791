"""The feedback store: the fields of a report about a page, and how reports are stored."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, StringConstraints
from sqlalchemy import (
    Column,
    Connection,
    Delete,
    Index,
    String,
    Table,
    Text,
    delete,
    insert,
    or_,
    select,
)

from app.platform.database.database import Database
from app.platform.database.metadata import UtcDateTime, lock_digests, metadata
from app.platform.database.transaction_groups import TransactionGroups, write_groups
from app.platform.submitted_fields import SubmittedFields
from knowledge.resources.base import PATH_KEYWORD, Resource

feedback = Table(
    "feedback",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("received_at", UtcDateTime, nullable=False, index=True),
    Column("path", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("digest", String(64), nullable=False),  # of the content, to detect duplicates
    Index(None, "digest", "received_at"),
)

DEDUPE_WINDOW = timedelta(minutes=10)
"""An equal report within this time of the first is the same one, for example after a retry."""


class FeedbackStore:
    """Feedback in a database; every method may raise StoreUnavailable, having changed nothing."""

    def __init__(self, database: Database, writer: TransactionGroups | None = None) -> None:
        self._database = database
        self._writer = writer or write_groups(database)

    async def add(self, new: StoredFeedback) -> str:
        """Store a report durably and return its id; for a duplicate, the id of the earlier one."""
        return await self._writer.run(self._add_group, new)

    def _add_group(self, connection: Connection, group: Sequence[StoredFeedback]) -> list[str]:
        """Store reports; on PostgreSQL their contents are locked until the transaction ends."""
        if self._database.is_postgresql:
            lock_digests(connection, {new.feedback.digest for new in group})
        return [_add(connection, new) for new in group]

    async def all(
        self, since: datetime | None = None, page: str | None = None
    ) -> AsyncIterator[StoredFeedback]:
        """Yield reports since a time, about a site path and its sections; oldest first."""
        query = select(feedback).order_by(feedback.c.received_at, feedback.c.id)
        if since is not None:
            query = query.where(feedback.c.received_at >= since)
        if page is not None:
            sections = feedback.c.path.startswith(f"{page}#", autoescape=True)
            query = query.where(or_(feedback.c.path == page, sections))
        async with self._database.reading() as connection:
            async for row in await connection.stream(query):
                fields = {name: getattr(row, name) for name in Feedback.model_fields}
                report = Feedback.model_construct(**fields)
                yield StoredFeedback(row.id, row.received_at, report)

    async def delete(self, ids: Collection[str]) -> int:
        """Delete reports; return how many of them existed."""
        return await self._number(delete(feedback).where(feedback.c.id.in_(ids)))

    async def purge(self, before: datetime) -> int:
        """Delete the reports received before an instant; return how many."""
        return await self._number(delete(feedback).where(feedback.c.received_at < before))

    async def _number(self, statement: Delete) -> int:
        async with self._database.writing() as connection:
            return (await connection.execute(statement)).rowcount


def _add(connection: Connection, new: StoredFeedback) -> str:
    """Insert a report, and return its id; for a duplicate, the id of the earlier one."""
    digest, earliest = new.feedback.digest, new.received_at - DEDUPE_WINDOW
    query = select(feedback.c.id).where(
        feedback.c.digest == digest,
        feedback.c.received_at.between(earliest, new.received_at + DEDUPE_WINDOW),
    )
    earlier: str | None = connection.execute(query.limit(1)).scalar_one_or_none()
    if earlier is not None:
        return earlier
    fields = new.feedback.model_dump()
    row = {"id": new.id, "received_at": new.received_at, "digest": digest, **fields}
    connection.execute(insert(feedback).values(row))
    return new.id


Kind = Literal["wrong", "outdated", "missing", "unclear", "broken", "translation", "other"]

MAX_PATH = 2_048
MAX_MESSAGE = 2_000


class Feedback(SubmittedFields, Resource):
    """A report that something is wrong with a page; unknown fields are ignored."""

    model_config = ConfigDict(strict=True, populate_by_name=False)

    path: Annotated[str, StringConstraints(pattern=r"^/[^\x00]*$")] = Field(
        max_length=MAX_PATH, json_schema_extra={PATH_KEYWORD: "/pricing"}
    )
    """Site path of the page; `#` and the id of a heading name a section. Its URL on this site is
    accepted too."""
    message: Annotated[str, StringConstraints(pattern=r"^[^\x00]*[^\s\x00][^\x00]*$")] = Field(
        max_length=MAX_MESSAGE, examples=["The price of the Growth plan is last year's."]
    )
    """What is wrong, and what would be right."""
    kind: Kind = Field("other", examples=["outdated"])
    """What is wrong with the page."""

    @property
    def digest(self) -> str:
        """SHA-256 of the content, in hexadecimal; used to detect duplicates."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class StoredFeedback:
    """A report with its id and its time of receipt."""

    id: str
    received_at: datetime
    feedback: Feedback

"""Tables of the outbox: deliveries and their attempts."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    text,
)

from app.database.metadata import UtcDateTime, metadata

_PENDING = text("status = 'pending'")

deliveries = Table(
    "deliveries",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("order_id", ForeignKey("orders.id"), nullable=False),
    Column("order_number", String(64), nullable=False),
    Column("revision", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
    Column("status", String(16), nullable=False, index=True),  # metrics count by status
    Column("attempts", Integer, nullable=False),
    Column("created_at", UtcDateTime, nullable=False, index=True),
    Column("next_attempt_at", UtcDateTime),
    Column("leased_until", UtcDateTime),
    Column("lease", String(40)),
    Column("response_status", Integer),
    Column("error", Text),
    Index("ix_deliveries_due", "next_attempt_at", sqlite_where=_PENDING, postgresql_where=_PENDING),
    Index(
        "uq_deliveries_pending",
        "order_id",
        "revision",
        unique=True,
        sqlite_where=_PENDING,
        postgresql_where=_PENDING,
    ),
)

delivery_attempts = Table(
    "delivery_attempts",
    metadata,
    Column(
        "id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True, autoincrement=True
    ),
    Column("delivery_id", ForeignKey("deliveries.id"), nullable=False, index=True),
    Column("started_at", UtcDateTime, nullable=False),
    Column("finished_at", UtcDateTime, nullable=False),
    Column("response_status", Integer),
    Column("error", Text),
)
